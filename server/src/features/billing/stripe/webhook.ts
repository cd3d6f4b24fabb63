import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { AppError } from '../../../ground/errors/app-error.ts'
import { dayMs } from '../../../ground/lib/time.ts'
import { transact } from '../../../store/transact.ts'
import type { Context } from '../../../tenancy/context.ts'
import { findAccountByCustomer } from '../subscriptions.repo.ts'
import { isTestMode } from '../test-mode.ts'
import { idOf } from './object-ids.ts'
import { callStripe, isMissingAtStripe, requireStripeConfig, stripeOf } from './stripe-client.ts'
import { hasEvent, insertStripeEvent } from './stripe-events.repo.ts'
import { requestSync } from './sync-queue.repo.ts'
import type { SyncQueue } from './sync-queue.ts'

export const webhookPath = '/api/billing/webhook'

const toleranceSeconds = 300
/** Many times the largest event; the signature is checked only once the body was read. */
const bodyBytesMax = 1024 ** 2
/** Stripe repeats an event for three days; it can be resent by hand for thirty. */
const eventKeptMs = 35 * dayMs

/**
 * Registers the route that receives Stripe's events. The signature covers the raw bytes, so the body is not parsed
 * before it is checked.
 */
export function registerStripeWebhook(
  app: FastifyInstance,
  ctx: Context,
  queue: Pick<SyncQueue, 'wake'>,
): void {
  app.register(async (hook) => {
    hook.removeAllContentTypeParsers()
    hook.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    hook.post(webhookPath, { bodyLimit: bodyBytesMax }, async (request) => {
      const event = readEvent(ctx, request.body, request.headers['stripe-signature'])
      if (isOfOurMode(ctx, event)) {
        await takeEvent(ctx, event)
        queue.wake()
      }
      return { received: true }
    })
  })
}

type SentPart = { object?: unknown; id?: unknown; customer?: unknown; charge?: unknown } | null

/** What is read of an event; those of Stripe's newer kind have no data. */
type SentEvent = Pick<Stripe.Event, 'id' | 'livemode'> & {
  data?: { object?: SentPart; previous_attributes?: SentPart } | null
}

/** Throws `validation_failed` for anything that Stripe did not sign, or signed more than five minutes ago. */
function readEvent(ctx: Context, body: unknown, signature: string | string[] | undefined): SentEvent {
  try {
    return stripeOf(ctx).webhooks.constructEvent(
      body instanceof Buffer ? body : '',
      signature ?? '',
      requireStripeConfig(ctx).webhookSecret,
      toleranceSeconds,
      undefined,
      ctx.now(),
    )
  } catch (cause) {
    throw new AppError('validation_failed', 'The signature is not valid', { cause })
  }
}

/** Test and live mode have different customers; an event of the other mode means that the endpoint is set up there. */
function isOfOurMode(ctx: Context, { id, livemode }: SentEvent): boolean {
  const isLive = !isTestMode(ctx.config)
  if (livemode === isLive) return true
  const [theirs, ours] = isLive ? ['test', 'live'] : ['live', 'test']
  ctx.log.error(
    { event: id },
    `Stripe sent an event of its ${theirs} mode, which is ignored: STRIPE_SECRET_KEY is a ${ours} key. Take STRIPE_WEBHOOK_SECRET from an endpoint of the ${ours} mode.`,
  )
  return false
}

/**
 * An event only triggers a sync, so repeated and overtaken events do no harm. The event and the request for a sync are
 * stored before the response; the cost of the sync, and whether Stripe can be reached, do not affect the response.
 */
async function takeEvent(ctx: Context, event: SentEvent): Promise<void> {
  const customerId = customerOf(event) ?? (await customerOfCharge(ctx, event))
  const accountId = customerId === undefined ? undefined : await findAccountByCustomer(ctx.db, customerId)
  await transact(ctx, async ({ db }) => {
    if (await hasEvent(db, event.id)) return
    await insertStripeEvent(db, event.id, ctx.now(), ctx.now() - eventKeptMs)
    if (accountId !== undefined) await requestSync(db, accountId, ctx.now())
  })
}

/**
 * Returns the customer that an event of any kind concerns, if any. For a removed card, only the previous attributes
 * name the customer.
 */
function customerOf({ data }: SentEvent): string | undefined {
  const subject = data?.object ?? {}
  const customer =
    subject.object === 'customer' ? subject.id : (subject.customer ?? data?.previous_attributes?.customer)
  if (typeof customer === 'string') return customer
  return hasId(customer) ? customer.id : undefined
}

/**
 * The event of a dispute names only its charge. While Stripe cannot be asked whose it is, the event is refused, and sent
 * again.
 */
async function customerOfCharge(ctx: Context, { data }: SentEvent): Promise<string | undefined> {
  const charge = data?.object?.charge
  if (typeof charge !== 'string') return undefined
  try {
    return idOf((await callStripe(ctx, (stripe) => stripe.charges.retrieve(charge))).customer)
  } catch (error) {
    if (isMissingAtStripe(error)) return undefined
    throw error
  }
}

function hasId(value: unknown): value is { id: string } {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
}
