import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { isApiError, messageOf } from '../../lib/errors.ts'
import { countOf } from '../../lib/format.ts'
import { notifySuccess } from '../../lib/notify.tsx'
import { forgetClaim, useClaim } from './claim.ts'

/** Asks a user who opened a one-time link whether to add its memory to the existing account. */
export function ClaimNotice() {
  const claim = useClaim()
  const queryClient = useQueryClient()
  const take = useMutation({
    mutationFn: (token: string) => api.claimMemory({ body: { claim: token } }),
    onSuccess: ({ entities, observations }) => {
      const added = [
        countOf(entities, 'entity', 'entities'),
        countOf(observations, 'observation', 'observations'),
      ]
      notifySuccess(`Memory taken over: added ${added.join(' and ')}`)
      forgetClaim()
      void queryClient.invalidateQueries()
    },
  })

  if (claim === undefined) return null
  const isDead = isApiError(take.error, 'claim_not_found')
  return (
    <Alert color="iris" role="status" title="Take over this computer's memory" mb="lg">
      <Text size="sm">
        Agents stored memory on this computer before anybody signed up. The link you opened adds it to yours;
        existing entries are kept.
      </Text>
      {take.isError && (
        <Text size="sm" fw={600} mt="xs" role="alert" c="var(--mantine-color-error)">
          {messageOf(take.error, 'Failed to take over the memory')}
        </Text>
      )}
      <Group gap="sm" mt="md">
        {!isDead && (
          <Button size="xs" loading={take.isPending} onClick={() => take.mutate(claim)}>
            Add to my memory
          </Button>
        )}
        <Button size="xs" variant="default" onClick={forgetClaim} disabled={take.isPending}>
          {isDead ? 'Close' : 'Not now'}
        </Button>
      </Group>
    </Alert>
  )
}
