import { brandOf, type TestCard } from '@loci/contract/billing'
import { z } from 'zod'
import { AppError } from '../../../ground/errors/app-error.ts'
import { sha256 } from '../../../ground/lib/secrets.ts'
import type { Context } from '../../../tenancy/context.ts'
import { listCards } from '../payment-methods.repo.ts'
import { inAccount } from '../settle.ts'
import { getSubscriptionRow } from '../subscriptions.repo.ts'
import { addDefaultCard } from './cards.ts'
import { hasTrial, startPlan } from './plans.ts'
import { completeCheckout, findCheckoutByToken, type StoredCheckout } from './sandbox.repo.ts'
import { challengeFailed, type KnownCard, readTestCard } from './test-cards.ts'

/** The data of the checkout page. */
export type CheckoutView = StoredCheckout & { trial: boolean; cardOnFile: string | undefined }

/**
 * How a visitor pays: with a new card, with the card the bank was asked about (`challenge`), or with the card on file.
 */
export type Payment =
  | { kind: 'card'; card: TestCard }
  | { kind: 'challenge'; sealedCard: string; completed: boolean }
  | { kind: 'on_file' }

/**
 * Done, or the bank has to ask the person first; the sealed card, without its number, makes the round trip through the
 * form.
 */
export type CheckoutResult = { kind: 'done' } | { kind: 'challenge'; sealedCard: string }

const SealedCard = z.object({
  token: z.string(),
  card: z.object({
    brand: z.string(),
    last4: z.string(),
    expMonth: z.number(),
    expYear: z.number(),
    pays: z.boolean(),
  }),
})

/** Throws `checkout_not_found`. */
export async function getCheckout(ctx: Context, token: string): Promise<CheckoutView> {
  const checkout = await findCheckoutByToken(ctx.db, sha256(token), ctx.now())
  if (checkout === undefined) throw new AppError('checkout_not_found', 'This checkout is no longer valid')
  const card = (await listCards(ctx.db, checkout.accountId)).find((candidate) => candidate.isDefault)
  return {
    ...checkout,
    trial: hasTrial(await getSubscriptionRow(ctx.db, checkout.accountId)),
    cardOnFile: card === undefined ? undefined : `${brandOf(card)} ending in ${card.last4}`,
  }
}

/** Pays and begins the plan. Throws `checkout_not_found`, `card_declined`, `billing_conflict`. */
export async function payCheckout(ctx: Context, token: string, payment: Payment): Promise<CheckoutResult> {
  const checkout = await getCheckout(ctx, token)
  if (checkout.completedAt !== null) return { kind: 'done' }
  const card = toCard(ctx, token, payment)
  return typeof card === 'string' ? { kind: 'challenge', sealedCard: card } : complete(ctx, token, card)
}

/**
 * Returns the card of a payment on the page `token`: undefined for the one on file, sealed text if the bank has to ask
 * first. Throws `card_declined`.
 */
export function toCard(ctx: Context, token: string, payment: Payment): KnownCard | string | undefined {
  if (payment.kind === 'on_file') return undefined
  if (payment.kind === 'challenge') return openCard(ctx, token, payment)
  const { needsChallenge, ...card } = readTestCard(payment.card, ctx.now())
  return needsChallenge ? ctx.secretBox.seal(JSON.stringify({ token, card })) : card
}

/** Opens the sealed card after the bank's challenge. Throws `card_declined`. */
function openCard(
  ctx: Context,
  token: string,
  { sealedCard, completed }: { sealedCard: string; completed: boolean },
): KnownCard {
  const sealed = SealedCard.safeParse(openSealed(ctx, sealedCard))
  if (!completed || !sealed.success || sealed.data.token !== token) throw challengeFailed()
  return sealed.data.card
}

function openSealed(ctx: Context, sealed: string): unknown {
  const text = ctx.secretBox.open(sealed)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Completes the checkout once, however often the form is sent. */
async function complete(ctx: Context, token: string, card: KnownCard | undefined): Promise<CheckoutResult> {
  const { accountId, plan } = await getCheckout(ctx, token)
  await inAccount(ctx, accountId, async (inner, subscription) => {
    if ((await getCheckout(inner, token)).completedAt !== null) return subscription
    if (card !== undefined) await addDefaultCard(inner, accountId, card)
    const started = await startPlan(inner, subscription, plan)
    await completeCheckout(inner.db, accountId, sha256(token), inner.now())
    return started
  })
  return { kind: 'done' }
}
