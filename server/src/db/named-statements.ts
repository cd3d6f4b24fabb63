import { createHash } from 'node:crypto'
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { toArrayLiteral } from './array-literals.ts'

const names = new Map<string, string>()
/** Grows when a table has changed under statements that have been given a name: then all get another one. */
let generation = 0

/**
 * Gives a statement a name, under which PostgreSQL parses and plans it once for each connection. Only for a bounded
 * number of statements. The name follows from the text, as poolers hand connections from one process to another.
 */
export function nameStatement(text: string): void {
  names.set(text, createHash('sha256').update(text).digest('base64url').slice(0, 16))
}

/** A pool whose clients send what has a name by its name. */
export function namingPool(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => new NamingClient(await pool.connect()),
    end: () => pool.end(),
  }
}

/**
 * True when a table has got other columns since the statement was parsed, as when a newer version of the program
 * migrates beside us. Sent once more, it gets another name and is parsed anew.
 */
export function isOutdatedStatement(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '0A000' &&
    'routine' in error &&
    error.routine === 'RevalidateCachedQuery'
  )
}

const toParameter = (value: unknown) => (Array.isArray(value) ? (toArrayLiteral(value) ?? value) : value)

class NamingClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  release(destroy?: boolean): void {
    this.#client.release(destroy)
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query(text: string | PostgresCursor<unknown>, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('There are no cursors here')
    return this.#send(text, values.map(toParameter))
  }

  async #send(text: string, values: unknown[]): Promise<pg.QueryResult> {
    const hash = names.get(text)
    if (hash === undefined) return this.#client.query(text, values)
    const sentIn = generation
    try {
      return await this.#client.query({ name: `${hash}_${sentIn}`, text, values })
    } catch (error) {
      if (!isOutdatedStatement(error)) throw error
      generation = Math.max(generation, sentIn + 1)
      // In a transaction nothing more can be sent; whoever began it begins it anew.
      if (this.#client.getTransactionStatus() !== 'I') throw error
      return this.#send(text, values)
    }
  }
}
