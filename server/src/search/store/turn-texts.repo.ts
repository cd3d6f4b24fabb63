import type { TurnRole } from '@loci/contract/conversations'
import { type RawBuilder, sql } from 'kysely'
import { readIds } from '../../ground/lib/id-lists.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { type TurnParts, turnTextOf } from '../analyse/turn-text.ts'
import type { OfEntity, PassageRow } from './index-rows.ts'
import type { Page } from './rows-to-index.repo.ts'

/** Limits turns to those of a project, an agent, somebody who speaks, some conversations, and a time. */
export type TurnFilter = {
  /** A name, or the whole path. */
  project?: string | undefined
  agent?: string | undefined
  role?: TurnRole | undefined
  conversations?: readonly number[] | undefined
  after?: number | undefined
  before?: number | undefined
}

export const isNarrowed = (filter: TurnFilter) => Object.values(filter).some((value) => value !== undefined)

type TurnRow = {
  id: number
  conversationId: number
  role: TurnRole
  text: string
  tool: string | null
  files: string | null
  at: number
  title: string
  project: string | null
}

/**
 * The turns with these numbers that pass the filter, as texts that are searched: the conversation takes the place of the
 * entity, its title that of the name, and its project that of the type.
 */
export async function findTurnRows(
  db: Db,
  scope: Scope,
  ids: readonly number[],
  filter: TurnFilter,
): Promise<PassageRow[]> {
  if (ids.length === 0) return []
  const { rows } =
    await sql<TurnRow>`select t.id, t.conversation_id as "conversationId", t.role, t.text, t.tool, t.files,
      t.at, c.title, c.project from turns as t join conversations as c
      on c.account_id = t.account_id and c.space_id = t.space_id and c.id = t.conversation_id
    where ${isIn(scope, 't')} and ${dialectOf(db).isOneOfNumbers('t.id', ids)}
      and ${sql.join([sql`1 = 1`, ...conditions(db, filter)], sql` and `)}`.execute(db)
  return rows.map(toPassageRow)
}

/**
 * Conversations about a project, by its name or whole path. A path need not end in the name, which may have slashes.
 */
export const isOfProject = (project: string) =>
  /[\\/]/.test(project)
    ? sql<boolean>`(project = ${project} or project_path = ${project})`
    : sql<boolean>`project = ${project}`

function conditions(
  db: Db,
  { project, agent, role, conversations, after, before }: TurnFilter,
): RawBuilder<unknown>[] {
  return [
    ...(project === undefined ? [] : [isOfProject(project)]),
    ...(agent === undefined ? [] : [sql`c.agent = ${agent}`]),
    ...(role === undefined ? [] : [sql`t.role = ${role}`]),
    ...(conversations === undefined ? [] : [dialectOf(db).isOneOfNumbers('c.id', conversations)]),
    ...(after === undefined ? [] : [sql`t.at >= ${after}`]),
    ...(before === undefined ? [] : [sql`t.at < ${before}`]),
  ]
}

const toParts = ({
  role,
  text,
  tool,
  files,
}: Pick<TurnRow, 'role' | 'text' | 'tool' | 'files'>): TurnParts => ({
  role,
  text,
  tool: tool === null ? undefined : JSON.parse(tool),
  files: files === null ? undefined : JSON.parse(files),
})

/** In ascending order of number. */
export async function listTurnsToIndex(
  db: Db,
  scope: Scope,
  { after, upTo, limit }: Page,
): Promise<(TurnParts & { id: number })[]> {
  const rows = await db
    .selectFrom('turns')
    .select(['id', 'role', 'text', 'tool', 'files'])
    .where(isIn(scope))
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, role, ...row }) => ({ id, ...toParts({ ...row, role: role as TurnRole }) }))
}

function toPassageRow({ id, conversationId, at, title, project, ...row }: TurnRow): PassageRow {
  return {
    ...{ id, entityId: conversationId, content: turnTextOf(toParts(row)), metadata: null, createdAt: at },
    ...{ trueFrom: null, trueUntil: null, expiresAt: null, replacedBy: null, stale: null },
    ...{ name: title, type: project ?? '' },
  }
}

type Row = { id: number; before: string | null; after: string | null }

/** The numbers of the turns around each, nearest first. */
export async function listTurnsAround(
  db: Db,
  scope: Scope,
  turns: readonly OfEntity[],
  { beforeMax, afterMax }: { beforeMax: number; afterMax: number },
): Promise<{ id: number; before: number[]; after: number[] }[]> {
  if (turns.length === 0) return []
  const near = (isOnSide: RawBuilder<unknown>, order: RawBuilder<unknown>, limit: number) => sql`(
    select string_agg(cast(id as text), ',') from (
      select t.id as id from turns as t where ${isIn(scope, 't')} and t.conversation_id = asked.low and ${isOnSide}
      order by t.id ${order} limit ${limit}
    ) as near)`
  const ranges = turns.map(({ id, entityId }) => ({ key: id, low: entityId, high: 0 }))
  const { rows } = await sql<Row>`select asked.key as id,
      ${near(sql`t.id < asked.key`, sql`desc`, beforeMax)} as before,
      ${near(sql`t.id > asked.key`, sql`asc`, afterMax)} as after
    from ${dialectOf(db).numberedRangesOf(ranges)} as asked`.execute(db)
  const toNumbers = (ids: string | null) => [...readIds(ids ?? '')]
  return rows.map(({ id, before, after }) => ({ id, before: toNumbers(before), after: toNumbers(after) }))
}
