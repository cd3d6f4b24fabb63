import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type { NodeSqlite, NodeStatement } from './node-sqlite.ts'
import type { SqliteConnections, Unlock } from './sqlite-connections.ts'

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
      const result = run<R>(statement, parameters)
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
