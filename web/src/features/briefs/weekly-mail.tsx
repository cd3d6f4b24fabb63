import { Stack, Switch, Text } from '@mantine/core'
import { messageOf } from '../../lib/errors.ts'
import { formatDayWithin } from '../../lib/relative-time.ts'
import { useMayWrite } from '../../lib/rights.ts'
import { sendsMail } from '../../lib/server-facts.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useBriefMail, useSetBriefMail } from './briefs.queries.ts'

/** What the weekly mail of this space tells the person who looks. */
export function WeeklyMail() {
  const { data: mail, error, refetch } = useBriefMail()
  const set = useSetBriefMail()
  const mayDecide = useMayWrite()
  if (error)
    return (
      <ErrorAlert
        message={messageOf(error, 'Failed to load the weekly mail')}
        onRetry={() => void refetch()}
      />
    )
  const { isOn = false, tellsWaiting = false } = mail ?? {}
  const isFixed = (isOn: boolean) => mail === undefined || set.isPending || !(isOn || mail.isPossible)
  return (
    <Stack gap="sm">
      {set.error && <ErrorAlert message={messageOf(set.error, 'Failed to change the weekly mail')} />}
      <Switch
        label="Mail me every Monday what happened"
        checked={isOn}
        disabled={isFixed(isOn)}
        onChange={(event) => set.mutate({ isOn: event.currentTarget.checked })}
      />
      {mayDecide && (
        <Switch
          label="Mail me every Monday what waits for my decision"
          checked={tellsWaiting}
          disabled={isFixed(tellsWaiting)}
          onChange={(event) => set.mutate({ tellsWaiting: event.currentTarget.checked })}
        />
      )}
      <Text size="sm" c="dimmed">
        {wordsOf(mail)}
      </Text>
    </Stack>
  )
}

function wordsOf(mail: ReturnType<typeof useBriefMail>['data']): string {
  if (mail === undefined) return 'Loading...'
  if (mail.nextAt !== null) {
    const day = formatDayWithin(mail.nextAt)
    return `The next one comes ${day === 'today' ? day : `on ${day}`}, if there is something to tell.`
  }
  if (!sendsMail) return 'This server sends no mail.'
  return mail.isPossible ? 'Off until you ask for it.' : 'Confirm your email address first.'
}
