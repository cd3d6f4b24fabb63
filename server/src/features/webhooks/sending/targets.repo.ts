import type { Db } from '../../../store/db.ts'
import { dialectOf } from '../../../store/dialect-of.ts'
import { prepared } from '../../../store/prepared.ts'
import type { WebhooksTable } from '../../../store/schema.ts'
import { type StoredWebhook, toWebhook } from '../webhooks.repo.ts'
import type { SourceSpace } from './events.ts'

/** A space in which an endpoint is behind or has deliveries to retry. */
export type TargetSpace = SourceSpace & {
  /** The last change that the endpoint has dealt with. */
  cursor: number
  /** The newest change. */
  newest: number
}

/** An endpoint with something to send. */
export type Target = StoredWebhook & {
  retryAt: number | null
  spaces: number[] | null
  /** All spaces of its account that it receives. */
  sources: TargetSpace[]
}

type Place = { accountId: number; id: string }

const selectAny = prepared((db) =>
  db.selectFrom('webhooks').select('id').where('account_id', '>', 0).orderBy('account_id').limit(1),
)

/** False if nobody uses webhooks, which makes polling almost free. */
export async function hasWebhooks(db: Db): Promise<boolean> {
  return (await selectAny(db, {})).length > 0
}

const targets = (db: Db) =>
  db
    .selectFrom('webhooks')
    .innerJoin('accounts', 'accounts.account_id', 'webhooks.account_id')
    .innerJoin('spaces', 'spaces.account_id', 'webhooks.account_id')
    .leftJoin('webhook_cursors as cursors', (join) =>
      join
        .onRef('cursors.account_id', '=', 'webhooks.account_id')
        .onRef('cursors.webhook_id', '=', 'webhooks.id')
        .onRef('cursors.space_id', '=', 'spaces.space_id'),
    )
    .selectAll('webhooks')
    .select(['accounts.id as account', 'spaces.space_id', 'spaces.name', 'spaces.seq as newest'])
    .select((eb) => eb.fn.coalesce('cursors.seq', eb.lit(0)).as('cursor'))
    .where('accounts.deleted_at', 'is', null)
    .where('spaces.deleted_at', 'is', null)

type Row = WebhooksTable & {
  account: string
  space_id: number
  name: string
  newest: number
  cursor: number
}

/**
 * Active endpoints after `after` with unsent changes: at most `limit` pairs of endpoint and space; of these accounts if
 * some are given.
 */
export async function listBehind(
  db: Db,
  after: Place,
  limit: number,
  accountIds?: readonly number[],
): Promise<Target[]> {
  const isOf = (table: string) => dialectOf(db).isOneOfNumbers(`${table}.account_id`, accountIds ?? [])
  const rows = await targets(db)
    // Of each table, or a cluster asks all nodes.
    .$if(accountIds !== undefined, (query) =>
      query.where(isOf('webhooks')).where(isOf('accounts')).where(isOf('spaces')),
    )
    .where('webhooks.status', '=', 'active')
    .where((eb) =>
      eb(eb.refTuple('webhooks.account_id', 'webhooks.id'), '>', eb.tuple(after.accountId, after.id)),
    )
    // A space without a cursor is new, for endpoints that receive all spaces.
    .where((eb) => eb.or([eb('webhooks.spaces', 'is', null), eb('cursors.seq', 'is not', null)]))
    .where((eb) => eb('spaces.seq', '>', eb.fn.coalesce('cursors.seq', eb.lit(0))))
    .orderBy('webhooks.account_id')
    .orderBy('webhooks.id')
    .limit(limit)
    .execute()
  return group(rows)
}

/** When the next retry or deletion is due; undefined without one. */
export async function findNextRetry(db: Db, accountIds?: readonly number[]): Promise<number | undefined> {
  const row = await db
    .selectFrom('webhooks')
    .select('retry_at')
    .where('retry_at', 'is not', null)
    .$if(accountIds !== undefined, (query) =>
      query.where(dialectOf(db).isOneOfNumbers('account_id', accountIds!)),
    )
    .orderBy('retry_at')
    .limit(1)
    .executeTakeFirst()
  return row?.retry_at ?? undefined
}

/** Endpoints with deliveries due for a retry, longest overdue first. */
export async function listRetrying(db: Db, now: number, limit: number): Promise<Target[]> {
  const rows = await targets(db)
    .where('webhooks.status', '!=', 'deleted')
    .where('webhooks.retry_at', '<=', now)
    .orderBy('webhooks.retry_at')
    .limit(limit)
    .execute()
  return group(rows)
}

/** The current state of an endpoint; undefined if it was deleted. */
export async function findTarget(db: Db, { accountId, id }: Place): Promise<Target | undefined> {
  const rows = await targets(db)
    .where('webhooks.status', '!=', 'deleted')
    .where('webhooks.account_id', '=', accountId)
    .where('webhooks.id', '=', id)
    .execute()
  return group(rows)[0]
}

function group(rows: readonly Row[]): Target[] {
  const found = new Map<string, Target>()
  for (const row of rows) {
    const { account, space_id: spaceId, name, cursor, newest, ...webhook } = row
    const known = found.get(row.id)
    const target = known ?? { ...toWebhook(webhook), retryAt: row.retry_at, sources: [] }
    found.set(row.id, target)
    target.sources.push({ accountId: row.account_id, account, spaceId, name, cursor, newest })
  }
  return [...found.values()]
}

/** Deleted endpoints that still have rows. */
export async function listDeletedWebhooks(db: Db, limit: number): Promise<Place[]> {
  return db
    .selectFrom('webhooks')
    .select(['account_id as accountId', 'id'])
    .where('status', '=', 'deleted')
    .orderBy('account_id')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function deleteWebhookRow(db: Db, { accountId, id }: Place): Promise<void> {
  for (const table of ['webhook_cursors', 'webhooks'] as const) {
    await db
      .deleteFrom(table)
      .where('account_id', '=', accountId)
      .where(table === 'webhooks' ? 'id' : 'webhook_id', '=', id)
      .execute()
  }
}

/** Active endpoints after `after`, in order, each with its account's plan. */
export async function listActive(db: Db, after: Place, limit: number): Promise<(Place & { plan: string })[]> {
  return db
    .selectFrom('webhooks')
    .innerJoin('accounts', 'accounts.account_id', 'webhooks.account_id')
    .select(['webhooks.account_id as accountId', 'webhooks.id', 'accounts.plan'])
    .where('webhooks.status', '=', 'active')
    .where((eb) =>
      eb(eb.refTuple('webhooks.account_id', 'webhooks.id'), '>', eb.tuple(after.accountId, after.id)),
    )
    .orderBy('webhooks.account_id')
    .orderBy('webhooks.id')
    .limit(limit)
    .execute()
}
