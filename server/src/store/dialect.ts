import type { Dialect as KyselyDialect, RawBuilder, SqlBool, Transaction } from 'kysely'
import type { Db, KeyedRange, NumberedRange, PlainRow } from './db.ts'
import type { Database } from './schema.ts'

/**
 * How processes on one database learn of each other's commits. Signals are only hints: receivers check the database
 * themselves.
 */
export type CommitSignal = {
  /** Whether other processes are told of each commit; else they have to look. */
  reachesOthers: boolean
  /** Tells other processes where commits happened, if the database can. `places` are short texts of ours. */
  send: (db: Db, places: readonly string[]) => Promise<void>
  /**
   * Calls `onCommit` after commits of other processes, with the place if known; without one, any place may have
   * changed. Also calls it once at the start and whenever signals may have been missed, while `isAwaited`.
   */
  watch: (
    db: Db,
    onCommit: (place?: string) => void,
    isAwaited: () => boolean,
  ) => { close: () => Promise<void> }
}

/** How much waits for the database in this process. */
export type DatabaseLoad = {
  /** Transactions that have not begun; counted while metrics are on. */
  transactionsWaiting: number
  /** Connections to PostgreSQL, and callers that wait for one. */
  pool?: { open: number; idle: number; waiting: number }
}

export type Storage = {
  bytes: number
  file?: {
    freeBytes: number
    /** Milliseconds since 1970; 0 if there was none. */
    backupAt: number
    /** Whether writes are refused until there is room. */
    isFull: boolean
  }
}

/** Everything that differs between the databases. */
export type Dialect = {
  name: 'sqlite' | 'postgres'
  /** Whether the database was opened for reading only, in a directory that this process cannot write. */
  isReadOnly: boolean
  /** Column types and the suffix of `create table`, for migrations. */
  sql: {
    integer: string
    text: string
    strict: string
    /** Suffix of `create table` for a table that is stored in the order of its primary key. */
    clustered: string
    /** An auto-incrementing primary key that never reuses a number. */
    numbered: string
    /** The columns with which each table of spaces begins. */
    ofSpace: string
    /** The text of a column in lower case (ASCII letters), compared byte by byte. */
    folded: (column: string) => string
    /** A text of the JSON object in a column; null without one. */
    jsonText: (column: string, key: string) => string
  }
  kysely: KyselyDialect
  /** Calls that the database can serve at once without slowing each other down. */
  callsAtOnce: number
  /** Target duration of one transaction of many, such as an import's, in a server where others wait for it. */
  stepMs: number
  /** Maximum number of parameters in one statement. */
  parametersMax: number
  /**
   * Runs `work` in a transaction that can write; retries it if the database reports that a retry can help. Where
   * transactions wait for each other, accounts take turns, and a call gives up its slot (`endSlot`).
   */
  transaction: <T>(
    db: Db,
    work: (tx: Transaction<Database>) => Promise<T>,
    account?: string | number,
  ) => Promise<T>
  /** Reserves disk space for the writes that must succeed when the disk is full; false if there is no room. */
  reserveDisk: () => Promise<boolean>
  /** Runs `work` on a snapshot of the database, unaffected by concurrent writes. Large sorts go to disk. */
  snapshot: <T>(db: Db, work: (snapshot: Db) => Promise<T>) => Promise<T>
  /** Runs `work`, whose deletions overwrite what they delete where the file is ours, so that nothing of it can be found there. */
  overwriting: <T>(tx: Db, work: () => Promise<T>) => Promise<T>
  /** Overwrites what deleted rows have left in the file and its log, where they are ours; false if others prevented it. */
  dropEarlierVersions: () => Promise<boolean>
  /** Suffix of a select whose rows the transaction is going to change. */
  forUpdate: RawBuilder<unknown>
  /** `column = one of values`, as a single parameter however many values there are. */
  isOneOf: (column: string | RawBuilder<unknown>, values: readonly string[]) => RawBuilder<SqlBool>
  /** The same for whole numbers. */
  isOneOfNumbers: (column: string | RawBuilder<unknown>, values: readonly number[]) => RawBuilder<SqlBool>
  /**
   * A condition for an update that joins these rows: PostgreSQL could scan the whole table for the join, SQLite would
   * look up each row in the list.
   */
  isJoined: (column: string, ids: readonly number[]) => RawBuilder<SqlBool>
  /** Whether a text of ASCII letters contains `part`, which is lower case, ignoring case. */
  hasPart: (column: string, part: string) => RawBuilder<SqlBool>
  /** Rows to join with: ranges of whole numbers, each with a key. */
  rangesOf: (ranges: readonly KeyedRange[]) => RawBuilder<KeyedRange>
  /** The same with numeric keys. */
  numberedRangesOf: (ranges: readonly NumberedRange[]) => RawBuilder<NumberedRange>
  /**
   * `cross join table as alias`, with a condition that looks rows up for each preceding row. PostgreSQL would rather
   * scan the whole table, especially while it has no statistics, right after a bulk insert.
   */
  lookUp: (table: keyof Database, alias: string, condition: RawBuilder<unknown>) => RawBuilder<unknown>
  /**
   * The first rows of several selects together; `end` is the order and the limit. PostgreSQL would read and sort all
   * rows of each.
   */
  firstOf: (selects: readonly RawBuilder<unknown>[], end: RawBuilder<unknown>) => RawBuilder<unknown>
  /** How other processes learn of our commits, and we of theirs. */
  commitSignal: CommitSignal
  /** A table of given rows, to join with or to update from: `from ${rowsOf('delta', [{ id: 'x', added: 2 }])}`. */
  rowsOf: (alias: string, rows: readonly PlainRow[]) => RawBuilder<unknown>
  /** Whole numbers as rows (`number`), each with its index in the list (`place`), to select from. */
  numbered: (numbers: readonly number[]) => RawBuilder<unknown>
  /** Inserts many rows, which all have the same columns. Far cheaper than a query builder's `values`. */
  insertRows: (db: Db, table: keyof Database, rows: readonly PlainRow[]) => Promise<void>
  /**
   * Updates the planner's statistics of tables that have grown much, or that do not know an account with thousands of
   * rows, or of these `tables`. PostgreSQL would for a while use plans made for empty tables; SQLite's do not depend on
   * data.
   */
  updateStatistics: (db: Db, accountId?: number, tables?: readonly string[]) => Promise<void>
  /** Tables with rows of which the planner has no statistics; none where it does not need them. */
  tablesWithoutStatistics: (db: Db) => Promise<string[]>
  /** How the database encodes text. */
  encodingOf: (db: Db) => Promise<string>
  /** Copies the database before the migration `next` changes it, if it is a file of ours. Throws if that fails. */
  keepBefore: (next: string) => Promise<void>
  /**
   * Takes the lock that lets one process at a time migrate; held until the end of the transaction. From then on a statement
   * waits no longer than `tableWaitMs` for a table, or as long as it takes.
   */
  lockMigrations: (tx: Db, tableWaitMs?: number) => Promise<void>
  /** Processes of ours that are connected, this one too; of a file they are not known. */
  listProcesses: (db: Db) => Promise<{ name: string; address: string }[]>
  /** Call it at the end of the transaction that changed the schema. */
  afterMigration: (tx: Db) => Promise<void>
  isUniqueViolation: (error: unknown) => boolean
  /** How busy this process currently keeps the database. */
  load: () => DatabaseLoad
  /** Whether the database is unreachable, full or too busy, rather than the statement wrong. */
  isUnavailable: (error: unknown) => boolean
  /** Whether the database is available, but other work kept it too busy. */
  isTooSlow: (error: unknown) => boolean
  /** Whether the disk is full. */
  isFull: (error: unknown) => boolean
  /** Whether the database reports that its files are damaged. */
  isDamaged: (error: unknown) => boolean
  /** Throws an error that {@link isDamaged} recognises if this process has found damage; writes are then refused. */
  requireUndamaged: () => void
  /** Findings of the database's own check of its file, at most 20 lines; `quick` skips the contents of indexes. */
  checkFile: (db: Db, depth: 'quick' | 'full') => Promise<string[]>
  /** The same, quick, in another process and over a long time, so that nobody notices; remembers what it finds. */
  checkSlowly: (signal: AbortSignal) => Promise<string[]>
  /** Size of the database, and the room and the time of the last backup where it is a file of ours. */
  storage: (db: Db) => Promise<Storage>
}
