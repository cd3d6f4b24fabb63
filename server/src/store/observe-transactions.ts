import type { Transaction } from 'kysely'
import { inSpan, transactionEnded } from '../ground/telemetry/events.ts'
import type { Db } from './db.ts'
import type { Dialect } from './dialect.ts'
import type { Database } from './schema.ts'

type Work<T> = (tx: Transaction<Database>) => Promise<T>

/** Reports how long each transaction waited and took, and creates a span for it, if metrics or traces are on. */
export function observeTransactions(dialect: Dialect): Dialect {
  const attributes = { 'db.system.name': dialect.name === 'postgres' ? 'postgresql' : 'sqlite' }
  let waiting = 0
  return {
    ...dialect,
    load: () => ({ ...dialect.load(), transactionsWaiting: waiting }),
    transaction: (db, work, account) => inSpan('transaction', attributes, () => run(db, work, account)),
  }

  async function run<T>(db: Db, work: Work<T>, account: string | number | undefined): Promise<T> {
    if (!transactionEnded.isHeard) return dialect.transaction(db, work, account)
    const askedAt = performance.now()
    let begunAt: number | undefined
    waiting++
    /** Called again when the transaction is retried. */
    const begin = () => {
      if (begunAt !== undefined) return
      waiting--
      begunAt = performance.now()
    }
    const end = (outcome: 'committed' | 'failed') => {
      begin()
      const waitMs = begunAt! - askedAt
      transactionEnded.publish({ waitMs, runMs: performance.now() - begunAt!, outcome })
    }
    try {
      const result = await dialect.transaction(
        db,
        (tx) => {
          begin()
          return work(tx)
        },
        account,
      )
      end('committed')
      return result
    } catch (error) {
      end('failed')
      throw error
    }
  }
}
