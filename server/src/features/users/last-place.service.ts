import type { Place } from '@loci/contract/places'
import { toId } from '../../ground/lib/ids.ts'
import { transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { enterNamedAccount } from '../../tenancy/auth/authenticate.ts'
import { findAccountOfUser, findCallerMember } from '../../tenancy/auth/callers.repo.ts'
import { actorOnSpace } from '../../tenancy/auth/resolve-space.ts'
import { listSpaceNames } from '../../tenancy/auth/spaces.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { homeActor } from './home-actor.ts'
import { findLastPlace, setLastPlace } from './last-place.repo.ts'
import { requireMembership } from './memberships.ts'

/** Where the person was last; the default space of the account that they sign in to if that place is gone. */
export async function getPlace(ctx: Context, actor: Actor): Promise<Place> {
  const last = await findLastPlace(ctx.db, actor.userId)
  const isOpen = last !== undefined && (await canEnter(ctx, actor.userId, last))
  return toPlace(ctx, actor.userId, isOpen ? last : await defaultPlaceOf(ctx, homeActor(actor).accountId))
}

async function canEnter({ db }: Context, userId: string, { accountId, spaceId }: Scope): Promise<boolean> {
  if ((await findCallerMember(db, accountId, userId)) === undefined) return false
  return (await listSpaceNames(db, accountId)).some((space) => space.spaceId === spaceId)
}

async function defaultPlaceOf({ db }: Context, accountId: number): Promise<Scope> {
  const [oldest] = await listSpaceNames(db, accountId)
  return { accountId, spaceId: oldest!.spaceId }
}

async function toPlace({ db }: Context, userId: string, { accountId, spaceId }: Scope): Promise<Place> {
  const { id } = await requireMembership(db, accountId, userId)
  return { accountId: id, spaceId: toId('spc', spaceId) }
}

/** Remembers where the person is. Throws `account_not_found`, `space_not_found`. */
export async function setPlace(ctx: Context, actor: Actor, place: Place): Promise<Place> {
  const caller = await enterNamedAccount(ctx, homeActor(actor), place.accountId)
  const { accountId, spaceId } = await actorOnSpace(ctx, caller, place.spaceId)
  await transact(ctx, ({ db }) => setLastPlace(db, actor.userId, { accountId, spaceId }))
  return { accountId: place.accountId, spaceId: toId('spc', spaceId) }
}

/** Lets a person who signs up through an invitation start in the account that invited them, not in their empty one. */
export async function startInAccount(ctx: Context, userId: string, id: string): Promise<void> {
  const accountId = await findAccountOfUser(ctx.db, userId, id)
  if (accountId !== undefined) await setLastPlace(ctx.db, userId, await defaultPlaceOf(ctx, accountId))
}
