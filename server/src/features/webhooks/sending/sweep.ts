import { unlimited } from '@loci/contract/plans'
import { transact } from '../../../store/transact.ts'
import type { Context } from '../../../tenancy/context.ts'
import { type Lease, LeaseLost } from '../../../tenancy/leases/lease.ts'
import { limitsInForce } from '../../../tenancy/usage/plan-in-force.ts'
import * as deliveries from '../deliveries.repo.ts'
import { disableOverPlan } from './disable.ts'
import { deliveriesKept, deliveriesKeptMs } from './recorder.ts'
import { deleteWebhookRow, listActive, listDeletedWebhooks } from './targets.repo.ts'

const webhooksPerPage = 100
const deletedPerRound = 10
const rowsPerSlice = 500

/** Runs `work` in a transaction that holds the lease. Throws {@link LeaseLost}. */
async function underLease<T>(ctx: Context, lease: Lease, work: (inner: Context) => Promise<T>): Promise<T> {
  return transact(ctx, async (inner) => {
    if (!(await lease.hold(inner.db))) throw new LeaseLost()
    return work(inner)
  })
}

/** Deletes the rows of deleted endpoints, in batches. `isSending` tells which endpoints are still in use. */
export async function removeDeleted(
  ctx: Context,
  lease: Lease,
  isSending: (id: string) => boolean,
): Promise<void> {
  for (const webhook of await listDeletedWebhooks(ctx.db, deletedPerRound)) {
    if (isSending(webhook.id)) continue
    let deleted = rowsPerSlice
    while (deleted === rowsPerSlice) {
      deleted = await underLease(ctx, lease, ({ db }) =>
        deliveries.deleteSomeDeliveries(db, webhook, rowsPerSlice),
      )
    }
    await underLease(ctx, lease, ({ db }) => deleteWebhookRow(db, webhook))
  }
}

/** Deletes old deliveries, and disables the newest endpoints of accounts that have more than their plan allows. */
export async function sweepWebhooks(ctx: Context, lease: Lease): Promise<void> {
  let after = { accountId: 0, id: '' }
  let active = 0
  for (;;) {
    const page = await listActive(ctx.db, after, webhooksPerPage)
    for (const webhook of page) {
      active = webhook.accountId === after.accountId ? active + 1 : 1
      after = webhook
      const limit = limitsInForce(ctx.config, webhook.plan).maxWebhooks
      await underLease(ctx, lease, async (inner) => {
        const { db, now } = inner
        const since = now() - deliveriesKeptMs
        await deliveries.trimDeliveries(db, webhook, { kept: deliveriesKept, since })
        if (limit === unlimited || active <= limit) return
        await disableOverPlan(inner, webhook, limit)
        await deliveries.failWaiting(db, webhook)
        await deliveries.renewRetryAt(db, webhook)
      })
    }
    if (page.length < webhooksPerPage) return
  }
}
