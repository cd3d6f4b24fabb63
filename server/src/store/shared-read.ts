import type { DatabaseSync } from 'node:sqlite'

/** Reads that share a transaction until the end of the current callback of the event loop. */
export type SharedRead = {
  readonly isOpen: boolean
  /** Call it before each read. Does nothing inside a transaction. */
  begin: () => void
  /** Call it before anything that a read transaction would be in the way of. */
  end: () => void
}

/**
 * SQLite takes and releases two locks for each statement outside a transaction, which takes longer than finding a row.
 * So the reads of one callback of the event loop, with the promises that it settles, share a read transaction: they see
 * what was committed before the first of them, and all commits of this connection, which end it. It never lasts into the
 * next callback, which may be a request sent after another process had acknowledged a write.
 */
export function createSharedRead(database: DatabaseSync): SharedRead {
  // `get` is cheaper than `run`, which returns the last rowid.
  const [begin, commit] = ['begin deferred', 'commit'].map((sql) => database.prepare(sql))
  let isOpen = false
  let willEnd = false
  const turn: SharedRead = {
    get isOpen() {
      return isOpen
    },
    begin() {
      if (isOpen || database.isTransaction) return
      begin!.get()
      isOpen = true
      if (willEnd) return
      willEnd = true
      // `nextTick` alone can run before the promises that are settled by now; asked for by one of them, it runs after
      // them all and before any other callback.
      queueMicrotask(() =>
        process.nextTick(() => {
          willEnd = false
          turn.end()
        }),
      )
    },
    end() {
      if (!isOpen) return
      isOpen = false
      // An I/O error has already ended it.
      if (!database.isOpen || !database.isTransaction) return
      try {
        commit!.get()
      } catch {
        // Nobody waits for the end of a read, and one that cannot be committed has changed nothing.
        if (database.isTransaction) database.exec('rollback')
      }
    },
  }
  return turn
}
