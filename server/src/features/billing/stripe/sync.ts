import { transact } from '../../../store/transact.ts'
import { lockAccount } from '../../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../../tenancy/auth/actor.ts'
import type { Context } from '../../../tenancy/context.ts'
import { listInvoiceRows, saveInvoice } from '../invoices.repo.ts'
import { differencesIn } from '../ledger/controls.ts'
import { listAllEntries } from '../ledger/ledger.repo.ts'
import { postFacts } from '../ledger/post-facts.ts'
import { recordCheck } from '../ledger/record-check.ts'
import { listCards, replaceCards } from '../payment-methods.repo.ts'
import { setPlan } from '../set-plan.ts'
import {
  beginSync,
  endSync,
  getSubscriptionRow,
  type StoredSubscription,
  saveSubscription,
} from '../subscriptions.repo.ts'
import { tellOfDisputes } from '../tell-of-disputes.ts'
import { tellOwner } from '../tell-owner.ts'
import { endDisputed, keep } from './change-plan.ts'
import { findCardAuthors, recordChangedCards } from './changed-cards.ts'
import { differencesTo } from './differences.ts'
import { payWith } from './pay-with.ts'
import { noMoney } from './read-money.ts'
import { readStripe, type StripeState } from './read-stripe.ts'
import { callStripe } from './stripe-client.ts'
import { markSynced } from './sync-queue.repo.ts'

/**
 * Copies the account's state at Stripe into our tables and returns the differences. The content of events and responses
 * is never copied: the state is always read from scratch, so their order does not matter. If two syncs overlap, the one
 * that started last wins, since it read last. `actor` is the person whose call caused the sync.
 */
export async function syncAccount(
  ctx: Context,
  accountId: number,
  customerId: string,
  actor?: Actor,
): Promise<string[]> {
  const sync = await transact(ctx, ({ db }) => beginSync(db, accountId))
  const known = await getSubscriptionRow(ctx.db, accountId)
  const state = await readSettled(ctx, customerId, known)
  const authors = await findCardAuthors(ctx, accountId, state.cards)
  return transact(ctx, async (inner) => {
    const { db } = inner
    await lockAccount(db, accountId)
    if (!(await endSync(db, accountId, sync))) return []
    const differences = await differencesOf(inner, accountId, state)
    await recordChangedCards(inner, accountId, state.cards, { authors, actor })
    await tellOwner(inner, accountId, () => storeState(inner, accountId, state))
    return [...differences, ...(await keepBooks(inner, accountId, state))]
  })
}

async function storeState(ctx: Context, accountId: number, state: StripeState): Promise<void> {
  const { db, now } = ctx
  const before = await getSubscriptionRow(db, accountId)
  const { trialEnd, ...subscription } = state.subscription
  await markSynced(db, accountId, now())
  await replaceCards(db, accountId, state.cards)
  for (const invoice of state.invoices) await saveInvoice(db, accountId, invoice)
  // A sandbox plan continues to the end of its period.
  if (subscription.subscriptionId === null && isOfSandbox(before)) return
  await saveSubscription(db, { ...before, ...subscription, trialEnd: trialEnd ?? before.trialEnd })
  const change = { from: before.plan, to: subscription.plan }
  if (change.from !== change.to) await setPlan(ctx, accountId, change)
}

/** Enters what Stripe says of the account's money, and returns where its books differ from Stripe's own sums. */
async function keepBooks(ctx: Context, accountId: number, { money }: StripeState): Promise<string[]> {
  if (money === noMoney) return []
  const { entries, added } = await postFacts(ctx, accountId, money.facts)
  await tellOfDisputes(ctx, accountId, added)
  return (await recordCheck(ctx, accountId, { entries, controls: money.controls })).differences
}

/** Returns what a sync would change, without changing anything here or at Stripe. */
export async function compareAccount(ctx: Context, accountId: number, customerId: string): Promise<string[]> {
  const known = await getSubscriptionRow(ctx.db, accountId)
  const state = await readStripe(ctx, customerId, known)
  const entries = await listAllEntries(ctx.db, accountId)
  return [...(await differencesOf(ctx, accountId, state)), ...differencesIn(entries, state.money.controls)]
}

async function differencesOf({ db }: Context, accountId: number, state: StripeState): Promise<string[]> {
  const subscription = await getSubscriptionRow(db, accountId)
  const cards = await listCards(db, accountId)
  return differencesTo(state, { subscription, cards, invoices: await listInvoiceRows(db, accountId) })
}

const isOfSandbox = ({ subscriptionId, periodEnd }: StoredSubscription) =>
  subscriptionId === null && periodEnd !== null

/** True if the operator wants a disputed payment to end the plan, and one has been disputed since the plan began. */
function isEndedByDispute({ config }: Context, { money, startedAt }: StripeState): boolean {
  if (!config.disputeEndsPlan || startedAt === null) return false
  return money.facts.disputes.some(
    ({ amount, at, outcome }) => amount > 0 && at >= startedAt && outcome?.won !== true,
  )
}

/**
 * The state once its consequences are drawn: a dispute may end the plan, and an upgrade that was confirmed only now ends
 * a planned end and a planned downgrade, as any other does.
 */
async function readSettled(
  ctx: Context,
  customerId: string,
  known: StoredSubscription,
): Promise<StripeState> {
  const state = await readWithDefaultCard(ctx, customerId, known)
  const { plan, subscriptionId, cancelAtPeriodEnd, pendingPlan } = state.subscription
  if (subscriptionId !== null && isEndedByDispute(ctx, state)) {
    await callStripe(ctx, (stripe) => endDisputed(stripe, subscriptionId))
    return readStripe(ctx, customerId, known)
  }
  const isConfirmed = known.pendingUpgrade?.plan === plan && known.plan !== plan
  if (!isConfirmed || subscriptionId === null || !(cancelAtPeriodEnd || pendingPlan !== null)) return state
  await callStripe(ctx, async (stripe) => keep(stripe, await stripe.subscriptions.retrieve(subscriptionId)))
  return readStripe(ctx, customerId, known)
}

/**
 * Stripe charges only the default card, and does not choose one itself: without this a trial would end for lack of a
 * card although there is one. As in the sandbox, the newest takes over.
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
