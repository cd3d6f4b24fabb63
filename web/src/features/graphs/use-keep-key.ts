import { useScope } from '../../lib/scope.ts'
import { useUser } from '../../lib/session.ts'

/** The storage key for this graph's node positions: one per account and space. */
export function useKeepKey(): string {
  const user = useUser()
  const { account, space } = useScope()
  return `${account ?? user?.id ?? ''}/${space ?? ''}`
}
