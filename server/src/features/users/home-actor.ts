import type { Actor } from '../../auth/actor.ts'

/** What a person changes of themselves is told in the account that they sign in to. */
export const homeActor = (actor: Actor): Actor => ({
  ...actor,
  accountId: actor.homeAccountId ?? actor.accountId,
})
