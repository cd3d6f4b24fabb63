import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { InvoiceLine } from './billing.rules.ts'
import type { StoredCard } from './payment-methods.repo.ts'

export type Checkout = {
  plan: string
  priceId: string
  successUrl: string
  cancelUrl: string
  baseUrl: string
}

export type PlanChoice = {
  plan: string
  /** Null for the free plan. */
  priceId: string | null
  /** Time of the preview whose amounts are charged, milliseconds; undefined: now. */
  previewedAt: number | undefined
}

/** The cost of a change: cents, and times in milliseconds. */
export type PreviewedChange = {
  now: number
  next: { amount: number; at: number } | null
  lines: InvoiceLine[]
  effectiveAt: number
}

/**
 * Charges accounts. Each call brings our tables in line with the gateway; reads use only our tables. Never call these
 * inside a transaction: they can wait for an external server.
 */
export type BillingGateway = {
  name: 'sandbox' | 'stripe'
  /** Makes sure that everything due by now has happened. */
  settle: (ctx: Context, accountId: number) => Promise<void>
  /** `userId` is the person who is about to add a card. */
  createSetupIntent: (ctx: Context, accountId: number, userId: string) => Promise<string>
  setDefaultCard: (ctx: Context, accountId: number, cardId: string) => Promise<void>
  /** Also writes the removal into the audit log. */
  removeCard: (ctx: Context, actor: Actor, card: StoredCard) => Promise<void>
  /** Returns the address of the hosted page. */
  createCheckout: (ctx: Context, accountId: number, checkout: Checkout) => Promise<string>
  changePlan: (ctx: Context, accountId: number, choice: PlanChoice) => Promise<void>
  /** Returns what `changePlan` would charge; changes nothing. */
  previewChange: (
    ctx: Context,
    accountId: number,
    choice: Omit<PlanChoice, 'previewedAt'>,
  ) => Promise<PreviewedChange>
  cancel: (ctx: Context, accountId: number, immediate: boolean) => Promise<void>
  reactivate: (ctx: Context, accountId: number) => Promise<void>
  /** Returns the address of the gateway's customer pages. Throws `billing_conflict` if there are none. */
  openPortal: (ctx: Context, accountId: number, returnUrl: string) => Promise<string>
  /** Makes the gateway write to the current owner. */
  tellOwner: (ctx: Context, accountId: number) => Promise<void>
  /** The account is about to be deleted: nothing can be charged after this. */
  close: (ctx: Context, accountId: number) => Promise<void>
}
