import { SqliteAdapter, SqliteDialect } from 'kysely'
import type { NodeSqlite } from './node-sqlite.ts'
import type { InProcess } from './run-compiled.ts'

/** Kysely's SQLite dialect; its adapter knows the short way to the database, which is in this process. */
export class InProcessSqliteDialect extends SqliteDialect {
  readonly #adapter: InProcessSqliteAdapter

  constructor(open: () => Promise<NodeSqlite>) {
    const adapter = new InProcessSqliteAdapter()
    super({ database: async () => (adapter.database = await open()) })
    this.#adapter = adapter
  }

  /** Waits until what was committed so far is on the disk. */
  sync(): Promise<void> {
    return this.#adapter.sync()
  }

  override createAdapter(): SqliteAdapter {
    return this.#adapter
  }
}

class InProcessSqliteAdapter extends SqliteAdapter implements InProcess {
  database: NodeSqlite | undefined

  runNow(sql: string, parameters: readonly unknown[], inTransaction: boolean): unknown[] | undefined {
    const { database } = this
    // With one connection, a transaction that is open is either the caller's or one that the caller has to wait for.
    if (database?.isTransaction() !== inTransaction) return undefined
    const statement = database.prepare(sql)
    if (statement.reader) return statement.all(parameters)
    statement.run(parameters)
    return []
  }

  /** Waits until what was committed so far is on the disk. */
  async sync(): Promise<void> {
    await this.database?.sync()
  }

  writes(): string | undefined {
    return this.database?.isTransaction() === false ? this.database.writes() : undefined
  }
}
