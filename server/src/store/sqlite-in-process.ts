import { type Dialect, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Db } from './db.ts'
import type { InProcess } from './run-compiled.ts'
import type { SqliteConnections } from './sqlite-connections.ts'
import { InProcessDriver, SnapshotDriver } from './sqlite-driver.ts'

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
      this.#adapter.snapshots.add(snapshot.getExecutor())
      return work(snapshot)
    })
  }
}

class InProcessSqliteAdapter extends SqliteAdapter implements InProcess {
  readonly #open: () => Promise<SqliteConnections>
  /** Executors that have a connection of their own. */
  readonly snapshots = new WeakSet<object>()
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

  runNow(db: Db, sql: string, parameters: readonly unknown[]): unknown[] | undefined {
    const { connections } = this
    if (connections === undefined || this.snapshots.has(db.getExecutor())) return undefined
    const { writer } = connections
    let statement = writer.prepare(sql)
    if (writer.isTransaction() !== db.isTransaction) {
      // A finished transaction, or another caller's: reads use another connection, writes wait.
      if (db.isTransaction || !statement.isRead) return undefined
      statement = connections.reader.prepare(sql)
    }
    const rows = statement.reader ? statement.all(parameters) : []
    if (!statement.reader) statement.run(parameters)
    if (!statement.isRead && !db.isTransaction) connections.noteCommit()
    return rows
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
