import { createHash } from 'node:crypto'
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { toArrayLiteral } from './array-literals.ts'

const names = new Map<string, string>()
/** Incremented when a table has changed under named statements: then all get new names. */
let generation = 0

/**
 * Names a statement, so that PostgreSQL parses and plans it once per connection. Only for a bounded number of
 * statements. The name is derived from the text, since poolers pass connections between processes.
 */
export function nameStatement(text: string): void {
  names.set(text, createHash('sha256').update(text).digest('base64url').slice(0, 16))
}

/** A pool whose clients send statements by name if they have one. */
export function namingPool(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => new NamingClient(await pool.connect()),
    end: () => pool.end(),
  }
}

/**
 * Whether a table's columns changed since the statement was parsed, as when a newer version of the program migrates
 * at the same time. Sent again, the statement gets another name and is parsed again.
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
      // A failed transaction accepts no more statements; its caller has to retry it.
      if (this.#client.getTransactionStatus() !== 'I') throw error
      return this.#send(text, values)
    }
  }
}
