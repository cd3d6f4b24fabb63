import { findActorByEmail, findOnlyActor } from '../../features/users/local-actor.ts'
import { ConfigError } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { requireAllowed } from '../../tenancy/auth/permissions.ts'
import { actorOnSpace } from '../../tenancy/auth/resolve-space.ts'
import type { Context } from '../../tenancy/context.ts'
import { commandRights } from './command-rights.ts'
import { withContext, withReadContext } from './with-context.ts'

export type AccountOption = { account?: string; space?: string }
export const accountOption = [
  '--account <email>',
  'whose memory; not needed if there is only one account',
] as const
export const spaceOption = ['--space <name>', 'the space, by name or id; the first one if omitted'] as const

type Work = (ctx: Context, actor: Actor) => Promise<void>

/**
 * Runs a command on an account, or on that of the person with an email whatever the space, if the person has the right
 * that the command requires. Throws `not_permitted`.
 */
export const onAccount = actingIn(withContext)

/** The same for a command that only reads. */
export const readingAccount = actingIn(withReadContext)

function actingIn(open: (work: (ctx: Context) => Promise<void>) => Promise<void>) {
  return (of: AccountOption | string, command: keyof typeof commandRights, work: Work): Promise<void> =>
    open(async (ctx) => {
      const account = typeof of === 'string' ? of : of.account
      const actor = await (account === undefined ? findOnlyActor(ctx) : findActorByEmail(ctx, account))
      requireAllowed(actor, commandRights[command])
      await work(ctx, typeof of === 'string' ? actor : await onSpace(ctx, actor, of.space))
    })
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
