import { dayMs, hourMs } from '../../../ground/lib/time.ts'
import type { Context } from '../../../tenancy/context.ts'
import { draftInvoice } from '../billing.rules.ts'
import { listInvoiceRows, saveInvoice } from '../invoices.repo.ts'
import { planChange, type Running } from '../plan-change.rules.ts'
import type { PendingUpgrade, StoredSubscription } from '../subscriptions.repo.ts'
import { chargeCard, newInvoice } from './invoicing.ts'

/** As at Stripe. */
const confirmWithinMs = dayMs - hourMs

type Waiting = StoredSubscription & { pendingUpgrade: PendingUpgrade }

/**
 * Undefined if the default card can be charged at once. Otherwise the upgrade waits, as an open invoice, until the bank's
 * question is answered; credit stays untouched until then.
 */
export async function holdUpgrade(
  ctx: Context,
  subscription: Running,
  { plan, at }: { plan: string; at: number },
  now: number,
): Promise<StoredSubscription | undefined> {
  const { accountId, credit, periodEnd, invoicesMade } = subscription
  const change = planChange(subscription, plan, at)
  const draft = draftInvoice(change.lines, credit)
  const charge = await chargeCard(ctx, accountId, draft.due, now)
  if (charge.paid || charge.wantsConfirmation !== true) return undefined
  const invoice = await newInvoice(ctx, subscription, now)
  await saveInvoice(ctx.db, accountId, { ...invoice, amount: draft.due, lines: draft.lines })
  const expiresAt = Math.min(now + confirmWithinMs, periodEnd)
  const pendingUpgrade = { plan, invoiceId: invoice.id, expiresAt, at }
  return { ...subscription, invoicesMade: invoicesMade + 1, pendingUpgrade, nextStepAt: expiresAt }
}

/** The invoice is no longer due, and nothing has changed. */
export async function lapseUpgrade<T extends StoredSubscription>(ctx: Context, subscription: T): Promise<T> {
  const { accountId, pendingUpgrade, periodEnd } = subscription
  if (pendingUpgrade === null) return subscription
  const invoice = await findInvoice(ctx, accountId, pendingUpgrade)
  if (invoice !== undefined) {
    // Its credit was never used.
    const lines = invoice.lines.filter(({ kind }) => kind !== 'balance')
    await saveInvoice(ctx.db, accountId, { ...invoice, lines, status: 'void' })
  }
  return { ...subscription, pendingUpgrade: null, nextStepAt: periodEnd }
}

/** Pays the invoice after the bank's question, and begins the plan. Undefined if the card is declined. */
export async function completeUpgrade(
  ctx: Context,
  subscription: Waiting & Running,
  now: number,
): Promise<StoredSubscription | undefined> {
  const { accountId, pendingUpgrade, periodEnd, credit } = subscription
  const invoice = await findInvoice(ctx, accountId, pendingUpgrade)
  if (invoice === undefined) return undefined
  const charge = await chargeCard(ctx, accountId, invoice.amount, now, 'present')
  if (!charge.paid) return undefined
  const before = { ...subscription, pendingUpgrade: null, nextStepAt: periodEnd }
  const { after, lines } = planChange(before, pendingUpgrade.plan, pendingUpgrade.at ?? now)
  const draft = draftInvoice(lines, credit)
  await saveInvoice(ctx.db, accountId, { ...invoice, status: 'paid', paidWith: charge.paidWith, paidAt: now })
  return { ...after, credit: draft.credit }
}

async function findInvoice({ db }: Context, accountId: number, { invoiceId }: PendingUpgrade) {
  return (await listInvoiceRows(db, accountId)).find(({ id }) => id === invoiceId)
}
