import {
  type DeliveriesResponse,
  type Delivery,
  type DeliveryDetail,
  type ListDeliveriesQuery,
  testEvent,
} from '@loci/contract/webhooks'
import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { AppError } from '../../errors/app-error.ts'
import { toIso } from '../../lib/time.ts'
import * as deliveries from './deliveries.repo.ts'
import { readBody, testBodyOf } from './sending/events.ts'
import { listSpacesWithNewestChange, lockWebhook } from './webhooks.repo.ts'
import { requireWebhook } from './webhooks.service.ts'

/** Newest first. Throws `webhook_not_found`, `invalid_cursor`. */
export async function listDeliveries(
  ctx: Context,
  actor: Actor,
  id: string,
  { status, cursor, limit }: ListDeliveriesQuery,
): Promise<DeliveriesResponse> {
  await requireWebhook(ctx, actor, id)
  const page = { status, before: decodeCursor(cursor), limit: limit + 1 }
  const found = await deliveries.listDeliveryRows(ctx.db, { accountId: actor.accountId, id }, page)
  const rows = found.slice(0, limit)
  const nextCursor = found.length > limit ? encodeCursor(rows.at(-1)!.id) : null
  return { deliveries: rows.map(toDelivery), nextCursor }
}

const encodeCursor = (id: string) => Buffer.from(id).toString('base64url')

function decodeCursor(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const id = Buffer.from(text, 'base64url').toString()
  if (/^dlv_[0-9a-z]{26}$/.test(id)) return id
  throw new AppError('invalid_cursor', 'This cursor does not belong to this list. Start again without it.')
}

function toDelivery(delivery: deliveries.StoredDelivery): Delivery {
  const { id, eventId, event, status, attempts, nextAttemptAt, createdAt } = delivery
  return {
    id,
    eventId,
    event,
    status,
    attempts,
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

/** Schedules a delivery to be sent again now. Throws `webhook_not_found`, `delivery_not_found`, `webhook_disabled`. */
export async function redeliver(ctx: Context, actor: Actor, id: string, deliveryId: string): Promise<void> {
  const key = { accountId: actor.accountId, id }
  await transact(
    ctx,
    async (inner) => {
      const webhook = await requireLocked(inner, actor, id)
      if ((await deliveries.findDelivery(inner.db, key, deliveryId)) === undefined) throw notFound()
      if (webhook.status === 'disabled') {
        throw new AppError('webhook_disabled', 'The endpoint is disabled. Enable it, then send again.')
      }
      await deliveries.makeDue(inner.db, key, deliveryId, inner.now())
      await deliveries.renewRetryAt(inner.db, key)
    },
    actor.accountId,
  )
}

/** Sends a test event, even to a disabled endpoint, without retries. Throws `webhook_not_found`. */
export async function sendTest(ctx: Context, actor: Actor, id: string): Promise<void> {
  const key = { accountId: actor.accountId, id }
  await transact(
    ctx,
    async (inner) => {
      await requireLocked(inner, actor, id)
      const { db, newId, now } = inner
      await deliveries.insertDelivery(db, key, {
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
      })
      await deliveries.renewRetryAt(db, key)
    },
    actor.accountId,
  )
}

/** Locks the endpoint until the end of the transaction. */
async function requireLocked({ db }: Context, { accountId }: Actor, id: string) {
  const webhook = await lockWebhook(db, accountId, id)
  if (webhook === undefined) throw new AppError('webhook_not_found', 'Webhook not found')
  return webhook
}
