import { createSyncPool } from '../src/features/billing/stripe/sync-pool.ts'
import type { Context } from '../src/tenancy/context.ts'

/** Runs the syncs with Stripe that are due, until none is left. */
export async function runDueSyncs(ctx: Context): Promise<void> {
  const pool = createSyncPool(ctx, { mayStart: async () => true, onEnd: () => {} })
  while ((await pool.startDue()) > 0) await pool.settled()
}
