import { type Checkpointer, createCheckpointer } from './checkpointer.ts'
import { type NodeSqlite, noLog } from './node-sqlite.ts'

/** As many as SQLite would be told to keep: 16 MB. */
const pagesPerCheckpoint = 4_000
const pagesInLogMax = 4 * pagesPerCheckpoint

export type OpenConnection = {
  writer: () => NodeSqlite
  reader: () => NodeSqlite
  /** Reads one state of the database for long, and sorts large results on the disk. */
  snapshot: () => NodeSqlite
}

/** Gives back the turn to write. */
export type EndTurn = () => void

/**
 * The connections of this process to a database file. One writes, one turn after the other. What reads outside of a
 * transaction never waits for it: while the writer is inside a transaction it gets a connection of its own, which sees
 * the last commit. Otherwise the writer serves reads too: it keeps its pages over commits, which others must forget.
 */
export class SqliteConnections {
  readonly #open: OpenConnection
  readonly writer: NodeSqlite
  #reader: NodeSqlite | undefined
  #idleSnapshot: NodeSqlite | undefined
  readonly #checkpointer: Checkpointer
  #log = noLog
  #lastTurn: Promise<void> = Promise.resolve()

  constructor(file: string, open: OpenConnection) {
    this.#open = open
    this.writer = open.writer()
    this.#checkpointer = createCheckpointer(file, this.writer.checkpoint)
  }

  get reader(): NodeSqlite {
    this.#reader ??= this.#open.reader()
    return this.#reader
  }

  /** Waits for the turn to write, and where writes have outrun the checkpoints, for those. */
  async beginTurn(): Promise<EndTurn> {
    const before = this.#lastTurn
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#lastTurn = promise
    await before
    // Only while nobody writes does a checkpoint get to the end of the log, which then begins anew.
    if (this.#log.pages > pagesInLogMax && this.#log.pagesToCopy > 0) await this.#checkpoint()
    return resolve
  }

  /** To be called after each commit. */
  noteCommit(): void {
    this.#log = this.writer.logSize()
    if (this.#log.pagesToCopy > pagesPerCheckpoint && !this.#checkpointer.isRunning()) void this.#checkpoint()
  }

  async #checkpoint(): Promise<void> {
    await this.#checkpointer.run()
    // In a transaction SQLite does not tell; the commit asks again.
    if (!this.writer.isTransaction()) this.#log = this.writer.logSize()
  }

  /** Runs `work` on a connection that sees the database as it is now. */
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

  /** The writer last: only it can put what the log holds into the database and take the log away. */
  async close(): Promise<void> {
    await this.#checkpointer.close()
    this.#idleSnapshot?.close()
    this.#reader?.close()
    this.writer.close()
  }
}
