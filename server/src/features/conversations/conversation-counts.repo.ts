import { type RawBuilder, sql } from 'kysely'
import { countFound } from '../../store/count-found.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

export type CountedGroup = {
  agent: string
  project: string | null
  conversations: number
  turns: number
  bytes: number
}

/** The newest conversations of a space, at most `max`, counted by agent and project. */
export async function countNewest(db: Db, scope: Scope, max: number): Promise<CountedGroup[]> {
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('conversations')
        .select(['agent', 'project', 'turns', 'bytes'])
        .where(isIn(scope))
        .orderBy('ended_at', 'desc')
        .orderBy('id', 'desc')
        .limit(max)
        .as('newest'),
    )
    .select(['agent', 'project'])
    .select(sql<number>`count(*)`.as('conversations'))
    .select(sql<number>`sum(turns)`.as('turns'))
    .select(sql<number>`sum(bytes)`.as('bytes'))
    .groupBy(['agent', 'project'])
    .execute()
  return rows.map(({ conversations, turns, bytes, ...group }) => ({
    ...group,
    conversations: Number(conversations),
    turns: Number(turns),
    bytes: Number(bytes),
  }))
}

/** A value of an index of the space's rows; `above`: what is greater than all of them. */
type Indexed = {
  table: 'turns' | 'observations'
  value: RawBuilder<unknown>
  above: RawBuilder<unknown>
  where: RawBuilder<unknown>
}

/** The greatest values, each once: one look-up for each, however many rows have it. */
async function listEachOnce<T>(
  db: Db,
  { accountId, spaceId }: Scope,
  { table, value, above, where }: Indexed,
  max: number,
): Promise<T[]> {
  const { rows } = await sql<{ value: T }>`with recursive each_once as (
      select ${above} as value, 0 as place
      union all
      select (select max(${value}) from ${sql.table(table)} where account_id = ${accountId}
        and space_id = ${spaceId} and ${where} and ${value} < each_once.value), place + 1 from each_once
      where each_once.value is not null and place < ${max}
    ) select value from each_once where place > 0 and value is not null`.execute(db)
  return rows.map((row) => row.value)
}

/** As the index `turns_failed` has it: a tool that says so, or its exit code. */
const isFailed = sql.raw(
  `(tool like '%"ok":false%' or (tool like '%"exitCode":%' and tool not like '%"exitCode":0%'))`,
)

/** The newest conversations in which a tool failed. */
export async function listWithFailures(db: Db, scope: Scope, max: number): Promise<number[]> {
  const above = sql.raw(String(Number.MAX_SAFE_INTEGER))
  const indexed = { table: 'turns', value: sql`conversation_id`, above, where: isFailed } as const
  return (await listEachOnce<number>(db, scope, indexed, max)).map(Number)
}

const sourceOf = (db: Db) => sql.raw(`(${dialectOf(db).sql.jsonText('source', 'conversationId')})`)
const hasSource = sql`source is not null`

/** Public ids of conversations that observations name as their source; they may be deleted. */
export function listNamedAsSource(db: Db, scope: Scope, max: number): Promise<string[]> {
  // The letter after that of `cnv_`, in every collation.
  const indexed = { table: 'observations', value: sourceOf(db), above: sql`'d'`, where: hasSource } as const
  return listEachOnce(db, scope, indexed, max)
}

/** How many observations name a conversation as their source, at most `max`. */
export async function countSourced(db: Db, { accountId, spaceId }: Scope, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (select 1 from observations
      where account_id = ${accountId} and space_id = ${spaceId} and ${hasSource} and ${sourceOf(db)} >= ''
      limit ${max}) as sourced`.execute(db)
  return Number(rows[0]!.count)
}

/** How many of these conversations there are. */
export async function countExisting(db: Db, scope: Scope, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  return countFound(
    db.selectFrom('conversations').where(isIn(scope)).where(dialectOf(db).isOneOfNumbers('id', ids)),
  )
}
