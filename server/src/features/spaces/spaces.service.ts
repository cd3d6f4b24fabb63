import type { Right } from '@loci/contract/rights'
import { type NameSpace, type Space, spacesMax, type UpdateSpace } from '@loci/contract/spaces'
import { AppError } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import { toIso } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { announceRevocation } from '../../tenancy/auth/announce-revocation.ts'
import { hasRight, notPermitted } from '../../tenancy/auth/permissions.ts'
import { findSpace, reaches } from '../../tenancy/auth/resolve-space.ts'
import type { Context } from '../../tenancy/context.ts'
import { forgetAllRecalls, storeWaitingRecalls } from '../../tenancy/usage/forget-recalls.ts'
import { type NewAuditEvent, recordAudit } from '../audit/record-audit.ts'
import { endConnectionsOf } from '../connections/end-connection.ts'
import { endSharesOf } from '../shares/shares.service.ts'
import * as spaces from './spaces.repo.ts'

/** The spaces that the caller can access, oldest first. */
export async function listSpaces({ db }: Context, actor: Actor): Promise<Space[]> {
  return (await listReachable({ db }, actor)).map(toSpace)
}

async function listReachable({ db }: Pick<Context, 'db'>, actor: Actor): Promise<spaces.StoredSpace[]> {
  const all = await spaces.listSpaceRows(db, actor.accountId)
  return all.filter(({ spaceId }) => reaches(actor, spaceId))
}

function toSpace({ spaceId, createdAt, ...space }: spaces.StoredSpace): Space {
  return { id: toId('spc', spaceId), ...space, createdAt: toIso(createdAt) }
}

/** Throws `space_name_taken`, `plan_limit_reached`, and `not_permitted` for credentials that could not access it. */
export async function createSpace(ctx: Context, actor: Actor, { name }: NameSpace): Promise<Space> {
  if (actor.spaces !== undefined)
    throw notPermitted('memory:write', 'These credentials are limited to the spaces that they were given.')
  return inAccount(ctx, actor, async (inner) => {
    const { db, now } = inner
    const all = await spaces.listSpaceRows(db, actor.accountId)
    requireFree(all, name)
    if (all.length >= spacesMax) throw tooMany(all.length)
    const createdAt = now()
    const spaceId = await spaces.insertSpace(db, actor.accountId, { name, createdAt })
    await recordAudit(inner, actor, { action: 'space_created', subject: toSubject({ spaceId, name }) })
    return toSpace({ spaceId, name, createdAt, ...emptySpace })
  })
}

const emptySpace = {
  entities: 0,
  relations: 0,
  observations: 0,
  writes: 'direct' as const,
  autoAcceptDays: null,
  reviewers: [],
  keepsRecalls: true,
  countsTold: false,
  conversationDays: null,
}

const toSubject = ({ spaceId, name }: Pick<spaces.StoredSpace, 'spaceId' | 'name'>) => ({
  kind: 'space' as const,
  id: toId('spc', spaceId),
  name,
})

const inAccount = <T>(ctx: Context, { accountId }: Actor, work: (inner: Context) => Promise<T>) =>
  transact(ctx, accountId, async (inner) => {
    await lockAccount(inner.db, accountId)
    return work(inner)
  })

function requireFree(all: readonly spaces.StoredSpace[], name: string): void {
  if (all.some((space) => space.name === name))
    throw new AppError('space_name_taken', `A space named ${JSON.stringify(name)} already exists`)
}

const tooMany = (used: number) =>
  new AppError('plan_limit_reached', `An account can have at most ${spacesMax} spaces.`, {
    details: [{ limit: spacesMax, used }],
  })

/**
 * Renames a space, or changes what is reviewed in it or how long something is kept, which requires `memory:review`. Throws `space_not_found`,
 * `space_name_taken`, `not_permitted`, `member_not_found`.
 */
export async function updateSpace(
  ctx: Context,
  actor: Actor,
  id: string,
  { name, keepsRecalls, countsTold, conversationDays, ...reviewing }: UpdateSpace,
): Promise<Space> {
  const changesReview = Object.values(reviewing).some((value) => value !== undefined)
  const changesKeeping = [keepsRecalls, countsTold, conversationDays].some((value) => value !== undefined)
  if (changesReview || changesKeeping) requireRight(actor, 'memory:review')
  // Whoever may not delete conversations may not have them deleted either.
  if (conversationDays !== undefined) requireRight(actor, 'conversations:write')
  if (keepsRecalls === false) await storeWaitingRecalls(ctx)
  return inAccount(ctx, actor, async (inner) => {
    const space = await requireSpace(inner, actor, id)
    const renamed = await renameSpace(inner, actor, space, name)
    const kept = await switchRecalls(inner, actor, renamed, keepsRecalls)
    const switched = await switchCounts(inner, actor, kept, countsTold)
    const limited = await limitConversations(inner, actor, switched, conversationDays)
    return toSpace(changesReview ? await changeReview(inner, actor, limited, reviewing) : limited)
  })
}

function requireRight(actor: Actor, right: Right): void {
  if (!hasRight(actor, right)) throw notPermitted(right)
}

/** Records what has changed in a space, and returns it. */
async function recordChange(
  ctx: Context,
  actor: Actor,
  space: spaces.StoredSpace,
  event: Pick<NewAuditEvent, 'action' | 'details'>,
): Promise<spaces.StoredSpace> {
  await recordAudit(ctx, actor, { ...event, subject: toSubject(space) })
  return space
}

/** Recalls that are kept are deleted when the switch is turned off. */
async function switchRecalls(
  ctx: Context,
  actor: Actor,
  space: spaces.StoredSpace,
  keepsRecalls = space.keepsRecalls,
): Promise<spaces.StoredSpace> {
  if (space.keepsRecalls === keepsRecalls) return space
  const scope = { accountId: actor.accountId, spaceId: space.spaceId }
  await spaces.setKeepsRecalls(ctx.db, scope, keepsRecalls)
  if (!keepsRecalls) await forgetAllRecalls(ctx, scope)
  const to = keepsRecalls ? 'kept' : 'not kept'
  return recordChange(ctx, actor, { ...space, keepsRecalls }, { action: 'recalls_switched', details: { to } })
}

async function switchCounts(
  ctx: Context,
  actor: Actor,
  space: spaces.StoredSpace,
  countsTold = space.countsTold,
): Promise<spaces.StoredSpace> {
  if (space.countsTold === countsTold) return space
  const scope = { accountId: actor.accountId, spaceId: space.spaceId }
  await spaces.setCountsTold(ctx.db, scope, countsTold ? ctx.now() : null)
  const to = countsTold ? 'counted' : 'not counted'
  return recordChange(ctx, actor, { ...space, countsTold }, { action: 'counts_switched', details: { to } })
}

async function limitConversations(
  ctx: Context,
  actor: Actor,
  space: spaces.StoredSpace,
  conversationDays = space.conversationDays,
): Promise<spaces.StoredSpace> {
  if (space.conversationDays === conversationDays) return space
  const scope = { accountId: actor.accountId, spaceId: space.spaceId }
  await spaces.setConversationDays(ctx.db, scope, conversationDays)
  const details = { from: inDays(space.conversationDays), to: inDays(conversationDays) }
  const limited = { ...space, conversationDays }
  return recordChange(ctx, actor, limited, { action: 'conversation_days_changed', details })
}

const inDays = (days: number | null) => (days === null ? 'no limit' : `${days} days`)

async function renameSpace(
  inner: Context,
  actor: Actor,
  space: spaces.StoredSpace,
  name = space.name,
): Promise<spaces.StoredSpace> {
  if (space.name === name) return space
  requireFree(await spaces.listSpaceRows(inner.db, actor.accountId), name)
  const { accountId } = actor
  await spaces.updateSpaceName(inner.db, { accountId, spaceId: space.spaceId }, name)
  const details = { from: space.name, to: name }
  return recordChange(inner, actor, { ...space, name }, { action: 'space_renamed', details })
}

async function changeReview(
  inner: Context,
  actor: Actor,
  space: spaces.StoredSpace,
  { writes = space.writes, autoAcceptDays = space.autoAcceptDays, reviewers = space.reviewers }: Review,
): Promise<spaces.StoredSpace> {
  const { accountId } = actor
  const changed = { writes, autoAcceptDays, reviewers: [...new Set(reviewers)] }
  await requireMembers(inner, accountId, changed.reviewers)
  await spaces.updateReviewing(inner.db, { accountId, spaceId: space.spaceId }, changed)
  const details = { writes, autoAcceptDays: autoAcceptDays ?? 'never', reviewers: changed.reviewers.length }
  return recordChange(inner, actor, { ...space, ...changed }, { action: 'space_review_changed', details })
}

type Review = Omit<UpdateSpace, 'name' | 'keepsRecalls' | 'countsTold' | 'conversationDays'>

async function requireMembers({ db }: Context, accountId: number, userIds: readonly string[]): Promise<void> {
  const members = await spaces.listMembersAmong(db, accountId, userIds)
  if (members.length < userIds.length) throw new AppError('member_not_found', 'Member not found')
}

async function requireSpace(ctx: Context, actor: Actor, id: string): Promise<spaces.StoredSpace> {
  const space = findSpace(await listReachable(ctx, actor), id)
  if (space === undefined) throw new AppError('space_not_found', 'Space not found')
  return space
}

/**
 * Deletes a space. It cannot be found once this returns; its rows are deleted later. Its open connections are closed,
 * and apps connected to it are disconnected.
 * Throws `space_not_found`, `last_space`.
 */
export async function deleteSpace(ctx: Context, actor: Actor, id: string): Promise<void> {
  await inAccount(ctx, actor, async (inner) => {
    const { db, now } = inner
    const space = await requireSpace(inner, actor, id)
    const { spaceId } = space
    const all = await spaces.listSpaceRows(db, actor.accountId)
    if (all.length === 1) throw new AppError('last_space', 'The last space of an account cannot be deleted')
    await announceRevocation(inner, actor.accountId)
    await endConnectionsOf(inner, actor.accountId, { spaceId })
    await endSharesOf(inner, { accountId: actor.accountId, spaceId })
    await spaces.markSpaceDeleted(db, { accountId: actor.accountId, spaceId }, now())
    const { entities } = space
    await recordAudit(inner, actor, {
      action: 'space_deleted',
      subject: toSubject(space),
      details: { entities },
    })
  })
}
