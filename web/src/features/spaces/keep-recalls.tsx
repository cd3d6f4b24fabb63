import { Switch } from '@mantine/core'
import { messageOf } from '../../lib/errors.ts'
import { notifyError } from '../../lib/notify.tsx'
import { useMay } from '../../lib/rights.ts'
import { useKeepRecalls } from './spaces.queries.ts'

/** Turning it off deletes the recalls of this space. */
export function KeepRecalls({ description }: { description?: string }) {
  const mayReview = useMay('memory:review')
  const { isKept, change } = useKeepRecalls()
  if (!mayReview || isKept === undefined) return null
  return (
    <Switch
      label="Keep recalls"
      description={description}
      checked={isKept}
      disabled={change.isPending}
      onChange={(event) =>
        change.mutate(
          { keepsRecalls: event.currentTarget.checked },
          {
            onError: (error) => notifyError('Failed to change this', messageOf(error, '')),
          },
        )
      }
    />
  )
}
