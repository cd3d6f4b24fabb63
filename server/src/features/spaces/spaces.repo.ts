import type { WritePolicy } from '@loci/contract/write-policy'
import { indexVersion } from '../../search/store/search-index.repo.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { readPolicy, readReviewers, writePolicy } from '../../tenancy/auth/write-policy.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

export type StoredSpace = {
  spaceId: number
  name: string
  entities: number
  relations: number
  observations: number
  createdAt: number
  keepsRecalls: boolean
  countsTold: boolean
  writes: WritePolicy
  autoAcceptDays: number | null
  reviewers: string[]
  conversationDays: number | null
}

const listedMax = 1_000

const spacesOf = (db: Db, accountId: number) =>
  db
    .selectFrom('spaces')
    .select(['space_id as spaceId', 'name', 'entities', 'relations', 'observations'])
    .select(['created_at as createdAt', 'keeps_recalls', 'counts_told_since'])
    .select(['writes', 'reviewers', 'auto_accept_days as autoAcceptDays'])
    .select('conversation_days as conversationDays')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)

/** Oldest first, without those being deleted. */
export async function listSpaceRows(db: Db, accountId: number): Promise<StoredSpace[]> {
  const rows = await spacesOf(db, accountId).orderBy('space_id').limit(listedMax).execute()
  return rows.map(({ writes, reviewers, keeps_recalls, counts_told_since, ...row }) => ({
    ...row,
    keepsRecalls: keeps_recalls === 1,
    countsTold: counts_told_since !== null,
    writes: readPolicy(writes),
    reviewers: readReviewers(reviewers),
  }))
}

/** Inserts an empty space; returns its number. The caller must hold the account's lock. */
export async function insertSpace(
  db: Db,
  accountId: number,
  space: { name: string; createdAt: number },
): Promise<number> {
  const { next } = await db
    .updateTable('accounts')
    .set((eb) => ({ next_space_id: eb('next_space_id', '+', 1) }))
    .where('account_id', '=', accountId)
    .returning('next_space_id as next')
    .executeTakeFirstOrThrow()
  const spaceId = next - 1
  await db
    .insertInto('spaces')
    .values({
      account_id: accountId,
      space_id: spaceId,
      name: space.name,
      created_at: space.createdAt,
      entities: 0,
      relations: 0,
      observations: 0,
      seq: 0,
      index_version: indexVersion,
    })
    .execute()
  return spaceId
}

const rowOf = (db: Db, scope: Scope) => db.updateTable('spaces').where(isIn(scope))

export async function updateSpaceName(db: Db, scope: Scope, name: string): Promise<void> {
  await rowOf(db, scope).set({ name }).execute()
}

export async function setKeepsRecalls(db: Db, scope: Scope, keepsRecalls: boolean): Promise<void> {
  await rowOf(db, scope)
    .set({ keeps_recalls: keepsRecalls ? 1 : 0 })
    .execute()
}

/** Begins to count which facts are told, at a time; null ends it and forgets the counts. */
export async function setCountsTold(db: Db, scope: Scope, since: number | null): Promise<void> {
  await rowOf(db, scope).set({ counts_told_since: since }).execute()
  if (since !== null) return
  await db.deleteFrom('told_facts').where(isIn(scope)).execute()
}

export async function setConversationDays(db: Db, scope: Scope, days: number | null): Promise<void> {
  await rowOf(db, scope).set({ conversation_days: days }).execute()
}

/** Those of these users who are members. */
export async function listMembersAmong(
  db: Db,
  accountId: number,
  userIds: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('members')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where(dialectOf(db).isOneOf('user_id', userIds))
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** What is reviewed in a space, and by whom. */
export type Reviewing = Pick<StoredSpace, 'writes' | 'autoAcceptDays' | 'reviewers'>

export async function updateReviewing(db: Db, scope: Scope, reviewing: Reviewing): Promise<void> {
  const { writes, autoAcceptDays, reviewers } = reviewing
  await rowOf(db, scope)
    .set({
      writes: writePolicy(writes),
      auto_accept_days: autoAcceptDays,
      reviewers: reviewers.length === 0 ? null : JSON.stringify(reviewers),
    })
    .execute()
}

/** Makes a space unfindable and frees its name: the new name begins with a space, which no real name does. */
export async function markSpaceDeleted(db: Db, scope: Scope, at: number): Promise<void> {
  await rowOf(db, scope)
    .set({ name: ` ${scope.spaceId}`, deleted_at: at })
    .execute()
}

/** Spaces being deleted, after `after`, in accounts that exist; of these accounts if some are given. */
export async function listDeletedSpaces(
  db: Db,
  after: Scope,
  limit: number,
  accountIds?: readonly number[],
): Promise<Scope[]> {
  return db
    .selectFrom('spaces')
    .innerJoin('accounts', 'accounts.account_id', 'spaces.account_id')
    .select(['spaces.account_id as accountId', 'spaces.space_id as spaceId'])
    .where('spaces.deleted_at', 'is not', null)
    .where('accounts.deleted_at', 'is', null)
    .where((eb) =>
      eb(eb.refTuple('spaces.account_id', 'spaces.space_id'), '>', eb.tuple(after.accountId, after.spaceId)),
    )
    .$if(accountIds !== undefined, (query) =>
      query.where(dialectOf(db).isOneOfNumbers('spaces.account_id', accountIds!)),
    )
    .orderBy('spaces.account_id')
    .orderBy('spaces.space_id')
    .limit(limit)
    .execute()
}

/** Locks the row of a space; false if it is already gone. */
export async function lockDeletedSpace(db: Db, scope: Scope): Promise<boolean> {
  const row = await db
    .selectFrom('spaces')
    .select('space_id')
    .where(isIn(scope))
    .where('deleted_at', 'is not', null)
    .modifyEnd(dialectOf(db).forUpdate)
    .executeTakeFirst()
  return row !== undefined
}
