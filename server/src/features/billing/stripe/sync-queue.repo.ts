import type { Db } from '../../../db/db.ts'

/** An account whose state at Stripe is to be read. */
export type DueSync = { accountId: number; customerId: string; tries: number }

/** Asks for a look at Stripe at once. While looks fail, the next one comes when it was due. */
export async function requestSync(db: Db, accountId: number, now: number): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ sync_due_at: now })
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('sync_tries', '=', 0), eb('sync_due_at', 'is', null)]))
    .execute()
}

/** The accounts that are due: the newest requests and the oldest, so that neither keeps the other waiting. */
export async function listDueSyncs(db: Db, now: number, limit: number): Promise<DueSync[]> {
  const due = (order: 'asc' | 'desc') =>
    db
      .selectFrom('subscriptions')
      .select(['account_id', 'customer_id', 'sync_tries'])
      .where('sync_due_at', '<=', now)
      .where('customer_id', 'is not', null)
      .orderBy('sync_due_at', order)
      .limit(Math.ceil(limit / 2))
      .execute()
  const rows = [...(await due('desc')), ...(await due('asc'))]
  const byAccount = new Map(rows.map((row) => [row.account_id, row]))
  return [...byAccount.values()].map((row) => ({
    accountId: row.account_id,
    customerId: row.customer_id ?? '',
    tries: row.sync_tries,
  }))
}

/** Sets a look that begins aside until `until`, unless another has begun. What is asked for meanwhile counts again. */
export async function claimSync(
  db: Db,
  accountId: number,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('subscriptions')
    .set({ sync_due_at: until })
    .where('account_id', '=', accountId)
    .where('sync_due_at', '<=', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A look has ended well; the next one is `next`, unless one was asked for meanwhile. */
export async function finishSync(
  db: Db,
  accountId: number,
  { claimedUntil, next }: { claimedUntil: number; next: number },
): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ sync_due_at: next })
    .where('account_id', '=', accountId)
    .where('sync_due_at', '=', claimedUntil)
    .execute()
}

/** Says that Stripe was read for the account. */
export async function markSynced(db: Db, accountId: number, at: number): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ synced_at: at, sync_tries: 0 })
    .where('account_id', '=', accountId)
    .execute()
}

export async function failSync(
  db: Db,
  accountId: number,
  { tries, next }: { tries: number; next: number },
): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ sync_tries: tries, sync_due_at: next })
    .where('account_id', '=', accountId)
    .execute()
}

/** Accounts that were never put into the queue, such as those of an earlier version. */
export async function scheduleUnsynced(db: Db, now: number): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ sync_due_at: now })
    .where('sync_due_at', 'is', null)
    .where('customer_id', 'is not', null)
    .execute()
}
