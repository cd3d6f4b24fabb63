import { crc32 } from 'node:zlib'
import { freePlanId, selfHostedPlanId } from '@loci/contract/plans'
import { indexVersion } from '../../search/store/search-index.repo.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { defaultSpaceId, defaultSpaceName } from '../../tenancy/scope.ts'

/** Range of an account's first number, so that ids of one account rarely exist in another. */
const firstNumbers = 2 ** 22

/** Inserts an account with an empty graph; returns its number. */
export async function insertAccount(
  db: Db,
  account: { id: string; plan: string; unclaimed: boolean; createdAt: number },
): Promise<number> {
  const { account_id } = await db
    .insertInto('accounts')
    .values({
      id: account.id,
      plan: account.plan,
      unclaimed: account.unclaimed ? 1 : 0,
      local: account.unclaimed ? 1 : 0,
      created_at: account.createdAt,
      next_id: 1 + (crc32(account.id) % firstNumbers),
      next_space_id: defaultSpaceId + 1,
      next_actor_id: 1,
      revocations: 0,
      entities: 0,
      bytes: 0,
    })
    .returning('account_id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('spaces')
    .values({
      account_id,
      space_id: defaultSpaceId,
      name: defaultSpaceName,
      created_at: account.createdAt,
      entities: 0,
      relations: 0,
      observations: 0,
      seq: 0,
      passages: 0,
      length: 0,
      index_version: indexVersion,
    })
    .execute()
  return account_id
}

/** An account for memory without an owner, or one that a person has claimed. */
export type LocalAccount = { accountId: number; id: string; isUnclaimed: boolean; isEmpty: boolean }

/** The account used by processes on this machine without a key, if there is one. */
export async function findLocalAccount(db: Db): Promise<LocalAccount | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select(['account_id', 'id', 'unclaimed', 'entities', 'conversation_bytes'])
    .where('local', '=', 1)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { account_id: accountId, id } = row
  const isEmpty = row.entities === 0 && row.conversation_bytes === 0
  return { accountId, id, isUnclaimed: row.unclaimed === 1, isEmpty }
}

/**
 * Marks the ownerless account as claimed; its memory stays without limits. False if it was claimed before.
 */
export async function markClaimed(db: Db, accountId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ unclaimed: 0, plan: selfHostedPlanId })
    .where('account_id', '=', accountId)
    .where('unclaimed', '=', 1)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Removes the limits of an account that claimed memory, unless it pays for a plan. */
export async function liftLimits(db: Db, accountId: number): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ plan: selfHostedPlanId })
    .where('account_id', '=', accountId)
    .where('plan', '=', freePlanId)
    .execute()
}

/** Makes processes on this machine without a key use this account. */
export async function makeLocal(db: Db, accountId: number): Promise<void> {
  await db.updateTable('accounts').set({ local: 1 }).where('account_id', '=', accountId).execute()
}

/** Account numbers, oldest first, at most `limit`. */
export async function listAccountIds(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('account_id')
    .where('deleted_at', 'is', null)
    .orderBy('account_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.account_id)
}

export async function setAccountName(db: Db, accountId: number, name: string): Promise<void> {
  await db.updateTable('accounts').set({ name }).where('account_id', '=', accountId).execute()
}

/** Once marked, the account cannot be written to. */
export async function markAccountDeleted(db: Db, accountId: number, at: number): Promise<void> {
  await db.updateTable('accounts').set({ deleted_at: at }).where('account_id', '=', accountId).execute()
}

/** Accounts being deleted, after `after`; of these if some are given. */
export async function listDeletedAccounts(
  db: Db,
  after: number,
  limit: number,
  accountIds?: readonly number[],
) {
  return db
    .selectFrom('accounts')
    .select('account_id as accountId')
    .where('deleted_at', 'is not', null)
    .where('account_id', '>', after)
    .$if(accountIds !== undefined, (query) =>
      query.where(dialectOf(db).isOneOfNumbers('account_id', accountIds!)),
    )
    .orderBy('account_id')
    .limit(limit)
    .execute()
}

/** Locks the row of an account being deleted; false if it is already gone. */
export async function lockDeletedAccount(db: Db, accountId: number): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is not', null)
    .modifyEnd(dialectOf(db).forUpdate)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteAccountRow(db: Db, accountId: number): Promise<void> {
  await db.deleteFrom('accounts').where('account_id', '=', accountId).execute()
}

/** Accounts after the account `after`, oldest first. */
export async function listAccountRows(db: Db, after: number, limit: number) {
  return db
    .selectFrom('accounts')
    .select([
      'account_id as accountId',
      'id',
      'plan',
      'entities',
      'bytes as storedBytes',
      'created_at as createdAt',
    ])
    .where('account_id', '>', after)
    .where('deleted_at', 'is', null)
    .orderBy('account_id')
    .limit(limit)
    .execute()
}

/** Sets whether every member of an account needs a second factor. */
export async function setSecondFactorRequired(db: Db, accountId: number, required: boolean): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ second_factor_required: required ? 1 : 0 })
    .where('account_id', '=', accountId)
    .execute()
}
