import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'

/** When the newest write of any space was stored, by the clock of that time; 0 if there is none. */
export async function newestWriteAt(db: Db): Promise<number> {
  const { at } = await db
    .selectFrom('spaces')
    .select(({ fn }) => fn.coalesce(fn.max('written_at'), sql.lit(0)).as('at'))
    .executeTakeFirstOrThrow()
  return Number(at)
}

/** Endpoints of all accounts that fail since before `since`, and those disabled since then. */
export async function countFailingWebhooks(
  db: Db,
  since: number,
): Promise<{ failing: number; disabled: number }> {
  const { failing, disabled } = await db
    .selectFrom('webhooks')
    .select([
      sql<number>`sum(case when status = 'active' and failing_since < ${since} then 1 else 0 end)`.as(
        'failing',
      ),
      sql<number>`sum(case when status = 'disabled' and disabled_reason in ('failing', 'gone') then 1 else 0 end)`.as(
        'disabled',
      ),
    ])
    .executeTakeFirstOrThrow()
  return { failing: Number(failing ?? 0), disabled: Number(disabled ?? 0) }
}

/** Mails that failed and wait for another attempt since before `dueBefore`, or were given up after `since`. */
export async function countTroubledMails(
  db: Db,
  { dueBefore, since }: { dueBefore: number; since: number },
): Promise<{ waiting: number; givenUp: number; failure: string | undefined }> {
  const { waiting, given_up, failure } = await db
    .selectFrom('mails')
    .select([
      sql<number>`sum(case when next_try_at is not null and created_at < ${dueBefore} then 1 else 0 end)`.as(
        'waiting',
      ),
      sql<number>`sum(case when next_try_at is null and sent_at is null and created_at > ${since} then 1 else 0 end)`.as(
        'given_up',
      ),
      sql<string | null>`max(case when sent_at is null then failure end)`.as('failure'),
    ])
    .executeTakeFirstOrThrow()
  return { waiting: Number(waiting ?? 0), givenUp: Number(given_up ?? 0), failure: failure ?? undefined }
}

/** Changes that webhooks have not been sent yet, the most of one endpoint in one space. */
export async function largestWebhookLag(db: Db): Promise<number> {
  const { lag } = await db
    .selectFrom('webhook_cursors')
    .innerJoin('webhooks', (join) =>
      join
        .onRef('webhooks.account_id', '=', 'webhook_cursors.account_id')
        .onRef('webhooks.id', '=', 'webhook_cursors.webhook_id'),
    )
    .innerJoin('spaces', (join) =>
      join
        .onRef('spaces.account_id', '=', 'webhook_cursors.account_id')
        .onRef('spaces.space_id', '=', 'webhook_cursors.space_id'),
    )
    .select(sql<number>`max(spaces.seq - webhook_cursors.seq)`.as('lag'))
    .where('webhooks.status', '=', 'active')
    .executeTakeFirstOrThrow()
  return Number(lag ?? 0)
}
