import type { Actor } from '../auth/actor.ts'
import type { Context } from '../context.ts'
import { findActorByEmail, findLocalActor } from '../features/users/local-actor.ts'

export type AccountOption = { account?: string }

/** Whose memory a command works on. */
export async function findAccount(ctx: Context, { account }: AccountOption): Promise<Actor> {
  return account === undefined
    ? findLocalActor(ctx, 'Say whose memory is meant with --account EMAIL.')
    : findActorByEmail(ctx, account)
}
