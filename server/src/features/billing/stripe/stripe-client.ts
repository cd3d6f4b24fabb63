import { createRequire } from 'node:module'
import type Stripe from 'stripe'
import type { StripeConfig } from '../../../ground/config/config-billing.ts'
import { AppError } from '../../../ground/errors/app-error.ts'
import { version } from '../../../ground/version.ts'
import type { Context } from '../../../tenancy/context.ts'

/** Loaded on first use: it is large, and most servers bill in the sandbox. */
const sdk = (): typeof Stripe => load('stripe')
const load = createRequire(import.meta.url)

const timeoutMs = 20_000
const clients = new WeakMap<StripeConfig, Stripe>()

/** Returns the Stripe configuration. Only call it when billing runs on Stripe. */
export function requireStripeConfig({ config }: Context): StripeConfig {
  if (config.stripe === undefined) throw new Error('Stripe is not configured')
  return config.stripe
}

/** The SDK's client, which reuses connections and retries lost requests under its own idempotency keys. */
export function stripeOf(ctx: Context): Stripe {
  const config = requireStripeConfig(ctx)
  const known = clients.get(config)
  if (known !== undefined) return known
  const client = new (sdk())(config.secretKey, {
    maxNetworkRetries: 2,
    timeout: timeoutMs,
    telemetry: false,
    appInfo: { name: 'Loci', version },
    ...(config.apiUrl === undefined ? {} : addressOf(new URL(config.apiUrl))),
  })
  clients.set(config, client)
  return client
}

const addressOf = ({ hostname, port, protocol }: URL) =>
  ({ host: hostname, port, protocol: protocol === 'http:' ? 'http' : 'https' }) as const

/**
 * Calls Stripe and translates its errors: `card_declined`, `billing_conflict`, and `billing_unavailable` with the kind
 * of trouble in `details`. Throws inside a transaction, which would hold its locks for as long as Stripe takes.
 */
export async function callStripe<T>(ctx: Context, call: (stripe: Stripe) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) throw new Error('Stripe was called inside a transaction')
  try {
    return await call(stripeOf(ctx))
  } catch (error) {
    throw toAppError(error)
  }
}

function toAppError(cause: unknown): unknown {
  if (!(cause instanceof sdk().errors.StripeError)) return cause
  if (cause instanceof sdk().errors.StripeCardError) {
    const reason = cause.decline_code ?? cause.code ?? 'card_error'
    return new AppError('card_declined', cause.message, { cause, details: [{ reason }] })
  }
  if (isWithoutCard(cause)) {
    const details = [{ reason: 'payment_method_missing' }]
    return new AppError('card_declined', 'Add a payment method first.', { cause, details })
  }
  if (cause instanceof sdk().errors.StripeIdempotencyError) {
    return new AppError('billing_conflict', 'This was requested twice. Reload the page.', { cause })
  }
  return unavailable(cause)
}

/** What a person is told about a failed call; the log has the cause. */
const troubles = {
  unreachable: 'The payment provider cannot be reached. Try again later.',
  busy: 'The payment provider is busy. Try again in a minute.',
  misconfigured: 'This server may not talk to its payment provider. Please tell whoever runs it.',
  refused: 'The payment provider did not accept this. Please tell whoever runs this server.',
} as const

function unavailable(cause: Stripe.errors.StripeError): AppError {
  const reason = troubleOf(cause)
  return new AppError('billing_unavailable', troubles[reason], { cause, details: [{ reason }] })
}

function troubleOf(cause: Stripe.errors.StripeError): keyof typeof troubles {
  const {
    StripeAuthenticationError,
    StripePermissionError,
    StripeRateLimitError,
    StripeInvalidRequestError,
  } = sdk().errors
  if (cause instanceof StripeRateLimitError) return 'busy'
  if (cause instanceof StripeAuthenticationError || cause instanceof StripePermissionError) {
    return 'misconfigured'
  }
  return cause instanceof StripeInvalidRequestError ? 'refused' : 'unreachable'
}

/** True for failures that affect all accounts: an outage, rate limiting, a key that Stripe rejects. */
export function isOutOfReach(error: unknown): boolean {
  return (
    error instanceof AppError &&
    error.cause instanceof sdk().errors.StripeError &&
    error.code === 'billing_unavailable' &&
    troubleOf(error.cause) !== 'refused'
  )
}

/** True if a payment needs the person: the bank wants it confirmed. */
export function wantsConfirmation(error: unknown): boolean {
  if (!(error instanceof sdk().errors.StripeError)) return false
  return [error.code, error.decline_code].some(
    (code) => code === 'subscription_payment_intent_requires_action' || code === 'authentication_required',
  )
}

/** Stripe has no error code for a payment without a card. */
const isWithoutCard = ({ code, message }: Stripe.errors.StripeError) =>
  code === 'resource_missing' && message.includes('no attached payment source')

/** True if Stripe says that the object does not exist. */
export function isMissingAtStripe(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error
  return cause instanceof sdk().errors.StripeError && cause.code === 'resource_missing'
}
