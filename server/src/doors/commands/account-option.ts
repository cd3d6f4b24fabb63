import type { Right } from '@loci/contract/rights'
import { findActorByEmail, findOnlyActor } from '../../features/users/local-actor.ts'
import { ConfigError } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { requireAllowed } from '../../tenancy/auth/permissions.ts'
import { actorOnSpace } from '../../tenancy/auth/resolve-space.ts'
import type { Context } from '../../tenancy/context.ts'

export type AccountOption = { account?: string; space?: string }
export const accountOption = [
  '--account <email>',
  'whose memory; not needed if there is only one account',
] as const
export const spaceOption = ['--space <name>', 'the space, by name or id; the first one if omitted'] as const

/** The account that a command works on, if the person has the required right. Throws `not_permitted`. */
export async function findAccount(
  ctx: Context,
  { account, space }: AccountOption,
  requires: Right,
): Promise<Actor> {
  const actor = await (account === undefined ? findOnlyActor(ctx) : findActorByEmail(ctx, account))
  requireAllowed(actor, requires)
  return onSpace(ctx, actor, space)
}

/** The actor on the space with this name or id. Throws {@link ConfigError}. */
export async function onSpace(ctx: Context, actor: Actor, space: string | undefined): Promise<Actor> {
  try {
    return await actorOnSpace(ctx, actor, space)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'space_not_found') throw error
    throw new ConfigError(`There is no space ${space ?? 'left for this key'} in this account.`, {
      cause: error,
    })
  }
}
