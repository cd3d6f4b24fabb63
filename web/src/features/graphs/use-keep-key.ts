import { useScope } from '../../lib/scope.ts'
import { useUser } from '../../lib/session.ts'

/** Under which the browser keeps the places of this graph: one for each account and space. */
export function useKeepKey(): string {
  const user = useUser()
  const { account, space } = useScope()
  return `${account ?? user?.id ?? ''}/${space ?? ''}`
}
