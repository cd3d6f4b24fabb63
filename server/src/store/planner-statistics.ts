import { sql } from 'kysely'
import type { Db } from './db.ts'

/** Assumed rows of a table, most of them in one account. */
const rowsPerTable = 1_000_000
const rowsPerColumn: Record<string, number> = {
  account_id: 500_000,
  space_id: 500_000,
  unclaimed: 500_000,
  local: 500_000,
  embedder: 500_000,
  kind: 100_000,
  type: 10_000,
  operation: 10_000,
  degree: 1_000,
  content_hash: 1,
}
const rowsPerOther = 10

type IndexColumn = {
  tbl: string
  idx: string
  isUnique: number
  isTable: number
  position: number
  name: string
}

/**
 * Tells SQLite's planner that one account can hold most of a table
 * (https://www.sqlite.org/fileformat2.html#stat1tab). By default it assumes a dozen rows per account: it then reads a
 * whole account to avoid a sort, and prefers two columns of a clustered key to three of another index, in foreign key
 * checks too. Measured statistics would be no better: those of an empty table are wrong once it has grown, and nobody
 * measures again in time.
 */
export async function setPlannerStatistics(db: Db): Promise<void> {
  await sql`analyze`.execute(db)
  const { rows } = await sql<IndexColumn>`
    select tables.name as tbl, indexes.name as idx, indexes."unique" as "isUnique", columns.seqno as position,
      columns.name, tables.wr and indexes.origin = 'pk' as "isTable"
    from pragma_table_list() as tables, pragma_index_list(tables.name) as indexes, pragma_index_info(indexes.name) as columns
    where tables.schema = 'main' and tables.type = 'table' order by 1, 2, columns.seqno`.execute(db)
  await sql`delete from sqlite_stat1`.execute(db)
  for (const columns of Map.groupBy(rows, ({ idx }) => idx).values()) {
    const { tbl, idx, isTable } = columns[0]!
    const rowsPerPrefix: number[] = []
    // More columns never match more rows.
    for (const column of columns)
      rowsPerPrefix.push(Math.min(rowsPerPrefix.at(-1) ?? rowsPerTable, rowsOf(column, columns.length)))
    const stat = [rowsPerTable, ...rowsPerPrefix].join(' ')
    await sql`insert into sqlite_stat1 (tbl, idx, stat) values (${tbl}, ${isTable === 1 ? tbl : idx}, ${stat})`.execute(
      db,
    )
  }
  await sql`analyze sqlite_schema`.execute(db)
}

/** Rows that agree in an index up to and including this column. */
function rowsOf({ name, isUnique, position }: IndexColumn, columns: number): number {
  if (position === columns - 1 && (isUnique === 1 || name === 'id')) return 1
  return rowsPerColumn[name] ?? rowsPerOther
}
