import type {
  BillingNotice,
  CancelSubscription,
  ChangePlan,
  ChangePreview,
  ConfirmTestCard,
  ConfirmTestCardResponse,
  CreateCheckout,
  Invoice,
  PaymentMethod,
  Plan,
  PreviewChange,
  SetupIntentResponse,
  Subscription,
} from '@loci/contract/billing'
import { freePlanId, selfHostedPlanId } from '@loci/contract/plans'
import { AppError } from '../../ground/errors/app-error.ts'
import { hourMs, secondMs } from '../../ground/lib/time.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { planInForce } from '../../tenancy/usage/plan-in-force.ts'
import { getPlan } from '../../tenancy/usage/usage.repo.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { endOfTries } from './billing.rules.ts'
import { outOfTouchNotice, parseNotices } from './billing-notices.ts'
import { findGateway, gatewayOf } from './gateway-of.ts'
import { creditOf } from './invoice-sums.ts'
import { listInvoiceRows } from './invoices.repo.ts'
import { readMarks } from './ledger/invoice-marks.ts'
import { listCards } from './payment-methods.repo.ts'
import { absolute, toPendingUpgrade } from './pending-upgrade.ts'
import { featuresOf, listOffers, requireOffer, requirePrice } from './plans-on-offer.ts'
import { recordCard } from './record-card.ts'
import { confirmCard } from './sandbox/confirm-card.ts'
import { type EndedSandbox, endSandbox } from './sandbox/end-sandbox.ts'
import { type Reconciled, reconcile } from './stripe/reconcile.ts'
import { getSubscriptionRow, type StoredSubscription } from './subscriptions.repo.ts'
import { isTestMode } from './test-mode.ts'

const toSeconds = (milliseconds: number) => Math.floor(milliseconds / secondMs)
const toSecondsOrNull = (milliseconds: number | null) =>
  milliseconds === null ? null : toSeconds(milliseconds)

/** `baseUrl` is the address of this server. */
export async function getSubscription(ctx: Context, actor: Actor, baseUrl: string): Promise<Subscription> {
  await findGateway(ctx)?.settle(ctx, actor.accountId)
  const stored = await getSubscriptionRow(ctx.db, actor.accountId)
  const plan = planInForce(ctx.config, await getPlan(ctx.db, actor.accountId))
  return {
    plan,
    status: stored.status,
    cancelAtPeriodEnd: stored.cancelAtPeriodEnd,
    currentPeriodEnd: toSecondsOrNull(stored.periodEnd),
    trialEnd: toSecondsOrNull(stored.trialEnd),
    pendingPlan: stored.pendingPlan,
    pendingUpgrade: await toPendingUpgrade(ctx, stored, baseUrl),
    pastDue: toPastDue(stored),
    ended: plan === freePlanId ? toEnded(stored) : null,
    notices: noticesOf(ctx, stored),
    features: featuresOf(plan),
    testMode: isTestMode(ctx.config),
  }
}

/** Stripe ends subscriptions by its own settings. */
function toPastDue({ status, failedPayments, nextTryAt, subscriptionId }: StoredSubscription) {
  if (status !== 'past_due') return null
  const isOurs = nextTryAt !== null && subscriptionId === null
  return {
    nextTryAt: toSecondsOrNull(nextTryAt),
    endsAt: isOurs ? toSeconds(endOfTries(failedPayments, nextTryAt)) : null,
  }
}

function toEnded({ endedPlan, endedAt, endReason }: StoredSubscription): Subscription['ended'] {
  if (endedPlan === null || endedAt === null || endReason === null) return null
  return { plan: endedPlan, at: toSeconds(endedAt), reason: endReason }
}

function noticesOf(ctx: Context, stored: StoredSubscription): BillingNotice[] {
  const atStripe = ctx.config.billing === 'stripe'
  const outOfTouch = outOfTouchNotice(stored, { atStripe, now: ctx.now() })
  return [...(outOfTouch === undefined ? [] : [outOfTouch]), ...parseNotices(stored.notices)]
}

export function listPlans(ctx: Context): Plan[] {
  return listOffers(ctx.config)
}

export async function listPaymentMethods(ctx: Context, actor: Actor): Promise<PaymentMethod[]> {
  const cards = await listCards(ctx.db, actor.accountId)
  return cards.map(({ pays, createdAt, ...card }) => card)
}

/** Newest first. `baseUrl` is the address of this server. */
export async function listInvoices(ctx: Context, actor: Actor, baseUrl: string): Promise<Invoice[]> {
  await findGateway(ctx)?.settle(ctx, actor.accountId)
  const invoices = await listInvoiceRows(ctx.db, actor.accountId)
  const marksOf = await readMarks(
    ctx,
    actor.accountId,
    invoices.map(({ id }) => id),
  )
  return invoices.map((invoice) => ({
    id: invoice.id,
    number: invoice.number,
    created: toSeconds(invoice.createdAt),
    currency: invoice.currency,
    amount: invoice.amount,
    credit: creditOf(invoice),
    ...marksOf(invoice.id),
    status: invoice.status,
    hostedInvoiceUrl: absolute(invoice.hostedUrl, baseUrl),
    invoicePdf: absolute(invoice.pdfUrl, baseUrl),
  }))
}

export async function createSetupIntent(ctx: Context, actor: Actor): Promise<SetupIntentResponse> {
  const gateway = gatewayOf(ctx)
  return {
    clientSecret: await gateway.createSetupIntent(ctx, actor.accountId, actor.userId),
    gateway: gateway.name,
    publishableKey: ctx.config.stripe?.publishableKey ?? null,
  }
}

/** The browser's part of adding a card, which at Stripe happens between the browser and Stripe. */
export async function confirmTestCard(
  ctx: Context,
  actor: Actor,
  input: ConfirmTestCard,
): Promise<ConfirmTestCardResponse> {
  if (gatewayOf(ctx).name !== 'sandbox') throw new AppError('not_found', 'There is nothing at this address')
  const answer = await confirmCard(ctx, actor.accountId, input)
  if (answer.status === 'succeeded') await recordCard(ctx, actor, 'card_added', answer.paymentMethod)
  return answer
}

export async function setDefaultPaymentMethod(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<PaymentMethod[]> {
  const gateway = gatewayOf(ctx)
  const card = await requireCard(ctx, actor, id)
  await gateway.setDefaultCard(ctx, actor.accountId, id)
  await recordCard(ctx, actor, 'default_card_changed', card)
  return listPaymentMethods(ctx, actor)
}

export async function deletePaymentMethod(ctx: Context, actor: Actor, id: string): Promise<void> {
  const gateway = gatewayOf(ctx)
  const card = await requireCard(ctx, actor, id)
  await gateway.removeCard(ctx, actor, card)
}

async function requireCard(ctx: Context, actor: Actor, id: string) {
  const cards = await listCards(ctx.db, actor.accountId)
  const card = cards.find((candidate) => candidate.id === id)
  if (card === undefined) throw new AppError('payment_method_not_found', 'Payment method not found')
  return card
}

/** Throws `price_not_found`; `billing_conflict` if the account has a paid plan already. */
export async function createCheckout(
  ctx: Context,
  actor: Actor,
  input: CreateCheckout,
  baseUrl: string,
): Promise<string> {
  const gateway = gatewayOf(ctx)
  const { id: plan } = requirePrice(ctx.config, input.priceId)
  await requireLimits(ctx, actor)
  const { successUrl, cancelUrl, priceId } = input
  const checkout = { plan, priceId, successUrl, cancelUrl, baseUrl }
  const url = await gateway.createCheckout(ctx, actor.accountId, checkout)
  await recordAudit(ctx, actor, {
    action: 'checkout_opened',
    subject: { kind: 'plan', id: plan, name: plan },
  })
  return url
}

/** Throws `billing_conflict` for an account that already has more than any paid plan. */
async function requireLimits(ctx: Context, actor: Actor): Promise<void> {
  if ((await getPlan(ctx.db, actor.accountId)) !== selfHostedPlanId) return
  throw new AppError('billing_conflict', 'This account has no limits: there is nothing to buy.')
}

/**
 * Larger plans begin immediately, smaller ones and the free one at the period's end. Throws `plan_not_found`,
 * `price_not_found`, `card_declined`, `billing_conflict`.
 */
export async function changePlan(
  ctx: Context,
  actor: Actor,
  input: ChangePlan,
  baseUrl: string,
): Promise<Subscription> {
  const gateway = gatewayOf(ctx)
  const choice = choiceOf(ctx, input.planId)
  if ((input.priceId ?? null) !== choice.priceId) {
    throw new AppError('price_not_found', 'This price does not belong to the plan')
  }
  const previewedAt = momentOfPreview(ctx, input.effectiveAt)
  await gateway.changePlan(ctx, actor.accountId, { ...choice, previewedAt })
  const { plan } = choice
  await recordAudit(ctx, actor, { action: 'plan_chosen', subject: { kind: 'plan', id: plan, name: plan } })
  return getSubscription(ctx, actor, baseUrl)
}

/** Throws `plan_not_found`. */
function choiceOf(ctx: Context, planId: string): { plan: string; priceId: string | null } {
  const { id, priceId } = requireOffer(ctx.config, planId)
  return { plan: id, priceId: id === freePlanId ? null : priceId }
}

const previewGoodForMs = hourMs

/** A change that waits for the end of the period (`effectiveAt` lies ahead) has no previewed amounts to charge. */
function momentOfPreview(ctx: Context, effectiveAt: number | undefined): number | undefined {
  if (effectiveAt === undefined || effectiveAt * secondMs > ctx.now()) return undefined
  if (effectiveAt * secondMs > ctx.now() - previewGoodForMs) return effectiveAt * secondMs
  throw new AppError('billing_conflict', 'These amounts are out of date. Review the change again.')
}

/**
 * What {@link changePlan} would charge now. Throws `plan_not_found`, `billing_conflict`; does not predict
 * `card_declined`.
 */
export async function previewChange(
  ctx: Context,
  actor: Actor,
  { planId }: PreviewChange,
): Promise<ChangePreview> {
  const gateway = gatewayOf(ctx)
  const preview = await gateway.previewChange(ctx, actor.accountId, choiceOf(ctx, planId))
  const { now, next, lines, effectiveAt } = preview
  return {
    now,
    next: next === null ? null : { amount: next.amount, at: toSeconds(next.at) },
    lines: lines.map(({ description, amount }) => ({ description, amount })),
    effectiveAt: toSeconds(effectiveAt),
  }
}

/** Throws `billing_conflict` if there is nothing to cancel. */
export async function cancelSubscription(
  ctx: Context,
  actor: Actor,
  { immediate }: CancelSubscription,
  baseUrl: string,
): Promise<Subscription> {
  await gatewayOf(ctx).cancel(ctx, actor.accountId, immediate)
  await recordAudit(ctx, actor, { action: 'subscription_canceled', details: { immediate } })
  return getSubscription(ctx, actor, baseUrl)
}

/** Throws `billing_conflict` if nothing was cancelled. */
export async function reactivateSubscription(
  ctx: Context,
  actor: Actor,
  baseUrl: string,
): Promise<Subscription> {
  await gatewayOf(ctx).reactivate(ctx, actor.accountId)
  await recordAudit(ctx, actor, { action: 'subscription_resumed' })
  return getSubscription(ctx, actor, baseUrl)
}

/**
 * Reads every account from Stripe again and returns the differences; a `dryRun` stores nothing. Throws
 * `billing_conflict` in the sandbox, which has nothing to read from.
 */
export async function reconcileBilling(
  ctx: Context,
  options: { dryRun?: boolean } = {},
): Promise<Reconciled> {
  if (findGateway(ctx)?.name === 'stripe') return reconcile(ctx, options)
  throw new AppError('billing_conflict', 'This server does not charge through Stripe.')
}

/** Ends the plans that the sandbox granted. Throws `billing_conflict` unless the server has moved to Stripe. */
export async function endSandboxPlans(ctx: Context, options: { dryRun?: boolean }): Promise<EndedSandbox[]> {
  if (ctx.config.billing === 'stripe') return endSandbox(ctx, options)
  throw new AppError(
    'billing_conflict',
    'This is for a server that has moved to Stripe: set LOCI_BILLING=stripe.',
  )
}

/**
 * Redirects receipts and reminders to an account's new owner. Returns false if Stripe could not be reached: they then
 * go to the previous owner until somebody changes that in its portal.
 */
export async function tellGatewayOfOwner(ctx: Context, accountId: number): Promise<boolean> {
  try {
    await findGateway(ctx)?.tellOwner(ctx, accountId)
    return true
  } catch (error) {
    ctx.log.warn({ err: error, account: accountId }, 'the payment provider does not know the new owner yet')
    return false
  }
}

/**
 * Ends everything that would keep costing money, before an account is deleted. Throws `billing_unavailable` if Stripe
 * charges the account and cannot be reached.
 */
export async function closeBilling(ctx: Context, accountId: number): Promise<void> {
  const gateway = findGateway(ctx)
  const { subscriptionId } = await getSubscriptionRow(ctx.db, accountId)
  if (subscriptionId !== null && gateway?.name !== 'stripe') {
    const message = 'Stripe charges for this account, and this server is not set up to end that.'
    throw new AppError('billing_unavailable', message)
  }
  await gateway?.close(ctx, accountId)
}
