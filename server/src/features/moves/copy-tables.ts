import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import type { MoveSource, Row, SourceTable } from '../../store/move-source.ts'
import { countMoved, insertMoved, readMoved, type TargetColumns } from '../../store/move-target.ts'
import { createRowSum } from './row-sum.ts'

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
