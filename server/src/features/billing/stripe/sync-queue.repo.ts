import { countFound } from '../../../store/count-found.ts'
import type { Db } from '../../../store/db.ts'

/** An account due to be read from Stripe. */
export type DueSync = { accountId: number; customerId: string; tries: number }

/** Requests a sync with Stripe now. While syncs fail, the next retry keeps its time. */
export async function requestSync(db: Db, accountId: number, now: number): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ sync_due_at: now })
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('sync_tries', '=', 0), eb('sync_due_at', 'is', null)]))
    .execute()
}

/** The accounts that are due, taking the newest and the oldest requests so that neither starves. */
export async function listDueSyncs(db: Db, now: number, limit: number): Promise<DueSync[]> {
  const due = (order: 'asc' | 'desc') =>
    db
      .selectFrom('subscriptions')
      .select(['account_id', 'customer_id', 'sync_tries'])
      .where('sync_due_at', '<=', now)
      .where('customer_id', 'is not', null)
      .orderBy('sync_due_at', order)
      .limit(Math.ceil(limit / 2))
  const oldest = db.selectFrom(due('asc').as('oldest')).selectAll()
  const rows = await db.selectFrom(due('desc').as('newest')).selectAll().unionAll(oldest).execute()
  const byAccount = new Map(rows.map((row) => [row.account_id, row]))
  return [...byAccount.values()].map((row) => ({
    accountId: row.account_id,
    customerId: row.customer_id ?? '',
    tries: row.sync_tries,
  }))
}

/** Claims a sync until `until`, unless another process has. Requests that arrive meanwhile are kept. */
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

/** Records a successful sync; the next one is at `next`, unless one was requested meanwhile. */
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

/** Records that Stripe was read for the account. */
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

/** Schedules accounts with a new customer, in case the event of its first checkout is lost. */
export async function scheduleUnsynced(db: Db, now: number): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ sync_due_at: now })
    .where('sync_due_at', 'is', null)
    .where('customer_id', 'is not', null)
    .execute()
}

const periodsCountedMax = 1_000

/** Number of subscriptions at Stripe whose current period began after `after` and not after `until`, up to 1,000. */
export async function countStartedPeriods(
  db: Db,
  { after, until }: { after: number; until: number },
): Promise<number> {
  const started = db
    .selectFrom('subscriptions')
    .select('account_id')
    // Only accounts that Stripe knows have one, so its index finds them.
    .where('sync_due_at', 'is not', null)
    .where('subscription_id', 'is not', null)
    .where('period_start', '>', after)
    .where('period_start', '<=', until)
    .limit(periodsCountedMax)
    .as('started')
  return countFound(db.selectFrom(started))
}
