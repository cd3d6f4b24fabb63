import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { lockAccount } from '../../../graph/counters.repo.ts'
import { saveInvoice } from '../invoices.repo.ts'
import { replaceCards } from '../payment-methods.repo.ts'
import {
  beginSync,
  endSync,
  getSubscription,
  listCustomers,
  saveSubscription,
  setAccountPlan,
} from '../subscriptions.repo.ts'
import { readStripe } from './read-stripe.ts'

const customersPerRound = 100

/**
 * Makes our tables what Stripe has now. What an event or an answer says is never copied: whatever order they come in,
 * the state is read anew. Of several at once the one that began last counts, since it read last.
 */
export async function syncAccount(ctx: Context, accountId: string, customerId: string): Promise<void> {
  const turn = await transact(ctx, ({ db }) => beginSync(db, accountId))
  const state = await readStripe(ctx, customerId)
  await transact(ctx, async ({ db, dialect }) => {
    await lockAccount(db, dialect, accountId)
    if (!(await endSync(db, accountId, turn))) return
    const before = await getSubscription(db, accountId)
    const { trialEnd, ...subscription } = state.subscription
    await saveSubscription(db, { ...before, ...subscription, trialEnd: trialEnd ?? before.trialEnd })
    if (before.plan !== subscription.plan) await setAccountPlan(db, accountId, subscription.plan)
    await replaceCards(db, accountId, state.cards)
    for (const invoice of state.invoices) await saveInvoice(db, accountId, invoice)
  })
}

/** Syncs every account that is known to Stripe; answers how many. For when events were lost. */
export async function reconcile(ctx: Context): Promise<number> {
  let count = 0
  for (let after = ''; ; ) {
    const customers = await listCustomers(ctx.db, after, customersPerRound)
    for (const { accountId, customerId } of customers) await syncAccount(ctx, accountId, customerId)
    count += customers.length
    if (customers.length < customersPerRound) return count
    after = customers.at(-1)!.accountId
  }
}
