import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Kysely,
  type Dialect as KyselyDialect,
  PostgresDialect,
  type RawBuilder,
  type SqlBool,
  SqliteDialect,
  sql,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { openNodeSqlite } from './node-sqlite.ts'
import type { Postings } from './postings.ts'
import { postgresPostings } from './postings-postgres.ts'
import { sqlitePostings } from './postings-sqlite.ts'
import type { Database } from './schema.ts'

/** A database or a transaction on it: repos take either. */
export type Db = Kysely<Database>

/** From `low` to `high`, ends included. */
export type KeyedRange = { key: string; low: number; high: number }

/** What differs between the databases we run on. */
export type Dialect = {
  name: 'sqlite' | 'postgres'
  /** Column types and the suffix of `create table`, for migrations. */
  sql: { integer: string; text: string; strict: string }
  kysely: KyselyDialect
  /** Most parameters in one statement. */
  parametersMax: number
  /** Runs `work` in a transaction that may write; begins anew when the database says that this can help. */
  transaction: <T>(db: Db, work: (tx: Transaction<Database>) => Promise<T>) => Promise<T>
  /** Ends a select of rows that the transaction is going to change. */
  forUpdate: RawBuilder<unknown>
  /** `column = one of values`, as one parameter however many values there are. */
  isOneOf: (column: string | RawBuilder<unknown>, values: readonly string[]) => RawBuilder<SqlBool>
  /** The same for whole numbers. */
  isOneOfNumbers: (column: string | RawBuilder<unknown>, values: readonly number[]) => RawBuilder<SqlBool>
  /** Rows to join with: ranges of whole numbers, each under a key. */
  rangesOf: (ranges: readonly KeyedRange[]) => RawBuilder<KeyedRange>
  /** The inverted index of search. */
  postings: Postings
  /** Takes the lock under which one process at a time migrates; held to the end of the transaction. */
  lockMigrations: (tx: Db) => Promise<void>
  isUniqueViolation: (error: unknown) => boolean
  /** True when the database is out of reach, full or too busy, rather than the statement wrong. */
  isUnavailable: (error: unknown) => boolean
}

const refOf = (column: string | RawBuilder<unknown>) =>
  typeof column === 'string' ? sql.ref(column) : column
const codeOf = (error: unknown) => (error as { code?: string } | undefined)?.code ?? ''
const sqliteCodeOf = (error: unknown) => (error as { errcode?: number } | undefined)?.errcode ?? 0

/** Waits in SQLite itself, which blocks the process: short. The patience is in `transaction`. */
const busyTimeoutMs = 20
const busyPatienceMs = 15_000
const sqliteBusy = 5
const sqliteUniqueViolations = [2067, 1555]
/** Busy, locked, I/O error, full, cannot open; read-only is a configuration error that shows at start. */
const sqliteUnavailable = [5, 6, 10, 13, 14]

/** One file; several processes may have it open (WAL). */
export function sqliteDialect(file: string): Dialect {
  const isBusy = (error: unknown) => (sqliteCodeOf(error) & 0xff) === sqliteBusy
  return {
    name: 'sqlite',
    sql: { integer: 'integer', text: 'text', strict: ' strict' },
    kysely: new SqliteDialect({ database: async () => openNodeSqlite(file, busyTimeoutMs) }),
    parametersMax: 30_000,
    async transaction(db, work) {
      const giveUpAt = Date.now() + busyPatienceMs
      for (;;) {
        try {
          return await db.transaction().execute(work)
        } catch (error) {
          if (!isBusy(error) || Date.now() > giveUpAt) throw error
          await sleep(1 + Math.random() * 20)
        }
      }
    },
    forUpdate: sql``,
    isOneOf: (column, values) =>
      sql<SqlBool>`${refOf(column)} in (select value from json_each(${JSON.stringify(values)}))`,
    isOneOfNumbers: (column, values) =>
      sql<SqlBool>`${refOf(column)} in (select value from json_each(${JSON.stringify(values)}))`,
    rangesOf: (ranges) =>
      sql<KeyedRange>`(select value ->> 'key' as key, value ->> 'low' as low, value ->> 'high' as high
        from json_each(${JSON.stringify(ranges)}))`,
    postings: sqlitePostings,
    lockMigrations: async () => {},
    isUniqueViolation: (error) => sqliteUniqueViolations.includes(sqliteCodeOf(error)),
    isUnavailable: (error) => sqliteUnavailable.includes(sqliteCodeOf(error) & 0xff),
  }
}

const postgresIntegers = 20
const postgresUniqueViolation = '23505'
/** Serialisation failure and deadlock. */
const postgresRetries = ['40001', '40P01']
const postgresAttemptsMax = 5
/** Any number; the same in every process. */
const postgresMigrationLock = 7_400_001

/** Any PostgreSQL from 15 on. */
export function postgresDialect(url: string, poolMax = 10): Dialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: 5_000,
    types: {
      getTypeParser: (type, format) =>
        type === postgresIntegers ? Number : pg.types.getTypeParser(type, format as 'text'),
    },
  })
  // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => {})
  return {
    name: 'postgres',
    sql: { integer: 'bigint', text: 'text', strict: '' },
    kysely: new PostgresDialect({ pool }),
    parametersMax: 60_000,
    async transaction(db, work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await db.transaction().execute(work)
        } catch (error) {
          if (!postgresRetries.includes(codeOf(error)) || attempt === postgresAttemptsMax) throw error
          await sleep(Math.random() * 50 * attempt)
        }
      }
    },
    forUpdate: sql`for update`,
    isOneOf: (column, values) => sql<SqlBool>`${refOf(column)} = any(${values})`,
    isOneOfNumbers: (column, values) => sql<SqlBool>`${refOf(column)} = any(${values}::bigint[])`,
    rangesOf: (ranges) =>
      sql<KeyedRange>`(select * from json_to_recordset(${JSON.stringify(ranges)}::json)
        as ranges (key text, low bigint, high bigint))`,
    postings: postgresPostings,
    lockMigrations: async (tx) => {
      await sql`select pg_advisory_xact_lock(${postgresMigrationLock})`.execute(tx)
    },
    isUniqueViolation: (error) => codeOf(error) === postgresUniqueViolation,
    isUnavailable: isPostgresUnavailable,
  }
}

const socketErrors = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']

/** Connection errors of the socket, of the pool (which have no code) and of the server's classes 08, 53, 57. */
function isPostgresUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  if (socketErrors.includes(code) || /^(08|53|57)/.test(code)) return true
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(error.message)
  )
}
