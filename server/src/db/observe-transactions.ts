import { transactionEnded } from '../telemetry/events.ts'
import type { Dialect } from './dialect.ts'

/** Tells of each transaction how long it waited and took, while somebody wants to know. */
export function observeTransactions(dialect: Dialect): Dialect {
  let waiting = 0
  return {
    ...dialect,
    load: () => ({ ...dialect.load(), transactionsWaiting: waiting }),
    async transaction(db, work, account) {
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
    },
  }
}
