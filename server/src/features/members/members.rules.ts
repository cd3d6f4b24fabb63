import type { Role } from '@loci/contract/rights'
import type { Caller } from '../../auth/actor.ts'
import { hasRight, notPermitted } from '../../auth/permissions.ts'

/** Only owners can appoint or change owners. Throws `not_permitted`. */
export function requireMayGrant(actor: Caller, ...roles: Role[]): void {
  if (roles.includes('owner') && !hasRight(actor, 'account:manage')) throw notPermitted('account:manage')
}
