import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { endSlot } from '../ground/lib/call-queue.ts'
import { checkSlowly } from './check-slowly.ts'
import { columnsOf, refOf } from './columns.ts'
import { sqliteCommitSignal } from './commit-signal.ts'
import { keepCopy } from './copy-sqlite.ts'
import type { Db, KeyedRange, NumberedRange, PlainRow } from './db.ts'
import type { Dialect } from './dialect.ts'
import { createDiskReserve, type DiskReserve, mayUseReserve, reserveOf } from './disk-reserve.ts'
import { createGroupCommit } from './group-commit.ts'
import { sqliteInsertRows } from './insert-rows-sqlite.ts'
import { openNodeSqlite, openNodeSqliteReader } from './node-sqlite.ts'
import { overwriteFreeSpace } from './overwrite-free-space.ts'
import { setPlannerStatistics } from './planner-statistics.ts'
import { SqliteConnections } from './sqlite-connections.ts'
import { createDamage, type Damage, isDamage } from './sqlite-damage.ts'
import { InProcessSqliteDialect, isSqliteBusy, sqliteCodeOf, untilFree } from './sqlite-in-process.ts'
import { storageOf } from './storage-sqlite.ts'
import { findVectorExtension } from './vector-extension.ts'

const busyTimeoutMs = 20
/** Reads run in this thread: more of them at once would only make each slower. */
const sqliteCallsAtOnce = 4
const sqliteUniqueViolations = [2067, 1555]
const sqliteFull = 13
/** Busy, locked, I/O error, full, cannot open. Read-only is a configuration error that shows at start. */
const sqliteUnavailable = [5, 6, 10, sqliteFull, 14]

/** One file, which several processes can open (WAL). `withVectors` loads the vector extension, if installed. */
export function sqliteDialect(file: string, { withVectors = false, readOnly = false } = {}): Dialect {
  const damage = createDamage()
  const kysely = new InProcessSqliteDialect(async () => {
    const extension = withVectors ? await findVectorExtension() : undefined
    const options = { busyTimeoutMs, extension, damage }
    return new SqliteConnections(file, {
      writer: () =>
        readOnly ? openNodeSqliteReader(file, options, 'memory') : openNodeSqlite(file, options),
      reader: () => openNodeSqliteReader(file, options, 'memory'),
      snapshot: () => openNodeSqliteReader(file, options, 'file'),
    })
  })
  const reserve = createDiskReserve(reserveOf(file))
  const groupCommit = createGroupCommit((db, work) => untilFree(() => db.transaction().execute(work)), kysely)
  return {
    name: 'sqlite',
    isReadOnly: readOnly,
    sql: {
      integer: 'integer',
      text: 'text',
      strict: ' strict',
      clustered: ' strict, without rowid',
      numbered: 'integer primary key autoincrement',
      ofSpace: 'account_id integer not null, space_id integer not null',
      folded: (column) => `lower(${column})`,
      jsonText: (column, key) => `${column} ->> '${key}'`,
    },
    kysely,
    callsAtOnce: sqliteCallsAtOnce,
    // All writers wait.
    stepMs: 20,
    parametersMax: 30_000,
    reserveDisk: reserve.fill,
    transaction: keepingRoom(reserve, groupCommit),
    snapshot: (_db, work) => kysely.withSnapshot(work),
    async overwriting(tx, work) {
      await sql`pragma secure_delete = on`.execute(tx)
      try {
        return await work()
      } finally {
        await sql`pragma secure_delete = fast`.execute(tx)
      }
    },
    dropEarlierVersions: () => overwriteFreeSpace(file),
    forUpdate: sql``,
    isOneOf: (column, values) =>
      sql<SqlBool>`${refOf(column)} in (select value from json_each(${JSON.stringify(values)}))`,
    isOneOfNumbers: (column, values) =>
      sql<SqlBool>`${refOf(column)} in (select value from json_each(${JSON.stringify(values)}))`,
    isJoined: () => sql<SqlBool>`true`,
    hasPart: (column, part) => sql<SqlBool>`instr(lower(${sql.ref(column)}), ${part}) > 0`,
    rangesOf: (ranges) =>
      sql<KeyedRange>`(select value ->> 'key' as key, value ->> 'low' as low, value ->> 'high' as high
        from json_each(${JSON.stringify(ranges)}))`,
    numberedRangesOf: (ranges) =>
      sql<NumberedRange>`(select value ->> 'key' as key, value ->> 'low' as low, value ->> 'high' as high
        from json_each(${JSON.stringify(ranges)}))`,
    // SQLite keeps the order of a cross join.
    lookUp: (table, alias, condition) =>
      sql`cross join ${sql.table(table)} as ${sql.ref(alias)} on ${condition}`,
    firstOf: (selects, end) => sql`${sql.join(selects, sql` union all `)} ${end}`,
    commitSignal: sqliteCommitSignal,
    rowsOf: sqliteRowsOf,
    numbered: (numbers) =>
      sql`(select key as place, value as number from json_each(${JSON.stringify(numbers)}))`,
    insertRows: sqliteInsertRows,
    updateStatistics: async () => {},
    tablesWithoutStatistics: async () => [],
    encodingOf: async () => 'UTF8',
    keepBefore: (next) => keepCopy(file, `${file}.before-${next}`),
    lockMigrations: async () => {},
    listProcesses: async () => [],
    afterMigration: setPlannerStatistics,
    load: () => ({ transactionsWaiting: 0 }),
    isUniqueViolation: (error) => sqliteUniqueViolations.includes(sqliteCodeOf(error)),
    isUnavailable: (error) => sqliteUnavailable.includes(sqliteCodeOf(error) & 0xff) || isSyncFailure(error),
    isTooSlow: isSqliteBusy,
    isFull,
    isDamaged: isDamage,
    requireUndamaged: damage.requireNone,
    checkFile: (db, depth) => checkFile(db, depth, damage),
    async checkSlowly(signal) {
      const found = await checkSlowly(file, signal)
      for (const line of found) damage.note(line)
      return found
    },
    storage: async () => storageOf(file, !(await reserve.isWhole())),
  }
}

/**
 * When the disk is full, essential calls (sign-in, deletions) use the reserved space. Everything else is refused
 * until the space can be reserved again, or as much is free in the database.
 */
function keepingRoom(reserve: DiskReserve, run: Dialect['transaction']): Dialect['transaction'] {
  return async (db, work, account) => {
    // Writers wait for the disk together, so none may hold up those that would join them.
    endSlot()
    const isEssential = mayUseReserve()
    if (!isEssential && !(await reserve.isWhole()) && !(await hasFreePages(db))) throw full()
    try {
      return await run(db, work, account)
    } catch (error) {
      if (!isEssential || !isFull(error) || !reserve.release()) throw error
      return run(db, work, account)
    }
  }
}

const freePagesMin = 2_000

async function hasFreePages(db: Db): Promise<boolean> {
  const { rows } = await sql<{ freelist_count: number }>`pragma freelist_count`.execute(db)
  return (rows[0]?.freelist_count ?? 0) > freePagesMin
}

const isFull = (error: unknown) => (sqliteCodeOf(error) & 0xff) === sqliteFull
const full = () => Object.assign(new Error('database or disk is full'), { errcode: sqliteFull })

/** Also remembers damage that it finds. */
async function checkFile(db: Db, depth: 'quick' | 'full', damage: Damage): Promise<string[]> {
  const check = depth === 'quick' ? sql`pragma quick_check(20)` : sql`pragma integrity_check(20)`
  try {
    const { rows } = await check.execute(db)
    const lines = rows.map((row) => String(Object.values(row as object)[0])).filter((line) => line !== 'ok')
    for (const line of lines) damage.note(line)
    return lines
  } catch (error) {
    // Too damaged to run the check.
    if (isDamage(error)) return [(error as Error).message]
    throw error
  }
}

/** The system could not write a commit to the disk. */
const isSyncFailure = (error: unknown) =>
  (error as NodeJS.ErrnoException | undefined)?.syscall === 'fdatasync'

function sqliteRowsOf(alias: string, rows: readonly PlainRow[]): RawBuilder<unknown> {
  const columns = columnsOf(rows)
  const values = JSON.stringify(rows.map((row) => columns.map((column) => row[column])))
  const selection = sql.join(
    columns.map((column, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(column)}`),
  )
  return sql`(select ${selection} from json_each(${values})) as ${sql.ref(alias)}`
}
