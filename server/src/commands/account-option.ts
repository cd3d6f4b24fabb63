import type { Actor } from '../auth/actor.ts'
import type { Context } from '../context.ts'
import { findActorByEmail, findOnlyActor } from '../features/users/local-actor.ts'

export type AccountOption = { account?: string }

/** Whose memory a command works on. */
export async function findAccount(ctx: Context, { account }: AccountOption): Promise<Actor> {
  return account === undefined ? findOnlyActor(ctx) : findActorByEmail(ctx, account)
}
