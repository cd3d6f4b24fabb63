import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { SqliteStatement } from 'kysely'
import { memoryLimit } from '../ground/memory-limit.ts'
import { createRoutineCheck } from './routine-writes.ts'
import { createSharedRead, type SharedRead } from './shared-read.ts'
import type { Damage } from './sqlite-damage.ts'
import { readableAt } from './sqlite-file.ts'
import { toKyselyStatement } from './sqlite-statement.ts'
import { createWalSync } from './wal-sync.ts'

const cachedStatementsMax = 500

/** `isRead` is false for statements that may write, including a few that only read. */
export type NodeStatement = SqliteStatement & { isRead: boolean }

/** A connection to a database file. */
export type NodeSqlite = {
  prepare: (sql: string) => NodeStatement
  isTransaction: () => boolean
  /** Begins a write transaction, or on a read-only connection a read transaction with a fixed snapshot. */
  begin: () => void
  commit: () => void
  rollback: () => void
  /** Lets what is read from here on in this callback of the event loop share a transaction. */
  beginReads: () => void
  /** Changes whenever another connection, of any process, has committed to the file. */
  dataVersion: () => number
  /** Grows with every commit to the file, except for routine writes of this connection (`routine-writes.ts`). */
  unusualVersion: () => number
  /** Writing statements that this connection has begun since it was opened. */
  writesBegun: () => number
  logSize: () => LogSize
  /** Copies the log to the database file, except pages still needed by readers. */
  checkpoint: () => void
  /** Waits until all commits so far are on the disk. */
  sync: () => Promise<void>
  /** Writes commits to the disk that nobody waits for, so that the next `sync` is short. */
  syncAhead: () => Promise<void>
  close: () => void
}

/** Length of the write-ahead log, which restarts once all of it has been copied to the database file. */
export type LogSize = { pages: number; pagesToCopy: number }

export const noLog: LogSize = { pages: 0, pagesToCopy: 0 }

export type NodeSqliteOptions = {
  busyTimeoutMs: number
  extension?: string | undefined
  damage: Damage
}

const cacheKbMax = 65_536

/** An eighth of the memory that the process may use. */
const cacheKb = () =>
  Math.min(cacheKbMax, Math.floor(((memoryLimit() ?? Number.POSITIVE_INFINITY) * 1_024) / 8))

/**
 * Opens the connection of a process that writes, with a cache of prepared statements. Transactions begin `immediate`,
 * because a reader that turns into a writer cannot be retried. They end without waiting for the disk, which would
 * block the process: callers wait with `sync`. Writes outside of transactions wait inside SQLite. The log is left to
 * a checkpointer. A file known to be damaged can be read, but not written.
 */
export function openNodeSqlite(file: string, options: NodeSqliteOptions): NodeSqlite {
  const database = openDatabase(file, options, false)
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma temp_store = memory;
    pragma cache_size = -${cacheKb()};
    pragma wal_autocheckpoint = 0;
    pragma secure_delete = fast;
  `)
  const connection = toConnection(file, database, options.damage, createSharedRead(database))
  return {
    ...connection,
    begin() {
      options.damage.requireNone()
      connection.begin()
    },
  }
}

/**
 * Opens a read-only connection beside the writing one, which must already be open. It sees the last commit, even
 * while a transaction is open there. A commit invalidates its page cache, so it keeps few pages.
 */
export function openNodeSqliteReader(
  file: string,
  options: NodeSqliteOptions,
  tempStore: 'memory' | 'file',
): NodeSqlite {
  const database = openDatabase(file, options, true)
  database.exec(`pragma temp_store = ${tempStore}; pragma cache_size = -8192`)
  return toConnection(file, database, options.damage)
}

function openDatabase(file: string, options: NodeSqliteOptions, readOnly: boolean): DatabaseSync {
  const { busyTimeoutMs: timeout, extension } = options
  const allowExtension = extension !== undefined
  const place = readOnly ? readableAt(file) : file
  const database = new DatabaseSync(place, { readOnly, timeout, defensive: true, allowExtension })
  if (extension !== undefined) loadExtension(database, extension)
  return database
}

/** Of a connection that only reads. */
const nothingToSync = { async sync() {}, async syncAhead() {}, close() {} }

function toConnection(
  file: string,
  database: DatabaseSync,
  damage: Damage,
  /** Of the connection that writes. */
  sharedRead?: SharedRead,
): NodeSqlite {
  const prepareChecked = createRoutineCheck(database)
  const cache = new Map<string, NodeStatement>()
  let last: { sql: string; statement: NodeStatement } | undefined
  const dataVersion = database.prepare('pragma data_version')
  dataVersion.setReturnArrays(true)
  const logState = database.prepare('pragma wal_checkpoint(noop)')
  const beginning = sharedRead === undefined ? 'begin deferred' : 'begin immediate'
  const [begin, commit, rollback] = [beginning, 'commit', 'rollback'].map((sql) => database.prepare(sql))
  /** Whether a write waits for the disk inside SQLite. */
  let waitsForDisk = true
  let writesBegun = 0
  let unusualCommits = 0
  let isUnusual = false
  const walSync =
    sharedRead === undefined ? nothingToSync : createWalSync(database, `${file}-wal`, () => sharedRead.end())
  return {
    prepare(sql) {
      // Bulk writers run the same statement repeatedly.
      if (last?.sql === sql) return last.statement
      const cached = cache.get(sql)
      const statement = cached ?? prepare(sql)
      if (cached !== undefined) cache.delete(sql)
      cache.set(sql, statement)
      if (cache.size > cachedStatementsMax) cache.delete(cache.keys().next().value!)
      last = { sql, statement }
      return statement
    },
    isTransaction: () => database.isOpen && isTransaction(),
    begin() {
      sharedRead?.end()
      // The mode cannot change inside a transaction. Changing it costs more than most statements.
      if (waitsForDisk) setWaiting(false)
      execute(begin!)
    },
    commit() {
      end(commit!)
      if (isUnusual) unusualCommits++
      isUnusual = false
    },
    rollback: () => end(rollback!),
    beginReads: () => sharedRead?.begin(),
    dataVersion: readVersion,
    unusualVersion: () => readVersion() + unusualCommits,
    writesBegun: () => writesBegun,
    logSize() {
      // A checkpoint can end after the connection is closed. One that only reads may not look at the log.
      if (sharedRead === undefined || !database.isOpen) return noLog
      sharedRead.end()
      const { log, checkpointed } = logState.get() ?? {}
      return { pages: Number(log), pagesToCopy: Number(log) - Number(checkpointed) }
    },
    checkpoint() {
      sharedRead?.end()
      database.prepare('pragma wal_checkpoint(passive)').get()
    },
    sync: walSync.sync,
    syncAhead: walSync.syncAhead,
    close() {
      cache.clear()
      last = undefined
      walSync.close()
      sharedRead?.end()
      database.close()
    },
  }

  function prepare(sql: string): NodeStatement {
    const isRead = isReadStatement(sql)
    const { statement, isRoutine } = noteDamage(() => prepareChecked(keepPlan(sql)))
    const onRun = isRead ? beforeRead : isPragma(sql) ? beforeOther : () => beforeWrite(isRoutine)
    return { ...toKyselyStatement(statement, onRun, damage.noteError), isRead }
  }

  function beforeRead(): void {
    sharedRead?.begin()
  }

  function beforeOther(): void {
    sharedRead?.end()
  }

  function beforeWrite(isRoutine: boolean): void {
    writesBegun++
    sharedRead?.end()
    damage.requireNone()
    if (!isRoutine) isUnusual = true
    if (database.isTransaction) return
    if (!waitsForDisk) setWaiting(true)
    // It commits by itself, before anyone can look at the version.
    if (isUnusual) unusualCommits++
    isUnusual = false
  }

  function setWaiting(value: boolean): void {
    database.exec(`pragma synchronous = ${value ? 'full' : 'normal'}`)
    waitsForDisk = value
  }

  /** Begins no shared read: where nothing is read after it, that would cost two statements. */
  function readVersion(): number {
    return (dataVersion.get() as unknown as [number])[0]
  }

  /** Of a caller, that is. */
  function isTransaction(): boolean {
    return database.isTransaction && sharedRead?.isOpen !== true
  }

  function end(statement: StatementSync): void {
    // A full disk has already ended the transaction; ending it again would hide the original error.
    if (isTransaction()) execute(statement)
  }

  function execute(statement: StatementSync): void {
    noteDamage(() => statement.get())
  }

  function noteDamage<T>(run: () => T): T {
    try {
      return run()
    } catch (error) {
      damage.noteError(error)
      throw error
    }
  }
}

/**
 * SQLite plans by the value of a limit: with a bare parameter it replans the statement each time a value is bound,
 * which takes ten times as long as running it.
 */
export const keepPlan = (sql: string) => sql.replaceAll(/\blimit \?/gi, 'limit +?')

/** Loads the extension, then disallows further loading. Callers that need it check whether it is present. */
function loadExtension(database: DatabaseSync, path: string): void {
  try {
    database.loadExtension(path)
  } catch {
    // Built for another system, or the file is missing.
  }
  database.enableLoadExtension(false)
}

const isReadStatement = (sql: string) =>
  /^\s*(select|with)\b/i.test(sql) && !/\b(insert|update|delete|replace)\b/i.test(sql)

const isPragma = (sql: string) => /^\s*pragma\b/i.test(sql)
