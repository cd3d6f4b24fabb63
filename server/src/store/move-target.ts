import { type RawBuilder, sql } from 'kysely'
import type { Db } from './db.ts'
import { dialectOf } from './dialect-of.ts'
import type { Row, SourceTable, Value } from './move-source.ts'

/** Column types by table and column. */
export type TargetColumns = Map<string, Map<string, string>>

/** Types used by the migrations, by the name under which PostgreSQL lists them. */
const arrayTypes: Record<string, RawBuilder<unknown>> = {
  bigint: sql`bigint[]`,
  integer: sql`bigint[]`,
  text: sql`text[]`,
  bytea: sql`bytea[]`,
}

const rowsPerFetch = 1_000

export async function listTargetColumns(db: Db): Promise<TargetColumns> {
  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select table_name as "table", column_name as "column", data_type as type from information_schema.columns
    where table_schema = current_schema()`.execute(db)
  const columns: TargetColumns = new Map()
  for (const { table, column, type } of rows) {
    const known = columns.get(table) ?? new Map<string, string>()
    columns.set(table, known.set(column, type))
  }
  return columns
}

/** Inserts rows of a source table. */
export async function insertMoved(
  db: Db,
  types: TargetColumns,
  { name, columns }: SourceTable,
  rows: readonly Row[],
): Promise<void> {
  const arrays = columns.map((column) => {
    const type = arrayTypes[types.get(name)?.get(column) ?? '']
    if (type === undefined) throw new Error(`The target has no place for ${name}.${column}`)
    return sql`${rows.map((row) => toParameter(row[column] ?? null))}::${type}`
  })
  const names = sql.join(columns.map((column) => sql.ref(column)))
  await sql`insert into ${sql.table(name)} (${names}) select * from unnest(${sql.join(arrays)})`.execute(db)
}

const toParameter = (value: Value) => (value instanceof Uint8Array ? Buffer.from(value) : value)

export async function countMoved(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)
  return Number(rows[0]!.count)
}

/** All rows of a table, in no particular order, page by page. */
export async function readMoved(
  db: Db,
  { name, columns }: Pick<SourceTable, 'name' | 'columns'>,
  receive: (rows: readonly Row[]) => void,
): Promise<void> {
  await dialectOf(db).snapshot(db, async (snapshot) => {
    const selection = sql.join(columns.map((column) => sql.ref(column)))
    await sql`declare moved cursor for select ${selection} from ${sql.table(name)}`.execute(snapshot)
    const fetch = sql<Row>`fetch ${sql.lit(rowsPerFetch)} from moved`
    for (let rows = (await fetch.execute(snapshot)).rows; rows.length > 0; ) {
      receive(rows)
      rows = (await fetch.execute(snapshot)).rows
    }
  })
}

/** Empties tables, all at once since they reference each other. */
export async function emptyTables(db: Db, tables: readonly string[]): Promise<void> {
  await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(db)
}

/** Raises a table's counter above `number` and above all existing numbers. */
export async function raiseNumbers(db: Db, table: string, column: string, number: number): Promise<void> {
  await sql`select setval(pg_get_serial_sequence(${table}, ${column}),
    greatest(${number}::bigint, (select coalesce(max(${sql.ref(column)}), 1) from ${sql.table(table)})))`.execute(
    db,
  )
}
