import type { WebhookStatus } from '@loci/contract/webhooks'
import { countFound } from '../../store/count-found.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { type CamelRow, toCamelRow } from '../../store/row-names.ts'
import type { WebhooksTable } from '../../store/schema.ts'

/** A stored endpoint with its lists parsed. */
export type StoredWebhook = Omit<CamelRow<Row>, 'events' | 'spaces' | 'status'> & {
  events: string[]
  /** Numbers of spaces; null for all. */
  spaces: number[] | null
  status: WebhookStatus
}

type Row = Omit<WebhooksTable, 'recorded_at' | 'retry_at'>

export function toWebhook({ recorded_at, retry_at, ...row }: WebhooksTable): StoredWebhook {
  return {
    ...toCamelRow(row),
    events: JSON.parse(row.events),
    spaces: row.spaces === null ? null : JSON.parse(row.spaces),
    status: row.status === 'active' ? 'active' : 'disabled',
  }
}

/** More than an account can have. */
const webhooksListedMax = 500

const webhooksOf = (db: Db, accountId: number) =>
  db.selectFrom('webhooks').selectAll().where('account_id', '=', accountId).where('status', '!=', 'deleted')

/** Oldest first; ids grow with time. */
export async function listWebhookRows(db: Db, accountId: number): Promise<StoredWebhook[]> {
  const rows = await webhooksOf(db, accountId).orderBy('id').limit(webhooksListedMax).execute()
  return rows.map(toWebhook)
}

export async function findWebhook(db: Db, accountId: number, id: string): Promise<StoredWebhook | undefined> {
  const row = await webhooksOf(db, accountId).where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : toWebhook(row)
}

/** Like `findWebhook`, and locks it until the end of the transaction. */
export async function lockWebhook(db: Db, accountId: number, id: string): Promise<StoredWebhook | undefined> {
  const query = webhooksOf(db, accountId).where('id', '=', id).modifyEnd(dialectOf(db).forUpdate)
  const row = await query.executeTakeFirst()
  return row === undefined ? undefined : toWebhook(row)
}

/** Number of endpoints that count towards the plan's limit; with `status`, only those. */
export async function countWebhookRows(db: Db, accountId: number, status?: WebhookStatus): Promise<number> {
  return countFound(
    db
      .selectFrom('webhooks')
      .where('account_id', '=', accountId)
      .where('status', status === undefined ? '!=' : '=', status ?? 'deleted'),
  )
}

export type NewWebhookRow = Pick<
  StoredWebhook,
  'accountId' | 'id' | 'url' | 'description' | 'events' | 'spaces' | 'secret' | 'createdAt'
>

export async function insertWebhook(db: Db, webhook: NewWebhookRow): Promise<void> {
  await db
    .insertInto('webhooks')
    .values({
      account_id: webhook.accountId,
      id: webhook.id,
      url: webhook.url,
      description: webhook.description,
      events: JSON.stringify(webhook.events),
      spaces: webhook.spaces === null ? null : JSON.stringify(webhook.spaces),
      status: 'active',
      secret: webhook.secret,
      created_at: webhook.createdAt,
      recorded_at: webhook.createdAt,
    })
    .execute()
}

const rowOf = (db: Db, { accountId, id }: Pick<StoredWebhook, 'accountId' | 'id'>) =>
  db.updateTable('webhooks').where('account_id', '=', accountId).where('id', '=', id)

/** Stores the fields that callers can change. */
export async function updateWebhookRow(db: Db, webhook: StoredWebhook): Promise<void> {
  await rowOf(db, webhook)
    .set({
      url: webhook.url,
      description: webhook.description,
      events: JSON.stringify(webhook.events),
      spaces: webhook.spaces === null ? null : JSON.stringify(webhook.spaces),
      status: webhook.status,
      disabled_reason: webhook.disabledReason,
      disabled_at: webhook.disabledAt,
      failing_since: webhook.failingSince,
    })
    .execute()
}

export async function setSecrets(
  db: Db,
  webhook: Pick<StoredWebhook, 'accountId' | 'id' | 'secret' | 'oldSecret' | 'oldSecretUntil'>,
): Promise<void> {
  const { secret, oldSecret, oldSecretUntil } = webhook
  await rowOf(db, webhook).set({ secret, old_secret: oldSecret, old_secret_until: oldSecretUntil }).execute()
}

/** Hides an endpoint at once; its rows are due for deletion by the sender. */
export async function markWebhookDeleted(db: Db, accountId: number, id: string, now: number): Promise<void> {
  await rowOf(db, { accountId, id }).set({ status: 'deleted', retry_at: now }).execute()
}

const spacesListedMax = 1_000

/** The spaces of an account, each with the number of its newest change. */
export async function listSpacesWithNewestChange(db: Db, accountId: number) {
  return db
    .selectFrom('spaces')
    .select(['space_id as spaceId', 'name', 'seq'])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('space_id')
    .limit(spacesListedMax)
    .execute()
}

/** Sets an endpoint's cursors to these changes; spaces that are not listed lose their cursor. */
export async function replaceCursors(
  db: Db,
  { accountId, id }: Pick<StoredWebhook, 'accountId' | 'id'>,
  cursors: readonly { spaceId: number; seq: number }[],
): Promise<void> {
  await db
    .deleteFrom('webhook_cursors')
    .where('account_id', '=', accountId)
    .where('webhook_id', '=', id)
    .execute()
  if (cursors.length === 0) return
  const rows = cursors.map(({ spaceId, seq }) => ({
    account_id: accountId,
    webhook_id: id,
    space_id: spaceId,
    seq,
  }))
  await db.insertInto('webhook_cursors').values(rows).execute()
}

export async function listCursors(db: Db, { accountId, id }: Pick<StoredWebhook, 'accountId' | 'id'>) {
  return db
    .selectFrom('webhook_cursors')
    .select(['space_id as spaceId', 'seq'])
    .where('account_id', '=', accountId)
    .where('webhook_id', '=', id)
    .limit(spacesListedMax)
    .execute()
}
