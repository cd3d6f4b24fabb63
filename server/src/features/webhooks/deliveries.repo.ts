import type { DeliveryAttempt, DeliveryStatus } from '@loci/contract/webhooks'
import { type SqlBool, sql } from 'kysely'
import { countFound } from '../../store/count-found.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { firstRows } from '../../store/first-rows.ts'
import { type CamelRow, toCamelRow } from '../../store/row-names.ts'
import type { WebhookDeliveriesTable as DeliveryRow } from '../../store/schema.ts'

export type { DeliveryRow }

/** `early` marks an attempt that was made before the schedule's time, and that the schedule does not count. */
export type StoredAttempt = DeliveryAttempt & { early?: true }

/** Identifies an endpoint. */
export type WebhookKey = { accountId: number; id: string }

/** A stored delivery. */
export type StoredDelivery = Omit<CamelRow<DeliveryRow>, 'accountId' | 'webhookId' | 'attempts'> & {
  attempts: StoredAttempt[]
}

export const toDelivery = ({ account_id, webhook_id, ...row }: DeliveryRow): StoredDelivery => ({
  ...toCamelRow(row),
  attempts: JSON.parse(row.attempts),
})

export function toRow({ accountId, id }: WebhookKey, delivery: StoredDelivery): DeliveryRow {
  return {
    account_id: accountId,
    webhook_id: id,
    id: delivery.id,
    event_id: delivery.eventId,
    event: delivery.event,
    space_id: delivery.spaceId,
    seq: delivery.seq,
    status: delivery.status,
    tries: delivery.tries,
    attempts: JSON.stringify(delivery.attempts),
    answer: delivery.answer,
    next_attempt_at: delivery.nextAttemptAt,
    created_at: delivery.createdAt,
  }
}

const isOf = ({ accountId, id }: WebhookKey) => sql<SqlBool>`account_id = ${accountId} and webhook_id = ${id}`

const deliveriesOf = (db: Db, webhook: WebhookKey) =>
  db.selectFrom('webhook_deliveries').selectAll().where(isOf(webhook))

/** Newest first; `before` is the last id of the previous page. */
export async function listDeliveryRows(
  db: Db,
  webhook: WebhookKey,
  {
    status,
    before,
    limit,
  }: { status: DeliveryStatus | undefined; before: string | undefined; limit: number },
): Promise<StoredDelivery[]> {
  let query = deliveriesOf(db, webhook)
  if (status !== undefined) query = query.where('status', '=', status)
  if (before !== undefined) query = query.where('id', '<', before)
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toDelivery)
}

export async function findDelivery(
  db: Db,
  webhook: WebhookKey,
  id: string,
): Promise<StoredDelivery | undefined> {
  const row = await deliveriesOf(db, webhook).where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : toDelivery(row)
}

/** Deliveries whose next attempt is due, longest overdue first. */
export async function listDue(
  db: Db,
  webhook: WebhookKey,
  now: number,
  limit: number,
): Promise<StoredDelivery[]> {
  const rows = await deliveriesOf(db, webhook)
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toDelivery)
}

/** Number of deliveries waiting for a retry, up to `max`. */
export async function countWaitingDeliveries(db: Db, webhook: WebhookKey, max: number): Promise<number> {
  const waiting = db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where(isOf(webhook))
    .where('next_attempt_at', 'is not', null)
    .limit(max)
    .as('waiting')
  return countFound(db.selectFrom(waiting))
}

export async function insertDelivery(db: Db, webhook: WebhookKey, delivery: StoredDelivery): Promise<void> {
  await db.insertInto('webhook_deliveries').values(toRow(webhook, delivery)).execute()
}

/**
 * Stores the result of an attempt that was due at `dueAt`. If it was scheduled again since, as somebody asked to
 * redeliver it, it stays due.
 */
export async function updateDelivery(
  db: Db,
  webhook: WebhookKey,
  delivery: StoredDelivery,
  dueAt: number | null,
): Promise<void> {
  const { status, tries, attempts, answer, next_attempt_at } = toRow(webhook, delivery)
  const known = await findDelivery(db, webhook, delivery.id)
  const isAskedAnew = known !== undefined && known.nextAttemptAt !== null && known.nextAttemptAt !== dueAt
  await db
    .updateTable('webhook_deliveries')
    .set({ tries, attempts, answer, ...(isAskedAnew ? {} : { status, next_attempt_at }) })
    .where(isOf(webhook))
    .where('id', '=', delivery.id)
    .execute()
}

/** Schedules a delivery to be sent again at `at`. */
export async function makeDue(db: Db, webhook: WebhookKey, id: string, at: number): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', next_attempt_at: at })
    .where(isOf(webhook))
    .where('id', '=', id)
    .execute()
}

/** Makes all deliveries due that have failed since `since`; returns how many. */
export async function makeFailedDue(db: Db, webhook: WebhookKey, since: number, at: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', next_attempt_at: at })
    .where(isOf(webhook))
    .where('status', '=', 'failed')
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** More than can wait at a time. */
const waitingReadMax = 2_000

/** Deliveries that wait for a retry after `now`. */
export async function listWaiting(db: Db, webhook: WebhookKey, now: number): Promise<StoredDelivery[]> {
  const rows = await deliveriesOf(db, webhook)
    .where('next_attempt_at', '>', now)
    .orderBy('next_attempt_at')
    .limit(waitingReadMax)
    .execute()
  return rows.map(toDelivery)
}

/** Schedules deliveries that wait for a retry to be sent at `at`. */
export async function bringForward(
  db: Db,
  webhook: WebhookKey,
  deliveryIds: readonly string[],
  at: number,
): Promise<void> {
  if (deliveryIds.length === 0) return
  await db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: at })
    .where(isOf(webhook))
    .where(dialectOf(db).isOneOf('id', deliveryIds))
    .execute()
}

/** Marks deliveries that wait for a retry as failed. */
export async function failWaiting(db: Db, webhook: WebhookKey): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', next_attempt_at: null })
    .where(isOf(webhook))
    .where('next_attempt_at', 'is not', null)
    .execute()
}

/** Updates the endpoint's time of its next due delivery. */
export async function renewRetryAt(db: Db, webhook: WebhookKey): Promise<void> {
  await db
    .updateTable('webhooks')
    .set((eb) => ({
      retry_at: eb
        .selectFrom('webhook_deliveries')
        .select((one) => one.fn.min('next_attempt_at').as('first'))
        .where(isOf(webhook))
        .where('next_attempt_at', 'is not', null),
    }))
    .where('account_id', '=', webhook.accountId)
    .where('id', '=', webhook.id)
    .execute()
}

/** Deletes finished deliveries that are not among the newest `kept` or are older than `since`. */
export async function trimDeliveries(
  db: Db,
  webhook: WebhookKey,
  { kept, since }: { kept: number; since: number },
): Promise<void> {
  const done = db.deleteFrom('webhook_deliveries').where(isOf(webhook)).where('next_attempt_at', 'is', null)
  const [last] = await deliveriesOf(db, webhook).orderBy('id', 'desc').offset(kept).limit(1).execute()
  if (last !== undefined) await done.where('id', '<=', last.id).execute()
  await done.where('created_at', '<', since).execute()
}

/** Deletes at most `limit` deliveries of an endpoint; returns how many. */
export async function deleteSomeDeliveries(db: Db, webhook: WebhookKey, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_deliveries')
    .where(isOf(webhook))
    .where(firstRows('webhook_deliveries', ['id'], isOf(webhook), limit))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
