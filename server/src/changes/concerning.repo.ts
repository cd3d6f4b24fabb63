import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { Database } from '../db/schema.ts'
import type { Scope } from '../scope.ts'
import type { SeqRange } from './log.repo.ts'

/** Rows with one version each; the index that finds those of an entity has this order. */
type Source = { table: keyof Database; column: string; order: readonly string[]; isPast: boolean }

const sources: readonly Source[] = [
  { table: 'entities', column: 'id', order: ['id'], isPast: false },
  { table: 'past_entities', column: 'id', order: ['since'], isPast: true },
  { table: 'observations', column: 'entity_id', order: ['id'], isPast: false },
  { table: 'past_observations', column: 'entity_id', order: ['id', 'since'], isPast: true },
  ...['from_id', 'to_id'].flatMap((column) => [
    { table: 'relations' as const, column, order: ['created_at', 'id'], isPast: false },
    { table: 'past_relations' as const, column, order: ['created_at', 'id', 'since'], isPast: true },
  ]),
]

const rowsPerPage = 2_000

/**
 * Numbers of the changes of an entity, its observations and its relations within a range, in order.
 * Each version of a row stores the changes that began and ended it, so the log needs no index by
 * subject.
 */
export async function listSeqsConcerning(
  db: Db,
  scope: Scope,
  entityId: number,
  { after, before }: SeqRange,
): Promise<number[]> {
  const seqs = new Set<number>()
  for (const source of sources) {
    for await (const rows of pagesOf(db, scope, source, entityId)) {
      for (const { since, until } of rows) {
        if (since > after && since < before) seqs.add(since)
        if (until !== null && until > after && until < before) seqs.add(until)
      }
    }
  }
  return [...seqs].sort((a, b) => a - b)
}

type VersionRow = { since: number; until: number | null } & Record<string, number>

async function* pagesOf(
  db: Db,
  { accountId, spaceId }: Scope,
  { table, column, order, isPast }: Source,
  entityId: number,
): AsyncGenerator<VersionRow[], void> {
  const columns = sql.join(order.map((name) => sql.ref(name)))
  const until = isPast ? sql`until` : sql`null as until`
  let last: VersionRow | undefined
  for (;;) {
    const reached = last
    const rest =
      reached === undefined
        ? sql``
        : sql`and (${columns}) > (${sql.join(order.map((name) => sql.val(reached[name])))})`
    const { rows } = await sql<VersionRow>`
      select ${columns}, since, ${until} from ${sql.table(table)}
      where account_id = ${accountId} and space_id = ${spaceId} and ${sql.ref(column)} = ${entityId} ${rest}
      order by ${columns} limit ${rowsPerPage}`.execute(db)
    yield rows
    if (rows.length < rowsPerPage) return
    last = rows.at(-1)
    await nextTurn()
  }
}
