import { z } from 'zod'

export type StripeConfig = {
  secretKey: string
  publishableKey: string
  webhookSecret: string
  /** Price ids by plan id, yearly plans with their suffix. */
  prices: Record<string, string>
  /** Whether Stripe calculates tax at checkout, for which Stripe Tax must be set up. */
  automaticTax: boolean
  /** A server to use instead of Stripe's, for tests. */
  apiUrl: string | undefined
}

/** Who is paid: nobody, without limits (`off`); nobody, with test cards (`sandbox`); the operator, through Stripe. */
export type BillingConfig = {
  billing: 'off' | 'sandbox' | 'stripe'
  /** Set if `billing` is `stripe`. */
  stripe: StripeConfig | undefined
  /** Whether the clock of the sandbox can be moved. */
  testClock: boolean
  /** Whether a plan ends at once when a payment of it is disputed. */
  disputeEndsPlan: boolean
}

const stripeKey = (kinds: string) =>
  z
    .string()
    .regex(
      new RegExp(`^(${kinds.replaceAll(' or ', '|')})_(test|live)_`),
      `must begin with ${kinds.replaceAll(/\w+/g, (word) => (word === 'or' ? word : `${word}_`))}, then test_ or live_`,
    )
    .optional()
const priceId = z.string().optional()

/** The variables that configure billing. */
export const billingVariables = {
  LOCI_BILLING: z
    .enum(['sandbox', 'stripe', 'off'], { error: 'must be sandbox, stripe or off' })
    .optional()
    .describe(
      '`off` (no limits, no prices), `sandbox` (test cards) or `stripe`; unset: `stripe` with its variables, else `sandbox`, which https refuses',
    ),
  LOCI_TEST_CLOCK: z
    .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
    .transform((value) => value === 'true' || value === '1')
    .default(false)
    .describe("whether owners can move the sandbox's clock ahead"),
  LOCI_DISPUTE_ENDS_PLAN: z
    .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
    .transform((value) => value === 'true' || value === '1')
    .default(false)
    .describe('whether a plan ends when its payment is disputed'),
  STRIPE_SECRET_KEY: stripeKey('sk or rk').describe('secret or restricted key'),
  STRIPE_PUBLISHABLE_KEY: stripeKey('pk').describe('publishable key of the same account and mode'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .startsWith('whsec_', 'must begin with whsec_')
    .optional()
    .describe('signing secret of the webhook endpoint'),
  STRIPE_PRICE_STARTER_MONTHLY: priceId.describe('price id'),
  STRIPE_PRICE_STARTER_ANNUAL: priceId.describe('price id'),
  STRIPE_PRICE_PRO_MONTHLY: priceId.describe('price id'),
  STRIPE_PRICE_PRO_ANNUAL: priceId.describe('price id'),
  STRIPE_PRICE_POWER_USER_MONTHLY: priceId.describe('price id'),
  STRIPE_PRICE_POWER_USER_ANNUAL: priceId.describe('price id'),
} as const

type StripeVariable = Exclude<
  keyof typeof billingVariables,
  'LOCI_BILLING' | 'LOCI_TEST_CLOCK' | 'LOCI_DISPUTE_ENDS_PLAN'
>
type BillingEnvironment = Partial<Record<StripeVariable, string | undefined>> & {
  LOCI_BILLING?: 'sandbox' | 'stripe' | 'off' | undefined
  STRIPE_API_URL?: string | undefined
  LOCI_TEST_CLOCK?: boolean
  LOCI_DISPUTE_ENDS_PLAN?: boolean
  STRIPE_AUTOMATIC_TAX?: boolean | undefined
}

type Gateway = Omit<BillingConfig, 'disputeEndsPlan'>

const stripeVariables = Object.keys(billingVariables).filter((name): name is StripeVariable =>
  name.startsWith('STRIPE_'),
)

const priceVariables = {
  starter: 'STRIPE_PRICE_STARTER_MONTHLY',
  'starter-annual': 'STRIPE_PRICE_STARTER_ANNUAL',
  pro: 'STRIPE_PRICE_PRO_MONTHLY',
  'pro-annual': 'STRIPE_PRICE_PRO_ANNUAL',
  'power-user': 'STRIPE_PRICE_POWER_USER_MONTHLY',
  'power-user-annual': 'STRIPE_PRICE_POWER_USER_ANNUAL',
} as const

/** The billing configuration, or a sentence that says what is wrong with it. */
export function readBilling(env: BillingEnvironment, publicUrl: string | undefined): BillingConfig | string {
  const gateway = readGateway(env, publicUrl)
  if (typeof gateway === 'string') return gateway
  const config = { ...gateway, disputeEndsPlan: env.LOCI_DISPUTE_ENDS_PLAN ?? false }
  if (!env.LOCI_TEST_CLOCK) return config
  if (config.billing !== 'sandbox') return 'LOCI_TEST_CLOCK means nothing outside of LOCI_BILLING=sandbox'
  return { ...config, testClock: true }
}

function readGateway(env: BillingEnvironment, publicUrl: string | undefined): Gateway | string {
  const set = stripeVariables.filter((name) => env[name] !== undefined)
  const asked = env.LOCI_BILLING ?? (set.length > 0 ? 'stripe' : undefined)
  if (asked === 'stripe') return readStripe(env, set)
  if (set.length > 0) {
    return `${set[0]} means nothing beside LOCI_BILLING=${asked}: unset Stripe's variables, or set LOCI_BILLING=stripe`
  }
  if (asked === undefined && publicUrl?.startsWith('https:') === true) {
    return 'LOCI_BILLING must be set where LOCI_PUBLIC_URL is https: off (no limits, no prices), stripe, or sandbox, which gives every plan for the number of a test card'
  }
  return { billing: asked ?? 'sandbox', stripe: undefined, testClock: false }
}

/** Requires all of Stripe's variables: with only some of them, a plan could be had without being charged. */
function readStripe(env: BillingEnvironment, set: readonly StripeVariable[]): Gateway | string {
  const missing = stripeVariables.filter((name) => !set.includes(name))
  if (missing.length > 0) return `Stripe needs ${missing.join(', ')} beside what is set`
  const value = (name: StripeVariable) => env[name] ?? ''
  const secretKey = value('STRIPE_SECRET_KEY')
  const publishableKey = value('STRIPE_PUBLISHABLE_KEY')
  if (modeOf(secretKey) !== modeOf(publishableKey)) {
    return `STRIPE_SECRET_KEY is a ${modeOf(secretKey)} key, STRIPE_PUBLISHABLE_KEY a ${modeOf(publishableKey)} key: take both from the same mode`
  }
  const prices = Object.entries(priceVariables).map(([plan, name]) => [plan, value(name)] as const)
  if (new Set(prices.map(([, price]) => price)).size < prices.length) {
    return 'Two of the variables STRIPE_PRICE_... have the same price'
  }
  const webhookSecret = value('STRIPE_WEBHOOK_SECRET')
  const { STRIPE_API_URL: apiUrl, STRIPE_AUTOMATIC_TAX: automaticTax = true } = env
  const stripe = { secretKey, publishableKey, webhookSecret, apiUrl, automaticTax }
  return { billing: 'stripe', testClock: false, stripe: { ...stripe, prices: Object.fromEntries(prices) } }
}

const modeOf = (key: string) => (/^\w+?_live_/.test(key) ? 'live' : 'test')
