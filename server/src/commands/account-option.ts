import type { MemoryRight } from '@loci/contract/rights'
import type { Actor } from '../auth/actor.ts'
import { requireAllowed } from '../auth/permissions.ts'
import type { Context } from '../context.ts'
import { findActorByEmail, findOnlyActor } from '../features/users/local-actor.ts'

export type AccountOption = { account?: string }

/** Whose memory a command works on, if they have the right that it requires. Throws `not_permitted`. */
export async function findAccount(
  ctx: Context,
  { account }: AccountOption,
  requires: MemoryRight,
): Promise<Actor> {
  const actor = await (account === undefined ? findOnlyActor(ctx) : findActorByEmail(ctx, account))
  requireAllowed(actor, requires)
  return actor
}
