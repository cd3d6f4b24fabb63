import { lockAccount } from '../../../auth/accounts.repo.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/db.ts'
import { transact } from '../../../db/transact.ts'
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
import { tellOwner } from '../tell-owner.ts'
import { payWith } from './pay-with.ts'
import { readStripe, type StripeState } from './read-stripe.ts'

const customersPerRound = 100

/**
 * Makes our tables what Stripe has now. What an event or an answer says is never copied: whatever order they come in,
 * the state is read anew. Of several at once the one that began last counts, since it read last.
 */
export async function syncAccount(ctx: Context, accountId: number, customerId: string): Promise<void> {
  const turn = await transact(ctx, ({ db }) => beginSync(db, accountId))
  const state = await readWithDefaultCard(ctx, customerId)
  await transact(ctx, async (inner) => {
    await lockAccount(inner.db, accountId)
    if (!(await endSync(inner.db, accountId, turn))) return
    await tellOwner(inner, accountId, () => storeState(inner.db, accountId, state))
  })
}

async function storeState(db: Db, accountId: number, state: StripeState): Promise<void> {
  const before = await getSubscription(db, accountId)
  const { trialEnd, ...subscription } = state.subscription
  await saveSubscription(db, { ...before, ...subscription, trialEnd: trialEnd ?? before.trialEnd })
  if (before.plan !== subscription.plan) await setAccountPlan(db, accountId, subscription.plan)
  await replaceCards(db, accountId, state.cards)
  for (const invoice of state.invoices) await saveInvoice(db, accountId, invoice)
}

/**
 * Stripe charges no card that is not the default, and makes none the default by itself: without this a trial would end
 * for want of a card although there is one. As in the sandbox, the newest takes over.
 */
async function readWithDefaultCard(ctx: Context, customerId: string): Promise<StripeState> {
  const state = await readStripe(ctx, customerId)
  const newest = state.cards.at(-1)
  if (newest === undefined || state.cards.some((card) => card.isDefault)) return state
  await payWith(ctx, customerId, state.subscription, newest.id)
  return readStripe(ctx, customerId)
}

/** Syncs every account that is known to Stripe. For when events were lost. */
export async function reconcile(ctx: Context): Promise<{ accounts: number; failed: number }> {
  const result = { accounts: 0, failed: 0 }
  for (let after = 0; ; ) {
    const customers = await listCustomers(ctx.db, after, customersPerRound)
    for (const { accountId, customerId } of customers) {
      try {
        await syncAccount(ctx, accountId, customerId)
        result.accounts++
      } catch (error) {
        // One account that Stripe cannot tell about must not keep the others from being read.
        ctx.log.error({ err: error, accountId }, 'an account could not be read from Stripe')
        result.failed++
      }
    }
    if (customers.length < customersPerRound) return result
    after = customers.at(-1)!.accountId
  }
}
