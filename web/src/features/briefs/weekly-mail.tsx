import { Switch } from '@mantine/core'
import { messageOf } from '../../lib/errors.ts'
import { formatDayName } from '../../lib/relative-time.ts'
import { sendsMail } from '../../lib/server-facts.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useBriefMail, useSetBriefMail } from './briefs.queries.ts'

/** Turns the weekly mail of this space on and off, for the person who looks. */
export function WeeklyMail() {
  const { data: mail, error, refetch } = useBriefMail()
  const set = useSetBriefMail()
  if (error)
    return (
      <ErrorAlert
        message={messageOf(error, 'Failed to load the weekly mail')}
        onRetry={() => void refetch()}
      />
    )
  const isOn = mail?.isOn ?? false
  return (
    <>
      {set.error && <ErrorAlert message={messageOf(set.error, 'Failed to change the weekly mail')} />}
      <Switch
        label="Mail me every Monday"
        description={wordsOf(mail)}
        checked={isOn}
        disabled={mail === undefined || set.isPending || (!isOn && !mail.isPossible)}
        onChange={(event) => set.mutate(event.currentTarget.checked)}
      />
    </>
  )
}

function wordsOf(mail: ReturnType<typeof useBriefMail>['data']): string {
  if (mail === undefined) return 'Loading...'
  if (mail.nextAt !== null)
    return `The next one comes on ${formatDayName(mail.nextAt)}. A week without news has none.`
  if (!sendsMail) return 'This server sends no mail.'
  return mail.isPossible ? 'Off until you ask for it.' : 'Confirm your email address first.'
}
