import { type Checkpointer, createCheckpointer } from './checkpointer.ts'
import { type NodeSqlite, noLog } from './node-sqlite.ts'

/** The value that SQLite's own automatic checkpoint would get: 16 MB. */
const pagesPerCheckpoint = 4_000
const pagesInLogMax = 4 * pagesPerCheckpoint
/** In so many milliseconds of writing the log grows by less than what begins a checkpoint. */
const msPerLook = 10

export type OpenConnection = {
  writer: () => NodeSqlite
  reader: () => NodeSqlite
  /** Opens a connection for long reads of one snapshot, with large sorts on disk. */
  snapshot: () => NodeSqlite
}

/** Ends the turn to write. */
export type Unlock = () => void

/**
 * The connections of this process to a database file. One writes, turn by turn. Reads outside of a transaction never
 * wait for it: while the writer is inside a transaction they use a separate connection, which sees the last commit.
 * Otherwise the writer serves reads too: it keeps its page cache over commits, which other connections must discard.
 */
export class SqliteConnections {
  readonly #open: OpenConnection
  readonly writer: NodeSqlite
  #reader: NodeSqlite | undefined
  #idleSnapshot: NodeSqlite | undefined
  readonly #checkpointer: Checkpointer
  #log = noLog
  #lockedAt = 0
  #msNotLookedAt = 0
  #lastLock: Promise<void> = Promise.resolve()

  constructor(file: string, open: OpenConnection) {
    this.#open = open
    this.writer = open.writer()
    this.#checkpointer = createCheckpointer(file, this.writer.checkpoint)
  }

  get reader(): NodeSqlite {
    this.#reader ??= this.#open.reader()
    return this.#reader
  }

  /** Waits for the turn to write, and for a checkpoint if writes have outrun them. */
  async lockWriter(): Promise<Unlock> {
    const before = this.#lastLock
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#lastLock = promise
    await before
    // Only while nobody writes can a checkpoint reach the end of the log, which then restarts.
    if (this.#log.pages > pagesInLogMax && this.#log.pagesToCopy > 0) await this.#checkpoint()
    this.#lockedAt = performance.now()
    return resolve
  }

  /** Call it after each commit. It looks at the log now and then, since that takes longer than most statements. */
  noteCommit(): void {
    this.#msNotLookedAt += performance.now() - this.#lockedAt
    if (this.#msNotLookedAt < msPerLook) return
    this.#msNotLookedAt = 0
    this.#log = this.writer.logSize()
    if (this.#log.pagesToCopy > pagesPerCheckpoint && !this.#checkpointer.isRunning()) void this.#checkpoint()
  }

  async #checkpoint(): Promise<void> {
    await this.#checkpointer.run()
    // Not available inside a transaction; the commit reads it again.
    if (!this.writer.isTransaction()) this.#log = this.writer.logSize()
  }

  /** Runs `work` on a connection with a snapshot of the database as it is now. */
  async withSnapshot<T>(work: (snapshot: NodeSqlite) => Promise<T>): Promise<T> {
    const snapshot = this.#idleSnapshot ?? this.#open.snapshot()
    this.#idleSnapshot = undefined
    snapshot.begin()
    try {
      return await work(snapshot)
    } finally {
      snapshot.commit()
      if (this.#idleSnapshot === undefined) this.#idleSnapshot = snapshot
      else snapshot.close()
    }
  }

  /** Closes the writer last: only it can copy the log into the database and delete it. */
  async close(): Promise<void> {
    await this.#checkpointer.close()
    this.#idleSnapshot?.close()
    this.#reader?.close()
    this.writer.close()
  }
}
