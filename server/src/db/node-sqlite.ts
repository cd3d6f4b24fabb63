import { DatabaseSync } from 'node:sqlite'
import type { SqliteStatement } from 'kysely'
import type { Damage } from './sqlite-damage.ts'
import { toKyselyStatement } from './sqlite-statement.ts'
import { createWalSync } from './wal-sync.ts'

const cachedStatementsMax = 500

/** `isRead` is false for what may write; for a little that only reads, too. */
export type NodeStatement = SqliteStatement & { isRead: boolean }

/** A connection to a database file. */
export type NodeSqlite = {
  prepare: (sql: string) => NodeStatement
  isTransaction: () => boolean
  /** Begins a transaction: one that writes, or on a connection that only reads one that keeps what it sees. */
  begin: () => void
  commit: () => void
  rollback: () => void
  /** Another number whenever another connection, of whichever process, has committed to the file. */
  dataVersion: () => number
  /** Rows changed by this connection since it was opened. */
  rowsChanged: () => number
  logSize: () => LogSize
  /** Copies the log to the database file, as far as nobody reads what it replaces. */
  checkpoint: () => void
  /** Waits until what was committed so far is on the disk. */
  sync: () => Promise<void>
  close: () => void
}

/** How long the write-ahead log is; it begins anew once all of it has been copied to the database file. */
export type LogSize = { pages: number; pagesToCopy: number }

export const noLog: LogSize = { pages: 0, pagesToCopy: 0 }

export type NodeSqliteOptions = {
  busyTimeoutMs: number
  extension?: string | undefined
  damage: Damage
}

/**
 * Opens the connection of a process that writes, with a cache of prepared statements. Transactions begin `immediate`:
 * a reader that turns writer in the middle cannot be retried. They end without waiting for the disk, which would block
 * the process: whoever ends one waits with `sync`. What is written outside of them waits in SQLite. The log is
 * left to a checkpointer. A file that is known to be damaged is read, but no longer written to.
 */
export function openNodeSqlite(file: string, options: NodeSqliteOptions): NodeSqlite {
  const database = openDatabase(file, options, false)
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma temp_store = memory;
    pragma cache_size = -65536;
    pragma wal_autocheckpoint = 0;
  `)
  const connection = toConnection(file, database, options.damage)
  return {
    ...connection,
    begin() {
      options.damage.requireNone()
      connection.begin()
    },
  }
}

/**
 * Opens a connection that reads beside the one that writes, which has to be open already: it sees the last commit,
 * whatever transaction is open there. A commit makes it forget the pages it has read, so it keeps few.
 */
export function openNodeSqliteReader(
  file: string,
  options: NodeSqliteOptions,
  tempStore: 'memory' | 'file',
): NodeSqlite {
  const database = openDatabase(file, options, true)
  database.exec(`pragma temp_store = ${tempStore}; pragma cache_size = -8192`)
  return toConnection(file, database, options.damage, 'begin deferred')
}

function openDatabase(file: string, options: NodeSqliteOptions, readOnly: boolean): DatabaseSync {
  const { busyTimeoutMs: timeout, extension } = options
  const allowExtension = extension !== undefined
  const database = new DatabaseSync(file, { readOnly, timeout, defensive: true, allowExtension })
  if (extension !== undefined) loadExtension(database, extension)
  return database
}

function toConnection(
  file: string,
  database: DatabaseSync,
  damage: Damage,
  beginning = 'pragma synchronous = normal; begin immediate',
): NodeSqlite {
  const cache = new Map<string, NodeStatement>()
  let last: { sql: string; statement: NodeStatement } | undefined
  const dataVersion = database.prepare('pragma data_version')
  const totalChanges = database.prepare('select total_changes() as changes')
  const logState = database.prepare('pragma wal_checkpoint(noop)')
  const walSync = createWalSync(database, `${file}-wal`)
  return {
    prepare(sql) {
      // Who writes many rows runs one statement over and over.
      if (last?.sql === sql) return last.statement
      const cached = cache.get(sql)
      const statement = cached ?? prepare(sql)
      if (cached !== undefined) cache.delete(sql)
      cache.set(sql, statement)
      if (cache.size > cachedStatementsMax) cache.delete(cache.keys().next().value!)
      last = { sql, statement }
      return statement
    },
    isTransaction: () => database.isOpen && database.isTransaction,
    begin: () => execute(beginning),
    commit: () => end('commit'),
    rollback: () => end('rollback'),
    dataVersion: () => Number(dataVersion.get()?.data_version),
    rowsChanged: () => Number(totalChanges.get()?.changes),
    logSize() {
      // A checkpoint may end after the connection does.
      if (!database.isOpen) return noLog
      const { log, checkpointed } = logState.get() ?? {}
      return { pages: Number(log), pagesToCopy: Number(log) - Number(checkpointed) }
    },
    checkpoint: () => void database.prepare('pragma wal_checkpoint(passive)').get(),
    sync: walSync.sync,
    close() {
      cache.clear()
      last = undefined
      walSync.close()
      database.close()
    },
  }

  function prepare(sql: string): NodeStatement {
    const isRead = isReadStatement(sql)
    const mustBeSound = !isRead && !isPragma(sql)
    const statement = noteDamage(() => database.prepare(keepPlan(sql)))
    const onRun = mustBeSound ? damage.requireNone : () => {}
    return { ...toKyselyStatement(statement, onRun, damage.noteError), isRead }
  }

  function end(sql: 'commit' | 'rollback'): void {
    // A full disk has ended the transaction already; to end it again would hide what happened.
    if (database.isTransaction) execute(sql)
  }

  function execute(sql: string): void {
    try {
      noteDamage(() => database.exec(sql))
    } finally {
      if (!database.isTransaction) database.exec('pragma synchronous = full')
    }
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
 * SQLite plans by the value of a limit, so with a bare parameter there it makes the whole statement anew each time that
 * a value is bound, which takes ten times as long as to run it.
 */
export const keepPlan = (sql: string) => sql.replaceAll(/\blimit \?/gi, 'limit +?')

/** Loads what can be loaded, and shuts the door behind it. What needs the extension looks whether it is there. */
function loadExtension(database: DatabaseSync, path: string): void {
  try {
    database.loadExtension(path)
  } catch {
    // Made for another system, or its file is gone.
  }
  database.enableLoadExtension(false)
}

const isReadStatement = (sql: string) =>
  /^\s*(select|with)\b/i.test(sql) && !/\b(insert|update|delete|replace)\b/i.test(sql)

const isPragma = (sql: string) => /^\s*pragma\b/i.test(sql)
