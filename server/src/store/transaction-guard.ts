import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from './db.ts'
import type { Dialect } from './dialect.ts'

/** The work of a transaction or snapshot: its database, and whether it has ended. */
type Work = { adapter: object; hasEnded: boolean }

const current = new AsyncLocalStorage<Work>()

/**
 * Whether the caller is inside a transaction or snapshot of this database. Once the work has ended, false for
 * anything that it left running (timers, background loops).
 */
export function isInsideTransaction(adapter: object): boolean {
  const work = current.getStore()
  return work !== undefined && work.adapter === adapter && !work.hasEnded
}

/**
 * Refuses use of the database itself by code that runs inside one of its transactions or snapshots. On SQLite such
 * code would wait forever for the connection held by its own transaction; on PostgreSQL it would read and write
 * outside the transaction.
 */
export function guardTransactions(db: Db, dialect: Dialect): Dialect {
  guardConnections(db)
  return {
    ...dialect,
    // Refused here already, since a transaction can wait in a queue before it requests a connection.
    async transaction(of, work, account) {
      refuseInside(of)
      return dialect.transaction(of, (tx) => runInside(tx, () => work(tx)), account)
    },
    async snapshot(of, work) {
      refuseInside(of)
      return dialect.snapshot(of, (snapshot) => runInside(snapshot, () => work(snapshot)))
    },
  }
}

/** Transactions and snapshots have their own executors, so only queries on the database itself pass here. */
function guardConnections(db: Db): void {
  const executor = db.getExecutor()
  const provide = executor.provideConnection.bind(executor)
  const provideConnection: typeof provide = async (consumer, options) => {
    refuseInside(db)
    return provide(consumer, options)
  }
  Object.assign(executor, { provideConnection })
}

function runInside<T>(db: Db, run: () => Promise<T>): Promise<T> {
  const work = { adapter: db.getExecutor().adapter, hasEnded: false }
  return current.run(work, async () => {
    try {
      return await run()
    } finally {
      work.hasEnded = true
    }
  })
}

function refuseInside(db: Db): void {
  if (isInsideTransaction(db.getExecutor().adapter)) {
    throw new Error('Inside a transaction use its own context, not the outer one.')
  }
}
