import { allPages } from '../../../ground/lib/all-pages.ts'
import type { Context } from '../../../tenancy/context.ts'
import { getPublicId, listCustomers } from '../subscriptions.repo.ts'
import { isOutOfReach } from './stripe-client.ts'
import { compareAccount, syncAccount } from './sync.ts'

const customersPerRound = 100

export type Reconciled = {
  /** How many accounts were read, and how many could not be. */
  accounts: number
  failed: number
  differed: { account: string; differences: string[] }[]
}

/**
 * Reads every account known to Stripe; stores the differences unless `dryRun` is set. Throws `billing_unavailable` if
 * Stripe is out of reach for all of them.
 */
export async function reconcile(ctx: Context, { dryRun = false }: { dryRun?: boolean }): Promise<Reconciled> {
  const result: Reconciled = { accounts: 0, failed: 0, differed: [] }
  const read = dryRun ? compareAccount : syncAccount
  const list = (last = { accountId: 0 }) => listCustomers(ctx.db, last.accountId, customersPerRound)
  for await (const customers of allPages(customersPerRound, list)) {
    for (const { accountId, customerId } of customers) {
      try {
        const differences = await read(ctx, accountId, customerId)
        result.accounts++
        if (differences.length === 0) continue
        result.differed.push({ account: await getPublicId(ctx.db, accountId), differences })
      } catch (error) {
        if (isOutOfReach(error)) throw error
        // An account that cannot be read from Stripe must not keep the others from being read.
        ctx.log.error({ err: error, accountId }, 'an account could not be read from Stripe')
        result.failed++
      }
    }
  }
  return result
}
