import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** A value that SQLite and PostgreSQL both return. */
export type Value = string | number | null | Uint8Array
export type Row = Record<string, Value>

/** A table to move: its columns, the condition of the rows that are moved, and their number. */
export type SourceTable = { name: string; columns: string[]; rows: number; where: string }

/** A snapshot of a SQLite database, read from start to end. */
export type MoveSource = {
  /** Identifies this installation; its copies have the same value. */
  identity: string
  /** Referenced tables come first. */
  tables: SourceTable[]
  /** The rows of a table in key order, without the first `skipped`. */
  read: (table: SourceTable, skipped?: number) => Iterable<Row>
  /** The last numbers of auto-incrementing tables. */
  lastNumbers: () => { table: string; number: number }[]
  /** Whether another process has written since the database was opened. Ends the reading. */
  wasWritten: () => boolean
  close: () => void
}

/** Tables that each database keeps for itself; a target has its own. */
const ownTables = new Set(['migrations', 'attempts', 'leases', 'moves'])

/**
 * The first passage of an observation has its number; others get new numbers when the index is built, and new
 * vectors.
 */
const ofFirstPassages = (
  table: string,
) => `exists (select 1 from observations as o where o.id = "${table}".passage_id
  and o.account_id = "${table}".account_id and o.space_id = "${table}".space_id)`
const tablesOfPassages = ['vectors', 'vector_gaps']

/** Opens a database file whose schema is current. */
export function openMoveSource(file: string): MoveSource {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  const dataVersion = () => Number(database.prepare('pragma data_version').get()?.data_version)
  const before = dataVersion()
  database.exec('begin')
  return {
    identity: identityOf(database),
    tables: listTables(database),
    read: (table, skipped = 0) => readRows(database, table, skipped),
    lastNumbers: () =>
      database.prepare('select name as "table", seq as number from sqlite_sequence').all() as never,
    wasWritten() {
      database.exec('commit')
      return dataVersion() !== before
    },
    close: () => database.close(),
  }
}

function identityOf(database: DatabaseSync): string {
  const { made } = database.prepare('select min(applied_at) as made from migrations').get() ?? {}
  return hash('sha256', `sqlite ${made}`).slice(0, 32)
}

/** Plain tables only: the search index is in a virtual table and is rebuilt. */
function listTables(database: DatabaseSync): SourceTable[] {
  const listed = database
    .prepare(`select name from pragma_table_list where schema = 'main' and type = 'table' order by name`)
    .all()
  const names = listed
    .map(({ name }) => String(name))
    .filter((name) => !name.startsWith('sqlite_') && !ownTables.has(name))
  return sortByReferences(database, names).map((name) => {
    const where = tablesOfPassages.includes(name) ? ofFirstPassages(name) : 'true'
    const counted = database.prepare(`select count(*) as rows from "${name}" where ${where}`).get()
    return { name, columns: columnsOf(database, name), rows: Number(counted?.rows), where }
  })
}

function sortByReferences(database: DatabaseSync, names: readonly string[]): string[] {
  const sorted = new Set<string>()
  const add = (name: string) => {
    if (sorted.has(name)) return
    for (const { target } of database
      .prepare('select "table" as target from pragma_foreign_key_list(?)')
      .all(name))
      if (target !== name) add(String(target))
    sorted.add(name)
  }
  for (const name of names) add(name)
  return [...sorted]
}

function columnsOf(database: DatabaseSync, table: string): string[] {
  return database
    .prepare('select name from pragma_table_info(?) order by cid')
    .all(table)
    .map(({ name }) => String(name))
}

function readRows(database: DatabaseSync, table: SourceTable, skipped: number): Iterable<Row> {
  const columns = table.columns.map((column) => `"${column}"`).join(', ')
  const key = database
    .prepare('select name from pragma_table_info(?) where pk > 0 order by pk')
    .all(table.name)
    .map(({ name }) => `"${name}"`)
    .join(', ')
  return database
    .prepare(`select ${columns} from "${table.name}" where ${table.where} order by ${key} limit -1 offset ?`)
    .iterate(skipped) as Iterable<Row>
}
