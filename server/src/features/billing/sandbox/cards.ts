import type { PaymentMethod } from '@loci/contract/billing'
import { AppError } from '../../../ground/errors/app-error.ts'
import type { Context } from '../../../tenancy/context.ts'
import { cardsPerAccountMax, insertCard, listCards, setDefaultCard } from '../payment-methods.repo.ts'
import type { StoredSubscription } from '../subscriptions.repo.ts'
import { payOpenInvoice } from './subscription-steps.ts'
import type { KnownCard } from './test-cards.ts'

/** Adds a card; the first one becomes the default. Throws `billing_conflict` when there are too many. */
export async function addCard(ctx: Context, accountId: number, card: KnownCard): Promise<PaymentMethod> {
  const cards = await listCards(ctx.db, accountId)
  if (cards.length >= cardsPerAccountMax) {
    throw new AppError('billing_conflict', `There are ${cards.length} cards already. Remove one first.`)
  }
  const { pays, ...shown } = card
  const added = { id: ctx.newId('pm'), isDefault: cards.length === 0, ...shown }
  await insertCard(ctx.db, accountId, { ...added, pays, createdAt: ctx.now() })
  return added
}

/** Makes a card the default, and adds it unless it is known. */
export async function addDefaultCard(ctx: Context, accountId: number, card: KnownCard): Promise<void> {
  const known = (await listCards(ctx.db, accountId)).find((one) => isSame(one, card))
  const { id } = known ?? (await addCard(ctx, accountId, card))
  await setDefaultCard(ctx.db, accountId, id)
}

const isSame = (a: KnownCard, b: KnownCard) =>
  a.brand === b.brand && a.last4 === b.last4 && a.expMonth === b.expMonth && a.expYear === b.expYear

/**
 * With a new card a failed payment is retried immediately; if that fails too, it does not count as one of the retries.
 */
export async function retryNow(ctx: Context, subscription: StoredSubscription): Promise<StoredSubscription> {
  if (subscription.status !== 'past_due' || subscription.subscriptionId !== null) return subscription
  return (await payOpenInvoice(ctx, subscription, ctx.now())) ?? subscription
}
