import { expect } from 'vitest'
import { claimMs, createSyncPool } from '../src/features/billing/stripe/sync-pool.ts'
import type { Context } from '../src/tenancy/context.ts'

/** Runs the syncs with Stripe that are due, until none is left. */
export async function runDueSyncs(ctx: Context): Promise<void> {
  const pool = createSyncPool(ctx, { mayStart: () => true, onEnd: () => {} })
  while ((await pool.startDue()) > 0) await pool.settled()
}

/** Runs them, and waits for those that the server itself has begun. */
export async function followStripe(ctx: Context): Promise<void> {
  await runDueSyncs(ctx)
  const underWay = ctx.db
    .selectFrom('subscriptions')
    .select(['account_id', 'sync_due_at', 'sync_tries'])
    .where('customer_id', 'is not', null)
    .where((eb) => eb.or([eb('sync_due_at', '<=', ctx.now()), eb('sync_due_at', '=', ctx.now() + claimMs)]))
  await expect.poll(() => underWay.execute(), { timeout: 10_000 }).toEqual([])
}
