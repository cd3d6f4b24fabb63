import { type Right, reachOfRole } from '@loci/contract/rights'
import { useUser } from './session.ts'

/** Whether the role of the person who is signed in has a right. */
export function useMay(right: Right): boolean {
  const user = useUser()
  return user !== undefined && reachOfRole(user.role, right) !== undefined
}
