import type { Actor } from '../../tenancy/auth/actor.ts'

/** Changes that people make to their own profile are recorded in the account that they sign in to. */
export const homeActor = (actor: Actor): Actor => ({
  ...actor,
  accountId: actor.homeAccountId ?? actor.accountId,
})
