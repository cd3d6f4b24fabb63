import { lockAccount } from '../../../auth/accounts.repo.ts'
import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { listInvoices, saveInvoice } from '../invoices.repo.ts'
import { listCards, replaceCards } from '../payment-methods.repo.ts'
import { setPlan } from '../set-plan.ts'
import {
  beginSync,
  endSync,
  getSubscription,
  type StoredSubscription,
  saveSubscription,
} from '../subscriptions.repo.ts'
import { tellOwner } from '../tell-owner.ts'
import { differencesTo } from './differences.ts'
import { payWith } from './pay-with.ts'
import { readStripe, type StripeState } from './read-stripe.ts'
import { markSynced } from './sync-queue.repo.ts'

/**
 * Makes our tables what Stripe has now, and says what differed. What an event or an answer says is never copied: whatever
 * order they come in, the state is read anew. Of several at once the one that began last counts, since it read last.
 */
export async function syncAccount(ctx: Context, accountId: number, customerId: string): Promise<string[]> {
  const turn = await transact(ctx, ({ db }) => beginSync(db, accountId))
  const known = await getSubscription(ctx.db, accountId)
  const state = await readWithDefaultCard(ctx, customerId, known)
  return transact(ctx, async (inner) => {
    const { db } = inner
    await lockAccount(db, accountId)
    if (!(await endSync(db, accountId, turn))) return []
    const differences = await differencesOf(inner, accountId, state)
    await tellOwner(inner, accountId, () => storeState(inner, accountId, state))
    return differences
  })
}

async function storeState(ctx: Context, accountId: number, state: StripeState): Promise<void> {
  const { db, now } = ctx
  const before = await getSubscription(db, accountId)
  const { trialEnd, ...subscription } = state.subscription
  await markSynced(db, accountId, now())
  await replaceCards(db, accountId, state.cards)
  for (const invoice of state.invoices) await saveInvoice(db, accountId, invoice)
  // A plan of the sandbox goes on to the end of its period.
  if (subscription.subscriptionId === null && isOfSandbox(before)) return
  await saveSubscription(db, { ...before, ...subscription, trialEnd: trialEnd ?? before.trialEnd })
  const change = { from: before.plan, to: subscription.plan }
  if (change.from !== change.to) await setPlan(ctx, accountId, change)
}

/** What a look would change. Nothing is changed, here or at Stripe. */
export async function compareAccount(ctx: Context, accountId: number, customerId: string): Promise<string[]> {
  const known = await getSubscription(ctx.db, accountId)
  return differencesOf(ctx, accountId, await readStripe(ctx, customerId, known))
}

async function differencesOf({ db }: Context, accountId: number, state: StripeState): Promise<string[]> {
  const subscription = await getSubscription(db, accountId)
  const cards = await listCards(db, accountId)
  return differencesTo(state, { subscription, cards, invoices: await listInvoices(db, accountId) })
}

const isOfSandbox = ({ subscriptionId, periodEnd }: StoredSubscription) =>
  subscriptionId === null && periodEnd !== null

/**
 * Stripe charges no card that is not the default, and makes none the default by itself: without this a trial would end
 * for want of a card although there is one. As in the sandbox, the newest takes over.
 */
async function readWithDefaultCard(
  ctx: Context,
  customerId: string,
  known: StoredSubscription,
): Promise<StripeState> {
  const state = await readStripe(ctx, customerId, known)
  const newest = state.cards.at(-1)
  if (newest === undefined || state.cards.some((card) => card.isDefault)) return state
  await payWith(ctx, customerId, state.subscription, newest.id)
  return readStripe(ctx, customerId, known)
}
