import { AppError } from '../../../ground/errors/app-error.ts'
import type { Context } from '../../../tenancy/context.ts'
import type { StoredSubscription } from '../subscriptions.repo.ts'
import { callStripe } from './stripe-client.ts'

/** Makes a card the default and pays open invoices with it immediately. */
export async function payWith(
  ctx: Context,
  customerId: string,
  { subscriptionId, status }: Pick<StoredSubscription, 'subscriptionId' | 'status'>,
  cardId: string,
): Promise<void> {
  await callStripe(ctx, async (stripe) => {
    await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: cardId } })
    if (subscriptionId !== null) {
      await stripe.subscriptions.update(subscriptionId, { default_payment_method: cardId })
    }
  })
  if (status === 'past_due') await payOpenInvoices(ctx, customerId)
}

/** A card declined here changes nothing: Stripe continues its own retries. */
async function payOpenInvoices(ctx: Context, customer: string): Promise<void> {
  try {
    await callStripe(ctx, async (stripe) => {
      const open = await stripe.invoices.list({ customer, status: 'open', limit: 10 })
      for (const invoice of open.data) await stripe.invoices.pay(invoice.id ?? '')
    })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'card_declined')) throw error
  }
}
