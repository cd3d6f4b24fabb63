import type { Db } from '../store/db.ts'
import { lockAccount } from './auth/accounts.repo.ts'
import type { Scope } from './scope.ts'

export type KeptAnswer = { key: string; requestHash: string; status: number; headers: string; body: string }

/**
 * The response stored under one of these keys since `notBefore` (milliseconds). Locks the account, so that concurrent duplicates
 * wait for each other.
 */
export async function findIdempotencyKey(
  db: Db,
  accountId: number,
  keys: readonly string[],
  notBefore: number,
): Promise<KeptAnswer | undefined> {
  await lockAccount(db, accountId)
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['key', 'request_hash as requestHash', 'status', 'headers', 'body'])
    .where('account_id', '=', accountId)
    .where('key', 'in', keys)
    .where('created_at', '>', notBefore)
    .executeTakeFirst()
  return row
}

/** Stores a response, unless the write deleted the account. */
export async function insertIdempotencyKey(
  db: Db,
  { accountId, spaceId }: Scope,
  kept: KeptAnswer & { at: number },
): Promise<void> {
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (account === undefined) return
  await db
    .insertInto('idempotency_keys')
    .values({
      account_id: accountId,
      space_id: spaceId,
      key: kept.key,
      request_hash: kept.requestHash,
      status: kept.status,
      headers: kept.headers,
      body: kept.body,
      created_at: kept.at,
    })
    .execute()
}

export async function deleteOldIdempotencyKeys(db: Db, accountId: number, before: number): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('account_id', '=', accountId)
    .where('created_at', '<=', before)
    .execute()
}

/** Keys in order, after the key `after`, with their stored responses. */
export async function listIdempotencyKeys(
  db: Db,
  accountId: number,
  { after, limit }: { after: string; limit: number },
) {
  return db
    .selectFrom('idempotency_keys')
    .select(['key', 'body'])
    .where('account_id', '=', accountId)
    .where('key', '>', after)
    .orderBy('key')
    .limit(limit)
    .execute()
}

export async function deleteIdempotencyKey(db: Db, accountId: number, key: string): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('account_id', '=', accountId).where('key', '=', key).execute()
}
