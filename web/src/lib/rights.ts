import { type Right, reachOfRole } from '@loci/contract/rights'
import { useAsOf } from './as-of.ts'
import { useUser } from './session.ts'

/** Whether the signed-in user's role has a right. */
export function useMay(right: Right): boolean {
  const user = useUser()
  return user !== undefined && reachOfRole(user.role, right) !== undefined
}

/** Whether the memory shown can be changed: the role allows it, and it is not the past. */
export function useMayWrite(): boolean {
  const isPast = useAsOf() !== undefined
  return useMay('memory:write') && !isPast
}
