import { hash } from 'node:crypto'
import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import type { MoveSource, Row, SourceTable } from '../../store/move-source.ts'
import { countMoved, insertMoved, readMoved, type TargetColumns } from '../../store/move-target.ts'

/** Source and target of the rows. `onRows` is called with the number of rows copied or compared. */
export type Copy = {
  source: MoveSource
  db: Db
  dialect: Dialect
  types: TargetColumns
  onRows: (count: number) => void
}

const rowsPerInsert = 1_000
const charactersPerInsert = 1_000_000

/** Copies the rows that the target lacks. Rows are copied in order, so the target always has the first ones. */
export async function copyTable(
  { source, db, dialect, types, onRows }: Copy,
  table: SourceTable,
): Promise<void> {
  const copied = await countMoved(db, table.name)
  onRows(Math.min(copied, table.rows))
  for (const rows of inBatches(source.read(table, copied))) {
    await insertMoved(db, types, table, rows)
    onRows(rows.length)
  }
  await dialect.updateStatistics(db)
}

/** Batches small enough for one statement and for memory. */
function* inBatches(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = []
  let characters = 0
  for (const row of rows) {
    batch.push(row)
    for (const value of Object.values(row)) characters += lengthOf(value)
    if (batch.length < rowsPerInsert && characters < charactersPerInsert) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

const lengthOf = (value: Row[string]) =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 8

/** Whether a table has the same rows on both sides. */
export async function isSame({ source, db, onRows }: Copy, table: SourceTable): Promise<boolean> {
  const here = createRowSum(table.columns)
  for (const row of source.read(table)) here.add(row)
  const there = createRowSum(table.columns)
  await readMoved(db, table, (rows) => {
    for (const row of rows) there.add(row)
    onRows(rows.length)
  })
  return here.digest === there.digest
}

/** An order-independent checksum of rows: equal tables have equal sums. */
type RowSum = { add: (row: Row) => void; readonly rows: number; readonly digest: string }

/** @param columns must be in the same order on both sides */
export function createRowSum(columns: readonly string[]): RowSum {
  let rows = 0
  let high = 0
  let low = 0
  return {
    add(row) {
      const values = columns.map((column) => {
        const value = row[column] ?? null
        return value instanceof Uint8Array ? [Buffer.from(value).toString('base64')] : value
      })
      const bytes = hash('sha256', JSON.stringify(values), 'buffer')
      high = (high + bytes.readUInt32BE(0)) >>> 0
      low = (low + bytes.readUInt32BE(4)) >>> 0
      rows++
    },
    get rows() {
      return rows
    },
    get digest() {
      return [rows, high, low].map((part) => part.toString(16)).join('-')
    },
  }
}
