import type { Transaction } from 'kysely'
import { transactionEnded } from '../telemetry/events.ts'
import { inSpan } from '../telemetry/spans.ts'
import type { Db } from './db.ts'
import type { Dialect } from './dialect.ts'
import type { Database } from './schema.ts'

type Work<T> = (tx: Transaction<Database>) => Promise<T>

/** Tells of each transaction how long it waited and took, and makes a span of it, while somebody wants to know. */
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
    /** Called anew when the transaction is. */
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
