import type { AuditAction, AuditCategory } from '@loci/contract/audit'
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { AuditEventsTable } from '../../store/schema.ts'

export type StoredEvent = Selectable<AuditEventsTable>

export async function insertAuditEvent(db: Db, event: Insertable<AuditEventsTable>): Promise<void> {
  await db.insertInto('audit_events').values(event).execute()
}

export type EventsWanted = {
  category?: AuditCategory | undefined
  actions?: readonly AuditAction[] | undefined
  userId?: string | undefined
  /** Event ids; `from` is inclusive, `before` exclusive. */
  from?: string | undefined
  before?: string | undefined
  limit: number
}

/** Events of an account, newest first. */
export async function listEvents(db: Db, accountId: number, wanted: EventsWanted): Promise<StoredEvent[]> {
  const { category, actions, userId, from, before, limit } = wanted
  return db
    .selectFrom('audit_events')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(category !== undefined, (query) => query.where('category', '=', category!))
    .$if(actions !== undefined, (query) => query.where(dialectOf(db).isOneOf('action', actions!)))
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!))
    .$if(from !== undefined, (query) => query.where('id', '>=', from!))
    .$if(before !== undefined, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function listEmails(db: Db, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where(dialectOf(db).isOneOf('id', userIds))
    .execute()
  return new Map(rows.map(({ id, email }) => [id, email]))
}

/** A user's first and last name; empty if there is none. */
export async function findPersonName(db: Db, userId: string): Promise<string> {
  const row = await db
    .selectFrom('users')
    .select(['first_name', 'last_name'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row === undefined ? '' : `${row.first_name} ${row.last_name}`.trim()
}

/** Deletes some of the events before a time; returns how many. */
export async function deleteSomeEvents(db: Db, before: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('audit_events')
    .select(['account_id', 'id'])
    .where('at', '<', before)
    .orderBy('at')
    .limit(limit)
    .execute()
  for (const [accountId, events] of Map.groupBy(rows, (row) => row.account_id)) {
    const ids = events.map(({ id }) => id)
    await db
      .deleteFrom('audit_events')
      .where('account_id', '=', accountId)
      .where(dialectOf(db).isOneOf('id', ids))
      .execute()
  }
  return rows.length
}
