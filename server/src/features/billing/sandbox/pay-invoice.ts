import { AppError } from '../../../ground/errors/app-error.ts'
import type { Context } from '../../../tenancy/context.ts'
import { toWholeSeconds } from '../billing.rules.ts'
import { findOpenInvoice, type StoredInvoice } from '../invoices.repo.ts'
import { inAccount } from '../settle.ts'
import type { StoredSubscription } from '../subscriptions.repo.ts'
import { addDefaultCard } from './cards.ts'
import { type CheckoutResult, type Payment, toCard } from './checkout.ts'
import { enterFailure } from './invoicing.ts'
import { completeUpgrade } from './pending-upgrade.ts'
import { isRunning } from './plans.ts'
import { payOpenInvoice } from './subscription-steps.ts'
import { declined } from './test-cards.ts'

type Payable = Pick<StoredInvoice, 'id' | 'hostedUrl'> & { accountId: number }

/**
 * Pays an open invoice with a card, which becomes the default, as on Stripe's invoice page. Throws `card_declined`, or
 * `billing_conflict` if the invoice is no longer open.
 */
export async function payInvoice(
  ctx: Context,
  { accountId, id, hostedUrl }: Payable,
  payment: Payment,
): Promise<CheckoutResult> {
  const card = toCard(ctx, hostedUrl ?? id, payment)
  if (typeof card === 'string') return { kind: 'challenge', sealedCard: card }
  if (card === undefined) throw new AppError('validation_failed', 'Please check the card details')
  await orEnterFailure(ctx, { accountId, id }, () =>
    inAccount(ctx, accountId, async (inner, subscription) => {
      const open = await findOpenInvoice(inner.db, accountId)
      if (open?.id !== id) throw new AppError('billing_conflict', 'This invoice is no longer open.')
      await addDefaultCard(inner, accountId, card)
      const paid = await payNow(inner, subscription, id)
      if (paid === undefined) throw declined('payment_failed', 'Your card was declined.')
      return paid
    }),
  )
  return { kind: 'done' }
}

/** A declined payment changes nothing, so its entry is made after everything else was rolled back. */
async function orEnterFailure(
  ctx: Context,
  { accountId, id }: { accountId: number; id: string },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof AppError && error.code === 'card_declined') {
      await inAccount(ctx, accountId, async (inner, subscription) => {
        const invoice = await findOpenInvoice(inner.db, accountId)
        if (invoice?.id === id) await enterFailure(inner, accountId, invoice, inner.now())
        return subscription
      })
    }
    throw error
  }
}

function payNow(ctx: Context, subscription: StoredSubscription, invoiceId: string) {
  const now = toWholeSeconds(ctx.now())
  const { pendingUpgrade } = subscription
  if (pendingUpgrade?.invoiceId !== invoiceId || !isRunning(subscription)) {
    return payOpenInvoice(ctx, subscription, ctx.now(), 'present')
  }
  return completeUpgrade(ctx, { ...subscription, pendingUpgrade }, now)
}
