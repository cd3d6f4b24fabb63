import type { Dialect as KyselyDialect, RawBuilder, SqlBool, Transaction } from 'kysely'
import type { CommitSignal } from './commit-signal.ts'
import type { Db, KeyedRange, NumberedRange, PlainRow } from './db.ts'
import type { Postings } from './postings.ts'
import type { Database } from './schema.ts'
import type { Vectors } from './vectors.ts'

/** What waits in this process for the database. */
export type DatabaseLoad = {
  /** Transactions that have not begun; counted while metrics are on. */
  transactionsWaiting: number
  /** Connections to PostgreSQL, and callers that wait for one. */
  pool?: { open: number; idle: number; waiting: number }
}

/** What differs between the databases we run on. */
export type Dialect = {
  name: 'sqlite' | 'postgres'
  /** Column types and the suffix of `create table`, for migrations. */
  sql: {
    integer: string
    text: string
    strict: string
    /** Suffix of `create table` for a table that is stored in the order of its primary key. */
    clustered: string
    /** A primary key that counts by itself and gives no number twice. */
    numbered: string
    /** The text of a column in lower case (ASCII letters), compared byte by byte. */
    folded: (column: string) => string
  }
  kysely: KyselyDialect
  /** Calls that the database serves at once before they are in each other's way. */
  callsAtOnce: number
  /** How long one transaction of many, such as an import's, should hold up those who wait for it in a server. */
  stepMs: number
  /** Most parameters in one statement. */
  parametersMax: number
  /**
   * Runs `work` in a transaction that may write; begins anew when the database says that this can help. Where
   * transactions wait for each other, accounts take turns, and a call gives its own turn back (`endTurn`).
   */
  transaction: <T>(
    db: Db,
    work: (tx: Transaction<Database>) => Promise<T>,
    account?: string | number,
  ) => Promise<T>
  /** Sets space aside on the disk of the database, for what has to be written when it is full; false without room. */
  reserveDisk: () => Promise<boolean>
  /** Runs `work` on the database as it is now, whatever others write meanwhile. Large sorts go to disk. */
  snapshot: <T>(db: Db, work: (snapshot: Db) => Promise<T>) => Promise<T>
  /** Ends a select of rows that the transaction is going to change. */
  forUpdate: RawBuilder<unknown>
  /** `column = one of values`, as one parameter however many values there are. */
  isOneOf: (column: string | RawBuilder<unknown>, values: readonly string[]) => RawBuilder<SqlBool>
  /** The same for whole numbers. */
  isOneOfNumbers: (column: string | RawBuilder<unknown>, values: readonly number[]) => RawBuilder<SqlBool>
  /** Whether a text of ASCII letters has `part`, which is lower case, anywhere in it, whatever its own case. */
  hasPart: (column: string, part: string) => RawBuilder<SqlBool>
  /** Rows to join with: ranges of whole numbers, each under a key. */
  rangesOf: (ranges: readonly KeyedRange[]) => RawBuilder<KeyedRange>
  /** The same under whole numbers. */
  numberedRangesOf: (ranges: readonly NumberedRange[]) => RawBuilder<NumberedRange>
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
  /** Whole numbers as rows (`number`), each with its place in the list from 0 (`place`), to select from. */
  numbered: (numbers: readonly number[]) => RawBuilder<unknown>
  /** Inserts many rows, which all have the same columns. Cheaper than a query builder's `values` by far. */
  insertRows: (db: Db, table: keyof Database, rows: readonly PlainRow[]) => Promise<void>
  /**
   * Keeps the database as it is beside itself before the migration `next` changes it, where it is a file of ours.
   * Throws when that fails.
   */
  keepBefore: (next: string) => Promise<void>
  /** Takes the lock under which one process at a time migrates; held to the end of the transaction. */
  lockMigrations: (tx: Db) => Promise<void>
  /** To be called in the transaction that changed the schema, at its end. */
  afterMigration: (tx: Db) => Promise<void>
  isUniqueViolation: (error: unknown) => boolean
  /** How busy the database is with this process, now. */
  load: () => DatabaseLoad
  /** True when the database is out of reach, full or too busy, rather than the statement wrong. */
  isUnavailable: (error: unknown) => boolean
  /** True when the database is there, but others kept it too busy. */
  isTooSlow: (error: unknown) => boolean
  /** True when what is missing is room on the disk. */
  isFull: (error: unknown) => boolean
  /** True when the database says that its files are damaged. */
  isDamaged: (error: unknown) => boolean
  /** Throws what {@link isDamaged} knows if this process has found damage; writes are refused then. */
  requireUndamaged: () => void
  /** What the database's own check of its file finds, at most 20 lines; `quick` leaves out the contents of indexes. */
  checkFile: (db: Db, depth: 'quick' | 'full') => Promise<string[]>
}
