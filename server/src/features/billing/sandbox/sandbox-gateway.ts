import { AppError } from '../../../ground/errors/app-error.ts'
import { randomToken, sha256 } from '../../../ground/lib/secrets.ts'
import { dayMs } from '../../../ground/lib/time.ts'
import { transact } from '../../../store/transact.ts'
import type { Context } from '../../../tenancy/context.ts'
import type { BillingGateway, Checkout } from '../gateway.ts'
import { deleteCard, listCards, setDefaultCard } from '../payment-methods.repo.ts'
import { recordCard } from '../record-card.ts'
import { inAccount, settleAccount } from '../settle.ts'
import { getSubscriptionRow } from '../subscriptions.repo.ts'
import { retryNow } from './cards.ts'
import {
  cancelPlan,
  changeSandboxPlan,
  previewSandboxChange,
  reactivatePlan,
  requireNotRunning,
} from './plans.ts'
import { deleteEndedCheckouts, insertCheckout, insertSetupIntent } from './sandbox.repo.ts'

export const checkoutPath = '/sandbox/checkout'

/** Setup intents and checkout visits expire after this time. */
const visitMs = dayMs

/** Billing without a payment provider: everything but the money, in our own tables. */
export const sandboxGateway: BillingGateway = {
  name: 'sandbox',
  settle: settleAccount,
  createSetupIntent,
  createCheckout,
  changePlan: (ctx, accountId, { plan, previewedAt }) =>
    inAccount(ctx, accountId, (inner, subscription) =>
      changeSandboxPlan(inner, subscription, plan, previewedAt),
    ),
  async previewChange(ctx, accountId, { plan }) {
    await settleAccount(ctx, accountId)
    return previewSandboxChange(ctx, await getSubscriptionRow(ctx.db, accountId), plan)
  },
  cancel: (ctx, accountId, immediate) =>
    inAccount(ctx, accountId, (inner, subscription) => cancelPlan(inner, subscription, immediate)),
  reactivate: (ctx, accountId) => inAccount(ctx, accountId, reactivatePlan),
  setDefaultCard: (ctx, accountId, cardId) =>
    inAccount(ctx, accountId, async (inner, subscription) => {
      await setDefaultCard(inner.db, accountId, cardId)
      return retryNow(inner, subscription)
    }),
  removeCard: (ctx, actor, card) =>
    transact(ctx, async (inner) => {
      await removeCard(inner, actor.accountId, card.id)
      await recordCard(inner, actor, 'card_removed', card)
    }),
  async openPortal() {
    throw new AppError('billing_conflict', 'There is no customer portal in test mode.')
  },
  // Our own mails already go to the current owner.
  tellOwner: async () => {},
  close: async () => {},
}

async function createSetupIntent(ctx: Context, accountId: number): Promise<string> {
  const secret = `seti_sandbox_secret_${randomToken()}`
  const now = ctx.now()
  await transact(ctx, ({ db }) =>
    insertSetupIntent(db, accountId, { secretHash: sha256(secret), expiresAt: now + visitMs, now }),
  )
  return secret
}

async function createCheckout(ctx: Context, accountId: number, checkout: Checkout): Promise<string> {
  const token = randomToken()
  const { plan, successUrl, cancelUrl, baseUrl } = checkout
  await inAccount(ctx, accountId, async ({ db, now }, subscription) => {
    requireNotRunning(subscription)
    await deleteEndedCheckouts(db, accountId, now())
    const visit = { accountId, plan, successUrl, cancelUrl, completedAt: null, expiresAt: now() + visitMs }
    await insertCheckout(db, sha256(token), visit)
    return subscription
  })
  return `${baseUrl}${checkoutPath}/${token}`
}

/** If the paying card is removed, the newest remaining card takes over. */
async function removeCard({ db }: Context, accountId: number, cardId: string): Promise<void> {
  const cards = await listCards(db, accountId)
  await deleteCard(db, accountId, cardId)
  const next = cards.findLast((card) => card.id !== cardId)
  const wasDefault = cards.some((card) => card.id === cardId && card.isDefault)
  if (wasDefault && next !== undefined) await setDefaultCard(db, accountId, next.id)
}
