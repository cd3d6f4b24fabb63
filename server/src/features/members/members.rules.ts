import type { Role } from '@loci/contract/rights'
import type { Caller } from '../../auth/actor.ts'
import { hasRight, notPermitted } from '../../auth/permissions.ts'

/** Only owners make owners, and decide about owners. Throws `not_permitted`. */
export function requireMayGrant(actor: Caller, ...roles: Role[]): void {
  if (roles.includes('owner') && !hasRight(actor, 'account:manage')) throw notPermitted('account:manage')
}
