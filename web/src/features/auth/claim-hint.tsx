import { Alert, Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { useClaim } from './claim.ts'

type ClaimHintProps = {
  /** What happens to the memory for visitors who opened the link. */
  withLink: string
}

/** Tells visitors about the memory that agents stored before anybody signed up, and how to claim it. */
export function ClaimHint({ withLink }: ClaimHintProps) {
  const hasLink = useClaim() !== undefined
  const { data } = useQuery({
    queryKey: ['unclaimed-memory'],
    queryFn: () => api.unclaimedMemory(),
    enabled: !hasLink,
  })
  if (hasLink) {
    return (
      <Alert color="iris" role="status" title="Take over this computer's memory" mb="md">
        {withLink}
      </Alert>
    )
  }
  if (!data?.waiting) return null
  return (
    <Alert color="yellow" role="status" title="This computer holds memory without an account" mb="md">
      Agents stored it before anybody signed up. To make it yours, open the link that Loci printed when it
      started; <Code style={{ whiteSpace: 'nowrap' }}>npm exec loci -- claim</Code> prints it again. Without
      the link your account starts empty.
    </Alert>
  )
}
