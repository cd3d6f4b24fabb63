import type { Role } from '@loci/contract/rights'
import { hasRight, notPermitted } from '../../tenancy/auth/permissions.ts'

type Granter = Parameters<typeof hasRight>[0]

/** Only owners can appoint or change owners. Throws `not_permitted`. */
export function requireMayGrant(actor: Granter, ...roles: Role[]): void {
  if (roles.includes('owner') && !hasRight(actor, 'account:manage')) throw notPermitted('account:manage')
}

/** Whether somebody can invite people to this role. */
export function mayGrant(granter: Granter, role: Role): boolean {
  return hasRight(granter, 'members:manage') && (role !== 'owner' || hasRight(granter, 'account:manage'))
}
