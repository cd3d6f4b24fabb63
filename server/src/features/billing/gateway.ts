import type { Context } from '../../context.ts'
import type { InvoiceLine } from './billing.rules.ts'

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
  /** The moment of the preview whose amounts are to be charged, milliseconds; undefined: now. */
  previewedAt: number | undefined
}

/** What a change would cost: cents, and moments in milliseconds. */
export type PreviewedChange = {
  now: number
  next: { amount: number; at: number } | null
  lines: InvoiceLine[]
  effectiveAt: number
}

/**
 * Who moves the money. Each call leaves our tables as the gateway has it; reads go to our tables and know no gateway.
 * None of these may be called inside a transaction: they may have to wait for someone else's server.
 */
export type BillingGateway = {
  name: 'sandbox' | 'stripe'
  /** Makes sure that what is due by now has happened. */
  settle: (ctx: Context, accountId: number) => Promise<void>
  createSetupIntent: (ctx: Context, accountId: number) => Promise<string>
  setDefaultCard: (ctx: Context, accountId: number, cardId: string) => Promise<void>
  removeCard: (ctx: Context, accountId: number, cardId: string) => Promise<void>
  /** The address of the hosted page. */
  createCheckout: (ctx: Context, accountId: number, checkout: Checkout) => Promise<string>
  changePlan: (ctx: Context, accountId: number, choice: PlanChoice) => Promise<void>
  /** What `changePlan` would charge; changes nothing. */
  previewChange: (
    ctx: Context,
    accountId: number,
    choice: Omit<PlanChoice, 'previewedAt'>,
  ) => Promise<PreviewedChange>
  cancel: (ctx: Context, accountId: number, immediate: boolean) => Promise<void>
  reactivate: (ctx: Context, accountId: number) => Promise<void>
  /** The address of the gateway's own pages for customers. Throws `billing_conflict` where there are none. */
  openPortal: (ctx: Context, accountId: number, returnUrl: string) => Promise<string>
  /** Has the gateway write to the owner as they are now. */
  tellOwner: (ctx: Context, accountId: number) => Promise<void>
  /** The account is about to be deleted: nothing may be charged any more. */
  close: (ctx: Context, accountId: number) => Promise<void>
}
