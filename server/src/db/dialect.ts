import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Kysely,
  type Dialect as KyselyDialect,
  PostgresDialect,
  type RawBuilder,
  type SqlBool,
  sql,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { chunksOf } from '../lib/chunks.ts'
import { type CommitSignal, postgresCommitSignal, sqliteCommitSignal } from './commit-signal.ts'
import { createGroupCommit } from './group-commit.ts'
import { sqliteInsertRows } from './insert-rows-sqlite.ts'
import { isOutdatedStatement, namingPool } from './named-statements.ts'
import { openNodeSqlite } from './node-sqlite.ts'
import { setPlannerStatistics } from './planner-statistics.ts'
import type { Postings } from './postings.ts'
import { postgresPostings } from './postings-postgres.ts'
import { sqlitePostings } from './postings-sqlite.ts'
import type { Database } from './schema.ts'
import { InProcessSqliteDialect } from './sqlite-in-process.ts'
import type { Vectors } from './vectors.ts'
import { postgresVectors } from './vectors-postgres.ts'
import { createSqliteVectors, findVectorExtension } from './vectors-sqlite.ts'

/** A database or a transaction on it: repos take either. */
export type Db = Kysely<Database>

/** Columns and their values. */
export type PlainRow = Record<string, string | number | null>

/** From `low` to `high`, ends included. */
export type KeyedRange = { key: string; low: number; high: number }

/** What differs between the databases we run on. */
export type Dialect = {
  name: 'sqlite' | 'postgres'
  /** Column types and the suffix of `create table`, for migrations. */
  sql: {
    integer: string
    text: string
    strict: string
    /** A primary key that counts by itself and gives no number twice. */
    numbered: string
  }
  kysely: KyselyDialect
  /** Most parameters in one statement. */
  parametersMax: number
  /** Runs `work` in a transaction that may write; begins anew when the database says that this can help. */
  transaction: <T>(db: Db, work: (tx: Transaction<Database>) => Promise<T>) => Promise<T>
  /** Runs `work` on the database as it is now, whatever others write meanwhile. Large sorts go to disk. */
  snapshot: <T>(db: Db, work: (snapshot: Db) => Promise<T>) => Promise<T>
  /** Ends a select of rows that the transaction is going to change. */
  forUpdate: RawBuilder<unknown>
  /** `column = one of values`, as one parameter however many values there are. */
  isOneOf: (column: string | RawBuilder<unknown>, values: readonly string[]) => RawBuilder<SqlBool>
  /** The same for whole numbers. */
  isOneOfNumbers: (column: string | RawBuilder<unknown>, values: readonly number[]) => RawBuilder<SqlBool>
  /** Rows to join with: ranges of whole numbers, each under a key. */
  rangesOf: (ranges: readonly KeyedRange[]) => RawBuilder<KeyedRange>
  /**
   * `cross join table as alias`, with a condition by which its rows are looked up for each row before it. PostgreSQL
   * would rather read a table from end to end, above all while it has no statistics, right after much was stored.
   */
  lookUp: (table: keyof Database, alias: string, condition: RawBuilder<unknown>) => RawBuilder<unknown>
  /** The inverted index of search. */
  postings: Postings
  /** Vectors of passages, and the nearest of them. */
  vectors: Vectors
  /** How other processes hear of our commits, and we of theirs. */
  commitSignal: CommitSignal
  /** A table of given rows, to join with or to update from: `from ${rowsOf('delta', [{ id: 'x', added: 2 }])}`. */
  rowsOf: (alias: string, rows: readonly PlainRow[]) => RawBuilder<unknown>
  /** Inserts many rows, which all have the same columns. Cheaper than a query builder's `values` by far. */
  insertRows: (db: Db, table: keyof Database, rows: readonly PlainRow[]) => Promise<void>
  /** Takes the lock under which one process at a time migrates; held to the end of the transaction. */
  lockMigrations: (tx: Db) => Promise<void>
  /** To be called in the transaction that changed the schema, at its end. */
  afterMigration: (tx: Db) => Promise<void>
  isUniqueViolation: (error: unknown) => boolean
  /** True when the database is out of reach, full or too busy, rather than the statement wrong. */
  isUnavailable: (error: unknown) => boolean
  /** True when what is missing is room on the disk. */
  isFull: (error: unknown) => boolean
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
const sqliteFull = 13
/** Busy, locked, I/O error, full, cannot open; read-only is a configuration error that shows at start. */
const sqliteUnavailable = [5, 6, 10, sqliteFull, 14]

/** One file; several processes may have it open (WAL). `withVectors` loads what computes distances, if it is there. */
export function sqliteDialect(file: string, { withVectors = false } = {}): Dialect {
  const isBusy = (error: unknown) => (sqliteCodeOf(error) & 0xff) === sqliteBusy
  const kysely = new InProcessSqliteDialect(async () =>
    openNodeSqlite(file, busyTimeoutMs, withVectors ? await findVectorExtension() : undefined),
  )
  return {
    name: 'sqlite',
    sql: {
      integer: 'integer',
      text: 'text',
      strict: ' strict',
      numbered: 'integer primary key autoincrement',
    },
    kysely,
    parametersMax: 30_000,
    transaction: createGroupCommit(
      async (db, work) => {
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
      () => kysely.sync(),
    ),
    snapshot: (db, work) =>
      db.connection().execute(async (connection) => {
        await sql`pragma temp_store = file`.execute(connection)
        await sql`begin deferred`.execute(connection)
        try {
          return await work(connection)
        } finally {
          await sql`commit`.execute(connection)
          await sql`pragma temp_store = memory`.execute(connection)
        }
      }),
    forUpdate: sql``,
    isOneOf: (column, values) =>
      sql<SqlBool>`${refOf(column)} in (select value from json_each(${JSON.stringify(values)}))`,
    isOneOfNumbers: (column, values) =>
      sql<SqlBool>`${refOf(column)} in (select value from json_each(${JSON.stringify(values)}))`,
    rangesOf: (ranges) =>
      sql<KeyedRange>`(select value ->> 'key' as key, value ->> 'low' as low, value ->> 'high' as high
        from json_each(${JSON.stringify(ranges)}))`,
    // SQLite keeps the order of a cross join.
    lookUp: (table, alias, condition) =>
      sql`cross join ${sql.table(table)} as ${sql.ref(alias)} on ${condition}`,
    postings: sqlitePostings,
    vectors: createSqliteVectors(),
    commitSignal: sqliteCommitSignal,
    rowsOf: sqliteRowsOf,
    insertRows: sqliteInsertRows,
    lockMigrations: async () => {},
    afterMigration: setPlannerStatistics,
    isUniqueViolation: (error) => sqliteUniqueViolations.includes(sqliteCodeOf(error)),
    isUnavailable: (error) => sqliteUnavailable.includes(sqliteCodeOf(error) & 0xff) || isSyncFailure(error),
    isFull: (error) => (sqliteCodeOf(error) & 0xff) === sqliteFull,
  }
}

/** The system could not put a commit onto the disk. */
const isSyncFailure = (error: unknown) =>
  (error as NodeJS.ErrnoException | undefined)?.syscall === 'fdatasync'

function columnsOf(rows: readonly PlainRow[]): string[] {
  return Object.keys(rows[0] ?? {})
}

function sqliteRowsOf(alias: string, rows: readonly PlainRow[]): RawBuilder<unknown> {
  const columns = columnsOf(rows)
  const values = JSON.stringify(rows.map((row) => columns.map((column) => row[column])))
  const selection = sql.join(
    columns.map((column, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(column)}`),
  )
  return sql`(select ${selection} from json_each(${values})) as ${sql.ref(alias)}`
}

const postgresRowsPerInsert = 1_000

/** One array a column; a column of numbers is `bigint`, any other `text`. */
function postgresRowsOf(alias: string, rows: readonly PlainRow[]): RawBuilder<unknown> {
  const columns = columnsOf(rows)
  const arrays = columns.map((column) => {
    const values = rows.map((row) => row[column])
    const type = values.some((value) => typeof value === 'number') ? sql`bigint[]` : sql`text[]`
    return sql`${values}::${type}`
  })
  const names = sql.join(columns.map((column) => sql.ref(column)))
  return sql`unnest(${sql.join(arrays)}) as ${sql.ref(alias)} (${names})`
}

const postgresIntegers = 20
const postgresDiskFull = '53100'
const postgresUniqueViolation = '23505'
/** Serialisation failure and deadlock. */
const postgresRetries = ['40001', '40P01']
const canSucceedAnew = (error: unknown) =>
  postgresRetries.includes(codeOf(error)) || isOutdatedStatement(error)
const postgresAttemptsMax = 5
/** Any number; the same in every process. */
const postgresMigrationLock = 7_400_001

const poolMax = 10

/** Any PostgreSQL from 15 on. */
export function postgresDialect(url: string, { namedStatements = true } = {}): Dialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: 30_000,
    types: {
      getTypeParser: (type, format) =>
        type === postgresIntegers ? Number : pg.types.getTypeParser(type, format as 'text'),
    },
  })
  // A connection that breaks, idle or in use, is replaced; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    name: 'postgres',
    sql: {
      integer: 'bigint',
      text: 'text',
      strict: '',
      numbered: 'bigint generated by default as identity primary key',
    },
    kysely: new PostgresDialect({ pool: namedStatements ? namingPool(pool) : pool }),
    parametersMax: 60_000,
    async transaction(db, work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await db.transaction().execute(work)
        } catch (error) {
          if (!canSucceedAnew(error) || attempt === postgresAttemptsMax) throw error
          await sleep(Math.random() * 50 * attempt)
        }
      }
    },
    snapshot: (db, work) =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    forUpdate: sql`for update`,
    isOneOf: (column, values) => sql<SqlBool>`${refOf(column)} = any(${values})`,
    isOneOfNumbers: (column, values) => sql<SqlBool>`${refOf(column)} = any(${values}::bigint[])`,
    rangesOf: (ranges) =>
      sql<KeyedRange>`(select * from json_to_recordset(${JSON.stringify(ranges)}::json)
        as ranges (key text, low bigint, high bigint))`,
    // `offset 0` keeps the planner from making one join of it.
    lookUp: (table, alias, condition) =>
      sql`cross join lateral (
        select * from ${sql.table(table)} as ${sql.ref(alias)} where ${condition} offset 0
      ) as ${sql.ref(alias)}`,
    postings: postgresPostings,
    vectors: postgresVectors,
    commitSignal: postgresCommitSignal(url),
    rowsOf: postgresRowsOf,
    async insertRows(db, table, rows) {
      for (const chunk of chunksOf(rows, postgresRowsPerInsert)) {
        const columns = sql.join(columnsOf(chunk).map((column) => sql.ref(column)))
        const source = postgresRowsOf('source', chunk)
        await sql`insert into ${sql.table(table)} (${columns}) select ${columns} from ${source}`.execute(db)
      }
    },
    lockMigrations: async (tx) => {
      await sql`select pg_advisory_xact_lock(${postgresMigrationLock})`.execute(tx)
    },
    afterMigration: async () => {},
    isUniqueViolation: (error) => codeOf(error) === postgresUniqueViolation,
    isUnavailable: isPostgresUnavailable,
    isFull: (error) => codeOf(error) === postgresDiskFull,
  }
}

const socketErrors = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']

/** Connection errors of the socket, of the pool (which have no code) and of the server's classes 08, 53, 57. */
function isPostgresUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  if (socketErrors.includes(code) || /^(08|53|57)/.test(code) || isOutdatedStatement(error)) return true
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(error.message)
  )
}
