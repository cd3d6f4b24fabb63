import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { messageOf } from '../../lib/errors.ts'
import { notifySuccess } from '../../lib/notify.tsx'
import { forgetClaim, readClaim } from './claim.ts'

/** Asks somebody who came with a one-time link and has an account whether its memory is to come into it. */
export function ClaimNotice() {
  const [claim, setClaim] = useState(readClaim)
  const queryClient = useQueryClient()
  const take = useMutation({
    mutationFn: (token: string) => api.claimMemory({ body: { claim: token } }),
    onSuccess: ({ entities, observations }) => {
      notifySuccess(`Memory taken over: ${entities} entities and ${observations} observations were added`)
      leave()
      void queryClient.invalidateQueries()
    },
  })

  function leave() {
    forgetClaim()
    setClaim(undefined)
  }

  if (claim === undefined) return null
  return (
    <Alert color="iris" title="Take over this computer's memory" mb="lg">
      <Text size="sm">
        The link you opened adds the memory that agents stored without an account to yours. What you have
        already is kept.
      </Text>
      {take.isError && (
        <Text size="sm" fw={600} mt="xs">
          {messageOf(take.error, 'Failed to take over the memory')}
        </Text>
      )}
      <Group gap="sm" mt="md">
        <Button size="xs" loading={take.isPending} onClick={() => take.mutate(claim)}>
          Add to my memory
        </Button>
        <Button size="xs" variant="default" onClick={leave} disabled={take.isPending}>
          Not now
        </Button>
      </Group>
    </Alert>
  )
}
