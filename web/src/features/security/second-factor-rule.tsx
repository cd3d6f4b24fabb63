import { Box, Switch } from '@mantine/core'
import { messageOf } from '../../lib/errors.ts'
import { notifyError } from '../../lib/notify.tsx'
import { useMay } from '../../lib/rights.ts'
import { useUser } from '../../lib/session.ts'
import { useSetRule } from './security.queries.ts'

/** Lets owners require a second factor of every member. */
export function SecondFactorRule() {
  const user = useUser()
  const decides = useMay('account:manage')
  const set = useSetRule()
  if (!user || !decides) return null
  return (
    <Box p="md" style={{ borderTop: '1px solid var(--loci-line)' }}>
      <Switch
        label="Every member needs a second factor"
        description={
          user.secondFactor
            ? 'Members without one can only set one up. API keys keep working.'
            : 'Set up a second factor of your own first.'
        }
        checked={user.secondFactorRequired}
        disabled={set.isPending || !user.secondFactor}
        onChange={(event) =>
          set.mutate(event.currentTarget.checked, {
            onError: (error) => notifyError('Failed to change the rule', messageOf(error, '')),
          })
        }
      />
    </Box>
  )
}
