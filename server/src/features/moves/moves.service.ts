import type { Logger } from 'pino'
import { ConfigError } from '../../ground/config/config.ts'
import { ownCommand } from '../../ground/lib/own-command.ts'
import { renewIndexes } from '../../search/store/rebuild-index.ts'
import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import type { MoveSource, SourceTable } from '../../store/move-source.ts'
import { emptyTables, listTargetColumns, raiseNumbers } from '../../store/move-target.ts'
import { type Copy, copyTable, isSame } from './copy-tables.ts'
import { findMove, insertMove, isInUse, outdateIndexes, setMoveState } from './moves.repo.ts'

/** The current step and its progress in rows. */
export type MoveProgress = { step: 'copying' | 'comparing' | 'indexing'; rows: number; of: number }

export type MoveOptions = {
  log: Logger
  now: () => number
  onProgress?: (progress: MoveProgress) => void
}

const tablesToIndex = ['search_words', 'entities', 'observations', 'turns']
const listIndexed = ({ tables }: MoveSource) => tables.filter(({ name }) => tablesToIndex.includes(name))

/** Derived by search; copied last, since rebuilding the index deletes them. */
const tablesAfterIndex = ['vectors', 'vector_gaps', 'vector_spaces']

/**
 * Moves a SQLite installation into an empty, migrated PostgreSQL database and compares both sides table by table. An
 * interrupted move resumes where it stopped; a move into a database with other data is refused. Throws
 * {@link ConfigError}.
 */
export async function moveInstallation(
  source: MoveSource,
  { db, dialect }: { db: Db; dialect: Dialect },
  { log, now, onProgress = () => {} }: MoveOptions,
): Promise<'moved' | 'moved before'> {
  const state = await beginMove(source, db, dialect, now())
  if (state === 'finished') return 'moved before'
  const types = await listTargetColumns(db)
  const copyOf = (step: MoveProgress['step'], tables: readonly SourceTable[]): Copy => {
    const of = tables.reduce((sum, { rows }) => sum + rows, 0)
    let rows = 0
    const onRows = (count: number) => {
      rows += count
      onProgress({ step, rows, of })
    }
    return { source, db, dialect, types, onRows }
  }
  const [first, last] = [false, true].map((isLast) =>
    source.tables.filter(({ name }) => tablesAfterIndex.includes(name) === isLast),
  ) as [SourceTable[], SourceTable[]]
  if (state === 'copying') {
    await copyAll(copyOf, first)
    await finishCopy(source, db, dialect)
  }
  const { onRows } = copyOf('indexing', listIndexed(source))
  onRows(0)
  await renewIndexes({ db, dialect }, log, now, onRows)
  await emptyTables(
    db,
    last.map(({ name }) => name),
  )
  await copyAll(copyOf, last)
  if (source.wasWritten()) {
    await setMoveState(db, source.identity, 'copying')
    throw new ConfigError(writtenMeanwhile)
  }
  await setMoveState(db, source.identity, 'finished', now())
  return 'moved'
}

const writtenMeanwhile =
  'Something has written to the source while it was moved. Stop every `loci mcp` on it, then run the same command again.'

/** Returns the state of the move. A lock admits one process at a time. */
async function beginMove(source: MoveSource, db: Db, dialect: Dialect, now: number) {
  return dialect.transaction(db, async (tx) => {
    await dialect.lockMigrations(tx)
    const known = await findMove(tx)
    if (known?.source === source.identity) return known.state
    if (known !== undefined || (await isInUse(tx))) {
      throw new ConfigError(
        'The database at DATABASE_URL holds other data already. Move into an empty database.',
      )
    }
    // A server that was started on it once left a few rows.
    await emptyTables(
      tx,
      source.tables.map(({ name }) => name),
    )
    await insertMove(tx, source.identity, now)
    return 'copying' as const
  })
}

/** Copies and compares. If the source was used after an interrupted move, it is copied from the beginning. */
async function copyAll(
  copyOf: (step: 'copying' | 'comparing', tables: readonly SourceTable[]) => Copy,
  tables: readonly SourceTable[],
): Promise<void> {
  for (const isLastTry of [false, true]) {
    const copy = copyOf('copying', tables)
    for (const table of tables) await copyTable(copy, table)
    const differing = await listDiffering(copyOf('comparing', tables), tables)
    if (differing.length === 0) return
    if (isLastTry) throw new ConfigError(`The two sides differ in ${differing.join(', ')}. Nothing is lost.`)
    await emptyTables(
      copy.db,
      tables.map(({ name }) => name),
    )
  }
}

async function listDiffering(copy: Copy, tables: readonly SourceTable[]): Promise<string[]> {
  const differing: string[] = []
  for (const table of tables) if (!(await isSame(copy, table))) differing.push(table.name)
  return differing
}

/** Once the rows are copied: continues the number sequences and marks the search index for rebuilding. */
async function finishCopy(source: MoveSource, db: Db, dialect: Dialect): Promise<void> {
  await dialect.transaction(db, async (tx) => {
    for (const { table, number } of source.lastNumbers()) await raiseNumbers(tx, table, 'account_id', number)
    await outdateIndexes(tx)
    await setMoveState(tx, source.identity, 'indexing')
  })
}

/** Throws {@link ConfigError} while a move into this database is under way or was interrupted. */
export async function requireNoMove(db: Db): Promise<void> {
  const move = await findMove(db)
  if (move === undefined || move.state === 'finished') return
  throw new ConfigError(
    `A move into this database is not finished. Run "${ownCommand('move sqlite-to-postgres')}" again, then start the server.`,
  )
}
