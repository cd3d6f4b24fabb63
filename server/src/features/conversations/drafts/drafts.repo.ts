import type { DraftKind, DraftStatus } from '@loci/contract/drafts'
import { sql } from 'kysely'
import type { Cursor } from '../../../ground/lib/cursors.ts'
import type { Db } from '../../../store/db.ts'
import { dialectOf } from '../../../store/dialect-of.ts'
import type { DraftsTable } from '../../../store/schema.ts'
import { isIn } from '../../../tenancy/scope.repo.ts'
import type { Scope } from '../../../tenancy/scope.ts'

/** A draft with its numbers and its times in milliseconds, and where it was said. */
export type StoredDraft = {
  id: number
  conversationId: number
  turnId: number
  kind: DraftKind
  content: string
  at: number
  status: DraftStatus
  decidedAt: number | null
  role: 'person' | 'agent' | 'tool'
  agent: string
  project: string | null
  title: string
}

const columns = sql`d.id, d.conversation_id as "conversationId", d.turn_id as "turnId", d.kind, d.content, d.at, d.status,
  d.decided_at as "decidedAt", t.role, c.agent, c.project, c.title`
const joined = (scope: Scope) => sql`drafts as d
  join conversations as c on ${isIn(scope, 'c')} and c.id = d.conversation_id
  join turns as t on ${isIn(scope, 't')} and t.id = d.turn_id`

/** Stores drafts; a sentence that was drafted before is left out, whatever became of it. */
export async function insertDrafts(db: Db, rows: readonly DraftsTable[]): Promise<void> {
  if (rows.length === 0) return
  await sql`insert into drafts (account_id, space_id, id, conversation_id, turn_id, kind, content, content_hash, at, status)
    select account_id, space_id, id, conversation_id, turn_id, kind, content, content_hash, at, status
    from ${dialectOf(db).rowsOf(
      'source',
      rows.map(({ decided_at: _, ...row }) => row),
    )} where true
    on conflict do nothing`.execute(db)
}

export type DraftsWanted = {
  status: DraftStatus
  project?: string | undefined
  conversationId?: number | undefined
  since?: number | undefined
  cursor?: Cursor | undefined
  limit: number
}

/** Newest first. */
export async function listDraftRows(
  db: Db,
  scope: Scope,
  { status, project, conversationId, since, cursor, limit }: DraftsWanted,
): Promise<StoredDraft[]> {
  const conditions = [
    sql`${isIn(scope, 'd')} and d.status = ${status}`,
    ...(project === undefined ? [] : [sql`c.project = ${project}`]),
    ...(conversationId === undefined ? [] : [sql`d.conversation_id = ${conversationId}`]),
    ...(since === undefined ? [] : [sql`d.at >= ${since}`]),
    ...(cursor === undefined ? [] : [sql`(d.at, d.id) < (${cursor.at}, ${cursor.id})`]),
  ]
  const { rows } = await sql<StoredDraft>`select ${columns} from ${joined(scope)}
    where ${sql.join(conditions, sql` and `)} order by d.at desc, d.id desc limit ${limit}`.execute(db)
  return rows
}

export async function findDraft(db: Db, scope: Scope, id: number): Promise<StoredDraft | undefined> {
  const { rows } = await sql<StoredDraft>`select ${columns} from ${joined(scope)}
    where ${isIn(scope, 'd')} and d.id = ${id}`.execute(db)
  return rows[0]
}

/** How many wait, and how many of them were said since a time. */
export async function countOpenDrafts(
  db: Db,
  scope: Scope,
  since: number,
): Promise<{ open: number; recent: number }> {
  const { rows } = await sql<{ open: number; recent: number }>`select count(*) as open,
      coalesce(sum(case when d.at >= ${since} then 1 else 0 end), 0) as recent
    from drafts as d where ${isIn(scope, 'd')} and d.status = 'open'`.execute(db)
  return { open: Number(rows[0]!.open), recent: Number(rows[0]!.recent) }
}

/** How many are open of each of these conversations, or of the newest ones that have some. */
export async function countOpenDraftsOf(
  db: Db,
  scope: Scope,
  { conversations, limit }: { conversations: readonly number[] | undefined; limit: number },
): Promise<{ conversationId: number; count: number }[]> {
  const ofThese =
    conversations === undefined
      ? sql``
      : sql` and ${dialectOf(db).isOneOfNumbers('d.conversation_id', conversations)}`
  const { rows } = await sql<{ id: number; count: number }>`
    select d.conversation_id as id, count(*) as count from drafts as d
    where ${isIn(scope, 'd')} and d.status = 'open'${ofThese}
    group by d.conversation_id order by d.conversation_id desc limit ${limit}`.execute(db)
  return rows.map(({ id, count }) => ({ conversationId: Number(id), count: Number(count) }))
}

/** Decides on an open draft; false if somebody has. */
export async function decideDraft(
  db: Db,
  scope: Scope,
  id: number,
  { status, at }: { status: DraftStatus; at: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('drafts')
    .set({ status, decided_at: at })
    .where(isIn(scope))
    .where('id', '=', id)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteDraftsOfTurn(db: Db, scope: Scope, turnId: number): Promise<void> {
  await db.deleteFrom('drafts').where(isIn(scope)).where('turn_id', '=', turnId).execute()
}
