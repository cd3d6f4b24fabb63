import { setImmediate as nextTask } from 'node:timers/promises'
import { sql } from 'kysely'
import { pastTables } from '../../rows/columns.ts'
import { countOfTypes, getCounters } from '../../rows/counters.repo.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** Beyond this many changes, reading all rows is cheaper. */
const changesMax = 20_000
const changesPerRead = 1_000

type CountedTable = 'entities' | 'relations'
type Counted = { seq: number; types?: readonly string[] | undefined }

/**
 * Number of rows valid after the change `seq`: the current ones, minus those that began since, plus
 * those that ended since. The cost is proportional to the number of changes since; undefined if there
 * are too many.
 */
export async function countBack(
  db: Db,
  scope: Scope,
  table: CountedTable,
  { seq, types = [] }: Counted,
): Promise<number | undefined> {
  return dialectOf(db).snapshot(db, async (tx) => {
    const counters = await getCounters(tx, scope)
    if (counters.seq - seq > changesMax) return undefined
    const kind = table === 'entities' ? 'entity' : 'relation'
    let total = types.length === 0 ? counters[table] : await countOfTypes(tx, scope, kind, types)
    for (let from = seq; from < counters.seq; from += changesPerRead) {
      const range = { from, to: from + changesPerRead }
      total -= await countBegun(tx, scope, table, { range, types })
      total += await countEnded(tx, scope, table, { range, types, seq })
      await nextTask()
    }
    return total
  })
}

type Part = { range: { from: number; to: number }; types: readonly string[] }

const ofTypes = (db: Db, types: readonly string[]) =>
  types.length === 0 ? sql`` : sql`and ${dialectOf(db).isOneOf('counted.type', types)}`

/** Current rows that began with one of these changes. */
async function countBegun(
  db: Db,
  { accountId, spaceId }: Scope,
  table: CountedTable,
  { range, types }: Part,
): Promise<number> {
  const condition = sql`${isIn({ accountId, spaceId }, 'counted')}
    and counted.id = changes.subject_id and counted.since = changes.seq`
  const { rows } = await sql<{ count: number }>`select count(*) as count
    from changes ${dialectOf(db).lookUp(table, 'counted', condition)}
    where changes.account_id = ${accountId} and changes.space_id = ${spaceId}
      and changes.seq > ${range.from} and changes.seq <= ${range.to} ${ofTypes(db, types)}`.execute(db)
  return rows[0]!.count
}

/** Rows valid after the change `seq` that ended with one of these changes. */
async function countEnded(
  db: Db,
  { accountId, spaceId }: Scope,
  table: CountedTable,
  { range, types, seq }: Part & { seq: number },
): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from ${sql.table(pastTables[table])} as counted
    where account_id = ${accountId} and space_id = ${spaceId} and until > ${range.from} and until <= ${range.to}
      and since <= ${seq} ${ofTypes(db, types)}`.execute(db)
  return rows[0]!.count
}
