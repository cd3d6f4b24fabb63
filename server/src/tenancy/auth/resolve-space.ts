import { AppError } from '../../ground/errors/app-error.ts'
import { toId, toNumber } from '../../ground/lib/ids.ts'
import type { Context } from '../context.ts'
import { type Actor, actorOn, type Caller } from './actor.ts'
import { authenticateToken, enterAccount } from './authenticate.ts'
import { secondFactorMissing } from './permissions.ts'
import { listSpaceNames, type NamedSpace } from './spaces.repo.ts'

const notFound = () => new AppError('space_not_found', 'Space not found')

/**
 * The caller on the space that they name by id or name; without one, on the space that their credentials prefer or
 * the account's first. Throws `space_not_found`, also for a space that the credentials cannot reach.
 */
export async function actorOnSpace(ctx: Context, caller: Caller, wanted?: string): Promise<Actor> {
  const { spaces, homeSpaceId } = caller
  if (
    wanted === undefined &&
    spaces === undefined &&
    homeSpaceId !== undefined &&
    reaches(caller, homeSpaceId)
  )
    return actorOn(caller)
  const reachable = await listReachableSpaces(ctx, caller)
  const space = wanted === undefined ? preferredOf(caller, reachable) : findSpace(reachable, wanted)
  if (space === undefined) throw notFound()
  return actorOn(caller, { accountId: caller.accountId, spaceId: space.spaceId })
}

/** The spaces that a caller's credentials can reach, oldest first. */
export async function listReachableSpaces({ db }: Context, caller: Caller): Promise<NamedSpace[]> {
  const spaces = await listSpaceNames(db, caller.accountId)
  return spaces.filter(({ spaceId }) => reaches(caller, spaceId))
}

export const reaches = ({ spaces, doors }: Caller, spaceId: number) =>
  (spaces?.includes(spaceId) ?? true) && doors?.[spaceId] !== 'none'

const preferredOf = ({ spaces }: Caller, reachable: readonly NamedSpace[]) =>
  spaces === undefined
    ? reachable[0]
    : spaces.map((number) => reachable.find(({ spaceId }) => spaceId === number)).find((found) => found)

/** The space with this id or name. */
export function findSpace<T extends NamedSpace>(spaces: readonly T[], text: string): T | undefined {
  const number = toNumber('spc', text)
  if (number !== undefined) return spaces.find(({ spaceId }) => spaceId === number)
  return spaces.find(({ name }) => name === text)
}

/**
 * Checks the credentials of a connection again, and whether they still reach its account and space. Throws
 * `not_authenticated`, `account_not_found`, `space_not_found`, `second_factor_missing`.
 */
export async function confirmActor(ctx: Context, token: string, actor: Actor): Promise<Actor> {
  const caller = await enterAccount(ctx, await authenticateToken(ctx, token), actor.accountId)
  const confirmed = await actorOnSpace(ctx, caller, toId('spc', actor.spaceId))
  // Subscriptions made before the account required a second factor end here.
  if (caller.lacksSecondFactor) throw secondFactorMissing()
  return confirmed
}

/** The name of the caller's space; undefined if it is the account's only one. */
export async function nameOfSpace(ctx: Context, actor: Actor): Promise<string | undefined> {
  if (actor.spaceCount === 1) return undefined
  const spaces = await listSpaceNames(ctx.db, actor.accountId)
  return spaces.length === 1 ? undefined : spaces.find(({ spaceId }) => spaceId === actor.spaceId)?.name
}
