import type { DisabledReason, WebhookStatus } from '@loci/contract/webhooks'
import { sql } from 'kysely'
import type { Db } from '../../../store/db.ts'
import { dialectOf } from '../../../store/dialect-of.ts'
import type { WebhookKey } from '../deliveries.repo.ts'

/** Locks these endpoints until the end of the transaction; returns those that still exist. */
export async function lockPresent(
  db: Db,
  webhooks: readonly WebhookKey[],
  now: number,
): Promise<Map<string, { status: WebhookStatus; spaces: number[] | null }>> {
  const accounts = [...new Set(webhooks.map(({ accountId }) => accountId))]
  const ids = webhooks.map(({ id }) => id)
  const rows = await db
    .updateTable('webhooks')
    .set({ recorded_at: now })
    .where(dialectOf(db).isOneOfNumbers('account_id', accounts))
    .where(dialectOf(db).isOneOf('id', ids))
    .where('status', '!=', 'deleted')
    .returning(['id', 'status', 'spaces'])
    .execute()
  return new Map(
    rows.map(({ id, status, spaces }) => [
      id,
      { status: status as WebhookStatus, spaces: spaces === null ? null : JSON.parse(spaces) },
    ]),
  )
}

type CursorRow = { account_id: number; webhook_id: string; space_id: number; seq: number }

/** Advances cursors in the log, never back. */
export async function moveCursors(db: Db, rows: readonly CursorRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`insert into webhook_cursors (account_id, webhook_id, space_id, seq)
    select account_id, webhook_id, space_id, seq from ${dialectOf(db).rowsOf('moved', rows)} where true
    on conflict (account_id, webhook_id, space_id) do update set seq = excluded.seq
    where webhook_cursors.seq < excluded.seq`.execute(db)
}

const rowOf = (db: Db, { accountId, id }: WebhookKey) =>
  db.updateTable('webhooks').where('account_id', '=', accountId).where('id', '=', id)

export async function setHealth(
  db: Db,
  webhook: WebhookKey,
  { succeededAt, failingSince }: { succeededAt: number | null; failingSince: number | null },
): Promise<void> {
  await rowOf(db, webhook)
    .set({ failing_since: failingSince, ...(succeededAt === null ? {} : { last_success_at: succeededAt }) })
    .execute()
}

export async function disableWebhook(
  db: Db,
  webhook: WebhookKey,
  reason: DisabledReason,
  at: number,
): Promise<void> {
  await rowOf(db, webhook).set({ status: 'disabled', disabled_reason: reason, disabled_at: at }).execute()
}
