import {
  type DeliveriesResponse,
  type Delivery,
  type DeliveryDetail,
  type ListDeliveriesQuery,
  type RedeliverFailed,
  type RedeliverFailedResponse,
  testEvent,
} from '@loci/contract/webhooks'
import { AppError } from '../../ground/errors/app-error.ts'
import { decodeTextCursor, toPage } from '../../ground/lib/cursors.ts'
import { minuteMs, secondMs, toIso } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { AttemptRate } from '../../tenancy/auth/attempts.repo.ts'
import { countAttempt } from '../../tenancy/auth/attempts.ts'
import type { Context } from '../../tenancy/context.ts'
import * as deliveries from './deliveries.repo.ts'
import { readBody, testBodyOf } from './sending/events.ts'
import { listSpacesWithNewestChange, lockWebhook, type StoredWebhook } from './webhooks.repo.ts'
import { requireWebhook } from './webhooks.service.ts'

/** Newest first. Throws `webhook_not_found`, `invalid_cursor`. */
export async function listDeliveries(
  ctx: Context,
  actor: Actor,
  id: string,
  { status, cursor, limit }: ListDeliveriesQuery,
): Promise<DeliveriesResponse> {
  await requireWebhook(ctx, actor, id)
  const list = `deliveries ${id}`
  const page = { status, before: decodeTextCursor(list, cursor)?.at, limit: limit + 1 }
  const found = await deliveries.listDeliveryRows(ctx.db, { accountId: actor.accountId, id }, page)
  const { rows, nextCursor } = toPage(list, found, limit, (row) => ({ at: row.id, id: 0 }))
  return { deliveries: rows.map(toDelivery), nextCursor }
}

function toDelivery(delivery: deliveries.StoredDelivery): Delivery {
  const { id, eventId, event, status, attempts, nextAttemptAt, createdAt } = delivery
  return {
    id,
    eventId,
    event,
    status,
    attempts: attempts.map(({ early, ...attempt }) => attempt),
    nextAttemptAt: nextAttemptAt === null ? null : toIso(nextAttemptAt),
    createdAt: toIso(createdAt),
  }
}

/** Throws `webhook_not_found`, `delivery_not_found`. */
export async function getDelivery(
  ctx: Context,
  actor: Actor,
  id: string,
  deliveryId: string,
): Promise<DeliveryDetail> {
  await requireWebhook(ctx, actor, id)
  const delivery = await deliveries.findDelivery(ctx.db, { accountId: actor.accountId, id }, deliveryId)
  if (delivery === undefined) throw notFound()
  return { ...toDelivery(delivery), body: await findBody(ctx, actor, id, delivery), answer: delivery.answer }
}

async function findBody(
  ctx: Context,
  { accountId }: Actor,
  id: string,
  { spaceId, seq, createdAt }: deliveries.StoredDelivery,
): Promise<string | null> {
  if (spaceId === null || seq === null) return testBodyOf(id, createdAt)
  const space = (await listSpacesWithNewestChange(ctx.db, accountId)).find((one) => one.spaceId === spaceId)
  if (space === undefined) return null
  return (await readBody(ctx.db, { accountId, spaceId, name: space.name }, seq)) ?? null
}

const notFound = () => new AppError('delivery_not_found', 'Delivery not found')

/** Far above what a person does by hand; each request also goes to somebody else's server. */
const ofAnEndpoint: AttemptRate = { burst: 20, intervalMs: 3 * secondMs }
const ofAnAccount: AttemptRate = { burst: 60, intervalMs: secondMs }
/** One such call sends up to 1,000 requests. */
const ofManyAtOnce: AttemptRate = { burst: 3, intervalMs: minuteMs }

/** Counts a request that somebody asks for. Throws `webhook_not_found`, `rate_limited`. */
async function countSent(ctx: Context, actor: Actor, id: string): Promise<void> {
  await requireWebhook(ctx, actor, id)
  await countAttempt(ctx, [
    { by: `webhook ${actor.accountId} ${id}`, rate: ofAnEndpoint },
    { by: `webhooks ${actor.accountId}`, rate: ofAnAccount },
  ])
}

/**
 * Schedules a delivery to be sent again now. Throws `webhook_not_found`, `delivery_not_found`, `webhook_disabled`,
 * `rate_limited`.
 */
export async function redeliver(ctx: Context, actor: Actor, id: string, deliveryId: string): Promise<void> {
  await countSent(ctx, actor, id)
  await inLockedWebhook(ctx, actor, id, async ({ db, now }, webhook) => {
    if ((await deliveries.findDelivery(db, webhook, deliveryId)) === undefined) throw notFound()
    requireEnabled(webhook)
    await deliveries.makeDue(db, webhook, deliveryId, now())
  })
}

/** Schedules all deliveries to be sent again that have failed since a time. Throws as {@link redeliver}. */
export async function redeliverFailed(
  ctx: Context,
  actor: Actor,
  id: string,
  { since }: RedeliverFailed,
): Promise<RedeliverFailedResponse> {
  await requireWebhook(ctx, actor, id)
  await countAttempt(ctx, [{ by: `webhook-failed ${actor.accountId} ${id}`, rate: ofManyAtOnce }])
  let count = 0
  await inLockedWebhook(ctx, actor, id, async ({ db, now }, webhook) => {
    requireEnabled(webhook)
    count = await deliveries.makeFailedDue(db, webhook, Date.parse(since), now())
  })
  return { count }
}

/** Sends a test event, even to a disabled endpoint, without retries. Throws `webhook_not_found`, `rate_limited`. */
export async function sendTest(ctx: Context, actor: Actor, id: string): Promise<void> {
  await countSent(ctx, actor, id)
  await inLockedWebhook(ctx, actor, id, ({ db, newId, now }, webhook) =>
    deliveries.insertDelivery(db, webhook, {
      id: newId('dlv'),
      eventId: newId('evt'),
      event: testEvent,
      spaceId: null,
      seq: null,
      status: 'pending',
      tries: 0,
      attempts: [],
      answer: null,
      nextAttemptAt: now(),
      createdAt: now(),
    }),
  )
}

function requireEnabled({ status }: StoredWebhook): void {
  if (status !== 'disabled') return
  throw new AppError('webhook_disabled', 'The endpoint is disabled. Enable it, then send again.')
}

/** Runs `work`, which makes deliveries due, while the endpoint is locked. Throws `webhook_not_found`. */
async function inLockedWebhook(
  ctx: Context,
  actor: Actor,
  id: string,
  work: (inner: Context, webhook: StoredWebhook) => Promise<void>,
): Promise<void> {
  const { accountId } = actor
  await transact(ctx, accountId, async (inner) => {
    const webhook = await lockWebhook(inner.db, accountId, id)
    if (webhook === undefined) throw new AppError('webhook_not_found', 'Webhook not found')
    await work(inner, webhook)
    await deliveries.renewRetryAt(inner.db, webhook)
    inner.changes.announce(actor)
  })
}
