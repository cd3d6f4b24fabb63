import { useUser } from '../../lib/session.ts'
import { useMemory } from './use-memory.ts'

/** The account and the space that an agent is connected to. */
export function MemoryName() {
  const user = useUser()
  const memory = useMemory()
  const account = user?.accounts.find(({ id }) => id === user.accountId)
  if (memory === undefined || account === undefined) return null
  return (
    <b style={{ overflowWrap: 'anywhere' }}>
      <bdi>{account.name}</bdi> / <bdi>{memory.space.name}</bdi>
    </b>
  )
}
