import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Db } from './db.ts'
import type { NodeSqlite, NodeStatement } from './node-sqlite.ts'
import type { InProcess } from './run-compiled.ts'
import type { SqliteConnections, Unlock } from './sqlite-connections.ts'

export const sqliteCodeOf = (error: unknown) => (error as { errcode?: number } | undefined)?.errcode ?? 0
const sqliteBusy = 5
export const isSqliteBusy = (error: unknown) => (sqliteCodeOf(error) & 0xff) === sqliteBusy

const busyPatienceMs = 15_000

/** Tries again while another process writes. SQLite's own wait blocks this process, so it is short. */
export async function untilFree<T>(write: () => T): Promise<Awaited<T>> {
  const giveUpAt = Date.now() + busyPatienceMs
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isSqliteBusy(error) || Date.now() > giveUpAt) throw error
      await sleep(1 + Math.random() * 20)
    }
  }
}

type Source = { open: () => Promise<SqliteConnections> }

/** Makes transactions and single writes wait for their turn; single reads never wait. */
export class InProcessDriver implements Driver {
  readonly #source: Source
  #connections: SqliteConnections | undefined

  constructor(source: Source) {
    this.#source = source
  }

  async init(): Promise<void> {
    this.#connections = await this.#source.open()
  }

  async acquireConnection(): Promise<InProcessConnection> {
    return new InProcessConnection(this.#connections!)
  }

  async beginTransaction(connection: InProcessConnection): Promise<void> {
    await connection.begin()
  }

  async commitTransaction(): Promise<void> {
    const connections = this.#connections!
    connections.writer.commit()
    connections.noteCommit()
  }

  async rollbackTransaction(): Promise<void> {
    this.#connections!.writer.rollback()
  }

  async releaseConnection(connection: InProcessConnection): Promise<void> {
    connection.release()
  }

  async destroy(): Promise<void> {
    await this.#connections?.close()
  }
}

class InProcessConnection implements DatabaseConnection {
  readonly #connections: SqliteConnections
  #unlock: Unlock | undefined

  constructor(connections: SqliteConnections) {
    this.#connections = connections
  }

  async begin(): Promise<void> {
    this.#unlock = await this.#connections.lockWriter()
    this.#connections.writer.begin()
  }

  release(): void {
    this.#unlock?.()
    this.#unlock = undefined
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { writer } = this.#connections
    const statement = writer.prepare(sql)
    if (this.#unlock !== undefined) return run(statement, parameters)
    if (statement.isRead) {
      const isBusy = writer.isTransaction()
      return run(isBusy ? this.#connections.reader.prepare(sql) : statement, parameters)
    }
    const unlock = await this.#connections.lockWriter()
    try {
      const result = await untilFree(() => run<R>(statement, parameters))
      this.#connections.noteCommit()
      return result
    } finally {
      unlock()
    }
  }

  streamQuery = refuseStream
}

/** Reads on one connection, whose creator begins and ends the transaction. */
export class SnapshotDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(database: NodeSqlite) {
    this.#connection = {
      executeQuery: async ({ sql, parameters }) => run(database.prepare(sql), parameters),
      streamQuery: refuseStream,
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  beginTransaction = refuseTransaction
  commitTransaction = refuseTransaction
  rollbackTransaction = refuseTransaction

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

function run<R>(statement: NodeStatement, parameters: readonly unknown[]): QueryResult<R> {
  if (statement.reader) return { rows: statement.all(parameters) as R[] }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

async function refuseTransaction(): Promise<never> {
  throw new Error('A snapshot takes no transactions')
}

function refuseStream(): never {
  throw new Error('Rows are read page by page, not as a stream')
}

/** Connects Kysely to the connections of this process. Its adapter also offers a shortcut past queue and promises. */
export class InProcessSqliteDialect implements Dialect {
  readonly #adapter: InProcessSqliteAdapter

  constructor(open: () => Promise<SqliteConnections>) {
    this.#adapter = new InProcessSqliteAdapter(open)
  }

  createAdapter(): SqliteAdapter {
    return this.#adapter
  }

  createDriver(): InProcessDriver {
    return new InProcessDriver(this.#adapter)
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler()
  }

  createIntrospector(db: Db): SqliteIntrospector {
    return new SqliteIntrospector(db)
  }

  /** Waits until all commits so far are on the disk. */
  async sync(): Promise<void> {
    await this.#adapter.connections?.writer.sync()
  }

  async syncAhead(): Promise<void> {
    await this.#adapter.connections?.writer.syncAhead()
  }

  /** Runs `work` on a snapshot of the database. */
  async withSnapshot<T>(work: (snapshot: Db) => Promise<T>): Promise<T> {
    const connections = await this.#adapter.open()
    return connections.withSnapshot((database) => {
      const snapshot: Db = new Kysely({
        dialect: {
          createAdapter: () => this.#adapter,
          createDriver: () => new SnapshotDriver(database),
          createQueryCompiler: () => this.createQueryCompiler(),
          createIntrospector: (db) => this.createIntrospector(db),
        },
      })
      this.#adapter.snapshots.set(snapshot.getExecutor(), database)
      return work(snapshot)
    })
  }
}

class InProcessSqliteAdapter extends SqliteAdapter implements InProcess {
  readonly #open: () => Promise<SqliteConnections>
  /** Executors that have a connection of their own, which only reads. */
  readonly snapshots = new WeakMap<object, NodeSqlite>()
  #opening: Promise<SqliteConnections> | undefined
  connections: SqliteConnections | undefined

  constructor(open: () => Promise<SqliteConnections>) {
    super()
    this.#open = open
  }

  override get supportsMultipleConnections(): boolean {
    return true
  }

  /** Retried if it failed. */
  async open(): Promise<SqliteConnections> {
    this.#opening ??= this.#open()
    try {
      this.connections = await this.#opening
      return this.connections
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }

  isSnapshot(db: Db): boolean {
    return this.snapshots.has(db.getExecutor())
  }

  runNow(db: Db, sql: string, parameters: readonly unknown[]): unknown[] | undefined {
    const { connections } = this
    if (connections === undefined) return undefined
    const snapshot = this.snapshots.get(db.getExecutor())?.prepare(sql)
    if (snapshot !== undefined) return snapshot.reader ? snapshot.all(parameters) : undefined
    const { writer } = connections
    let statement = writer.prepare(sql)
    // Single writes wait for their turn.
    if (!db.isTransaction && !statement.isRead) return undefined
    if (writer.isTransaction() !== db.isTransaction) {
      // A finished transaction, or another caller's: reads use another connection.
      if (db.isTransaction) return undefined
      statement = connections.reader.prepare(sql)
    }
    const rows = statement.reader ? statement.all(parameters) : []
    if (!statement.reader) statement.run(parameters)
    return rows
  }

  beginReads(): void {
    this.connections?.writer.beginReads()
  }

  writes(db: Db): number | undefined {
    if (db.isTransaction || this.snapshots.has(db.getExecutor())) return undefined
    return this.connections?.writer.unusualVersion()
  }

  writesOfOthers(): number | undefined {
    return this.connections?.writer.dataVersion()
  }

  writesBegun(): number | undefined {
    const writer = this.connections?.writer
    return writer?.isTransaction() ? writer.writesBegun() : undefined
  }
}
