import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import type { Damage } from './sqlite-damage.ts'
import { toKyselyStatement } from './sqlite-statement.ts'
import { createWalSync } from './wal-sync.ts'

const cachedStatementsMax = 500

/** A database of Kysely's, and what only one in our own process can tell. */
export type NodeSqlite = SqliteDatabase & {
  isTransaction: () => boolean
  /** Another text whenever anybody has written to the file: we (counted) or others (`data_version`). */
  writes: () => string
  /** Waits until what was committed so far is on the disk. */
  sync: () => Promise<void>
}

export type NodeSqliteOptions = {
  busyTimeoutMs: number
  extension?: string | undefined
  damage: Damage
}

/**
 * `node:sqlite` in the shape that Kysely's SQLite driver takes, with a cache of prepared statements.
 * Transactions begin `immediate`: all of ours write, and a reader that turns writer in the middle cannot be retried.
 * They end without waiting for the disk, which would block the process: whoever ends one waits with `sync`. What is
 * written outside of them waits in SQLite. A file that is known to be damaged is read, but no longer written to.
 */
export function openNodeSqlite(
  file: string,
  { busyTimeoutMs, extension, damage }: NodeSqliteOptions,
): NodeSqlite {
  const database = new DatabaseSync(file, {
    timeout: busyTimeoutMs,
    defensive: true,
    allowExtension: extension !== undefined,
  })
  if (extension !== undefined) loadExtension(database, extension)
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma temp_store = memory;
    pragma cache_size = -65536;
    pragma wal_autocheckpoint = 4000;
  `)
  const cache = new Map<string, SqliteStatement>()
  const ofOthers = database.prepare('pragma data_version')
  let ours = 0
  const walSync = createWalSync(database, `${file}-wal`)

  function prepare(sql: string): StatementSync {
    try {
      return database.prepare(keepPlan(sql))
    } catch (error) {
      damage.noteError(error)
      throw error
    }
  }

  function onRunOf(sql: string): () => void {
    if (isRead(sql)) return () => {}
    if (isPragma(sql)) return () => void ours++
    return () => {
      damage.requireNone()
      ours++
    }
  }

  return {
    isTransaction: () => database.isOpen && database.isTransaction,
    writes: () => `${ofOthers.get()?.data_version} ${ours}`,
    sync: walSync.sync,
    close() {
      cache.clear()
      walSync.close()
      database.close()
    },
    prepare(sql) {
      if (isBoundary(sql)) return toBoundary(database, damage, sql)
      const cached = cache.get(sql)
      if (cached !== undefined) {
        cache.delete(sql)
        cache.set(sql, cached)
        return cached
      }
      const statement = toKyselyStatement(prepare(sql), onRunOf(sql), damage.noteError)
      cache.set(sql, statement)
      if (cache.size > cachedStatementsMax) cache.delete(cache.keys().next().value!)
      return statement
    },
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

type Boundary = 'begin' | 'commit' | 'rollback'
const isBoundary = (sql: string): sql is Boundary => sql === 'begin' || sql === 'commit' || sql === 'rollback'

function toBoundary(database: DatabaseSync, damage: Damage, sql: Boundary): SqliteStatement {
  return {
    reader: false,
    all: () => [],
    iterate: () => [].values(),
    run() {
      if (sql === 'begin') damage.requireNone()
      try {
        if (sql === 'begin') database.exec('pragma synchronous = normal; begin immediate')
        // A full disk has ended the transaction already; to end it again would hide what happened.
        else if (database.isTransaction) database.exec(sql)
      } catch (error) {
        damage.noteError(error)
        throw error
      } finally {
        if (!database.isTransaction) database.exec('pragma synchronous = full')
      }
      return { changes: 0, lastInsertRowid: 0 }
    },
  }
}

/** False for what may write; for a little that only reads, too. */
const isRead = (sql: string) =>
  /^\s*(select|with)\b/i.test(sql) && !/\b(insert|update|delete|replace)\b/i.test(sql)

const isPragma = (sql: string) => /^\s*pragma\b/i.test(sql)
