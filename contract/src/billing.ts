import { z } from 'zod'
import { countryCodes } from './countries.ts'
import { PlanLimits } from './plans.ts'
import { isStorableText, text } from './text.ts'

/** Money is in US cents, moments are in seconds since 1970; both are whole numbers. */
const Cents = z.number().int()
const EpochSeconds = z.number().int()

export const trialDays = 14
export const ownerOnlyMessage = 'Access denied. Only account owners can change billing plans.'

/** Limits of a plan and the features it is advertised with. */
export const PlanFeatures = PlanLimits.extend({ features: z.array(z.string()) })
export type PlanFeatures = z.infer<typeof PlanFeatures>

export const SubscriptionStatus = z.enum(['active', 'trialing', 'past_due', 'incomplete'])
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>

/** Why a paid plan changed to Free. */
export const EndReason = z.enum(['cancelled', 'payment_failed', 'trial_ended', 'disputed'])
export type EndReason = z.infer<typeof EndReason>

/** A notice or a request to the owner; `message` can be shown as is. */
export const BillingNotice = z.object({ code: z.string(), message: z.string() })
export type BillingNotice = z.infer<typeof BillingNotice>

export const Subscription = z.object({
  /** Yearly plans end in `-annual`. */
  plan: z.string(),
  status: SubscriptionStatus,
  cancelAtPeriodEnd: z.boolean(),
  /** Null on the free plan. */
  currentPeriodEnd: EpochSeconds.nullable(),
  trialEnd: EpochSeconds.nullable(),
  /** The smaller plan that takes effect at the end of the period, after a downgrade. */
  pendingPlan: z.string().nullable(),
  /** An upgrade that begins once its payment is confirmed with the bank; it lapses if that is not done in time. */
  pendingUpgrade: z
    .object({
      plan: z.string(),
      /** The page on which the payment is confirmed; for a new tab. */
      confirmUrl: z.string().nullable(),
      expiresAt: EpochSeconds,
    })
    .nullable(),
  /** Set if the last payment failed. */
  pastDue: z
    .object({
      /** Null if there is no further attempt. */
      nextTryAt: EpochSeconds.nullable(),
      /** When the account changes to Free unless it is paid; null if the payment provider decides that. */
      endsAt: EpochSeconds.nullable(),
    })
    .nullable(),
  /** On the free plan: the previous paid plan, when it ended and why. */
  ended: z.object({ plan: z.string(), at: EpochSeconds, reason: EndReason }).nullable(),
  notices: z.array(BillingNotice),
  features: PlanFeatures,
  /** True if no real money moves. */
  testMode: z.boolean(),
})
export type Subscription = z.infer<typeof Subscription>

export const Plan = z.object({
  id: z.string(),
  name: z.string(),
  price: Cents,
  interval: z.enum(['month', 'year']).nullable(),
  /** Null for the free plan. */
  priceId: z.string().nullable(),
  popular: z.boolean(),
  features: PlanFeatures,
})
export type Plan = z.infer<typeof Plan>
export const PlansResponse = z.object({ plans: z.array(Plan) })

export const PaymentMethod = z.object({
  id: z.string(),
  brand: z.string(),
  last4: z.string(),
  expMonth: z.number().int(),
  expYear: z.number().int(),
  isDefault: z.boolean(),
})
export type PaymentMethod = z.infer<typeof PaymentMethod>
const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** `Visa` */
export function brandOf({ brand }: Pick<PaymentMethod, 'brand'>): string {
  return brands[brand] ?? brand
}

export const PaymentMethodsResponse = z.object({ paymentMethods: z.array(PaymentMethod) })

export const InvoiceStatus = z.enum(['draft', 'open', 'paid', 'void', 'uncollectible'])
export type InvoiceStatus = z.infer<typeof InvoiceStatus>

/** Where the dispute of a payment stands: the bank has the money while it is open, and keeps it if it is lost. */
export const DisputeState = z.enum(['open', 'won', 'lost'])
export type DisputeState = z.infer<typeof DisputeState>

export const Invoice = z.object({
  id: z.string(),
  number: z.string(),
  created: EpochSeconds,
  /** ISO 4217, in lower case; amounts are in its minor unit. */
  currency: z.string(),
  amount: Cents,
  /** Credit for later invoices: the amount by which the total is below zero. */
  credit: Cents,
  /** What was paid back. */
  refunded: Cents,
  /** What credit notes took off, without what they refunded. */
  credited: Cents,
  /** Null if the payment was never disputed. */
  dispute: DisputeState.nullable(),
  status: InvoiceStatus,
  /** Addresses that open without signing in; for a new tab. */
  hostedInvoiceUrl: z.string().nullable(),
  invoicePdf: z.string().nullable(),
})
export type Invoice = z.infer<typeof Invoice>
/** Newest first, at most 100. */
export const InvoicesResponse = z.object({ invoices: z.array(Invoice) })

/** One line of an address or similar; empty if there is none. */
const optionalLine = (max: number, label: string) =>
  z
    .string()
    .trim()
    .max(max, `${label} must be at most ${max} characters long`)
    .refine((value) => isStorableText(value) && !/\p{Cc}/u.test(value), `${label} must be one line of text`)
    .default('')

/** The payer, as printed on invoices. */
export const BillingDetails = z.object({
  name: optionalLine(128, 'Name'),
  line1: optionalLine(128, 'Address'),
  line2: optionalLine(128, 'Address'),
  city: optionalLine(128, 'City'),
  region: optionalLine(128, 'State or region'),
  postalCode: optionalLine(32, 'Postal code'),
  /** ISO 3166-1 alpha-2. */
  country: z
    .string()
    .refine((code) => code === '' || countryCodes.includes(code), 'Country must be a code of two letters')
    .default(''),
  taxId: optionalLine(64, 'Tax number'),
})
export type BillingDetails = z.infer<typeof BillingDetails>
export const BillingDetailsResponse = z.object({
  name: z.string(),
  line1: z.string(),
  line2: z.string(),
  city: z.string(),
  region: z.string(),
  postalCode: z.string(),
  country: z.string(),
  taxId: z.string(),
  /** False if the payment provider keeps these: they are then viewed and changed in its customer portal. */
  editable: z.boolean(),
})
export type BillingDetailsResponse = z.infer<typeof BillingDetailsResponse>

/** Redirect the browser here. */
export const PortalResponse = z.object({ url: z.string() })

export const SetupIntentResponse = z.object({
  clientSecret: z.string(),
  /** Which card form to show: our own, or Stripe's with the publishable key. */
  gateway: z.enum(['sandbox', 'stripe']),
  publishableKey: z.string().nullable(),
})
export type SetupIntentResponse = z.infer<typeof SetupIntentResponse>

/** A test card. Test mode accepts only the numbers in docs/billing.md. */
export const TestCard = z.object({
  number: text(1, 32, 'Card number'),
  expMonth: z.number().int().min(1).max(12),
  expYear: z.number().int().min(2000).max(2999),
  cvc: z.string().regex(/^\d{3,4}$/, 'The security code must be 3 or 4 digits'),
})
export type TestCard = z.infer<typeof TestCard>

export const ConfirmTestCard = TestCard.extend({
  clientSecret: text(1, 256, 'Client secret'),
  /** The person's reply to the bank, after a response with `requires_action`. */
  challenge: z.enum(['completed', 'failed']).optional(),
})
export type ConfirmTestCard = z.infer<typeof ConfirmTestCard>

export const ConfirmTestCardResponse = z.discriminatedUnion('status', [
  z.object({ status: z.literal('succeeded'), paymentMethod: PaymentMethod }),
  z.object({ status: z.literal('requires_action') }),
])
export type ConfirmTestCardResponse = z.infer<typeof ConfirmTestCardResponse>

/** Seconds by which to advance the sandbox's clock, at most two years; 0 only reads it. */
export const MoveTestClock = z.object({
  advanceBySeconds: z
    .number()
    .int()
    .min(0)
    .max(2 * 366 * 86_400)
    .default(0),
})
export type MoveTestClock = z.infer<typeof MoveTestClock>
/** The time that billing uses. */
export const TestClock = z.object({ now: EpochSeconds })
export type TestClock = z.infer<typeof TestClock>

export const ChangePlan = z.object({
  planId: text(1, 64, 'Plan'),
  /** Null for the free plan. */
  priceId: text(1, 255, 'Price').nullish(),
  /** From a preview at most an hour old: then exactly the previewed amount is charged. */
  effectiveAt: EpochSeconds.optional(),
})
export type ChangePlan = z.infer<typeof ChangePlan>

export const PreviewChange = z.object({ planId: text(1, 64, 'Plan') })
export type PreviewChange = z.infer<typeof PreviewChange>

/** Cost of changing the plan. Requesting it changes nothing. */
export const ChangePreview = z.object({
  /** Charged immediately. */
  now: Cents,
  /** The first charge after that, at the end of the period; null if there is none. */
  next: z.object({ amount: Cents, at: EpochSeconds }).nullable(),
  /** The items of `now`; empty if nothing is invoiced immediately. */
  lines: z.array(z.object({ description: z.string(), amount: Cents })),
  /** When the plan changes: at the time of the request or at the end of the period. */
  effectiveAt: EpochSeconds,
})
export type ChangePreview = z.infer<typeof ChangePreview>

/** On the server itself: a checkout redirects nowhere else. */
const ReturnUrl = text(1, 2048, 'Address').refine(
  (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
  'Must be an http or https address',
)

export const CreateCheckout = z.object({
  priceId: text(1, 255, 'Price'),
  successUrl: ReturnUrl,
  cancelUrl: ReturnUrl,
})
export type CreateCheckout = z.infer<typeof CreateCheckout>
/** Redirect the browser here. */
export const CheckoutResponse = z.object({ url: z.string() })

export const CancelSubscription = z.object({ immediate: z.boolean().default(false) })
export type CancelSubscription = z.infer<typeof CancelSubscription>
/** For calls that need no body. */
export const EmptyBody = z.object({}).nullish()
