import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import { listNewestChanges } from '../graph/counters.repo.ts'
import { chunksOf } from '../lib/chunks.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import { persist } from '../lib/persist.ts'
import type { Scope } from '../scope.ts'
import { findNewestSeq } from './log.repo.ts'
import { type ChangeListener, ScopeReader } from './scope-reader.ts'

/** Tells listeners in this process of committed changes, whichever process made them. */
export type ChangeDispatcher = {
  /** Says that changes of a scope were committed here. */
  announce: (scope: Scope) => void
  /** Number of the newest change: where a listener begins who wants what comes from now on. */
  currentSeq: (scope: Scope) => Promise<number>
  /** Gives `listener` every change after `seq`, those to come too, until the answer is called. */
  subscribe: (scope: Scope, seq: number, listener: ChangeListener) => () => void
  close: () => Promise<void>
}

const accountsPerLook = 1_000
const keyOf = (scope: Scope) => `${scope.accountId} ${scope.spaceId}`

/** One reader for each scope that somebody listens to; while nobody listens, the database is left alone. */
export function createChangeDispatcher(ctx: { db: Db; dialect: Dialect; log: Logger }): ChangeDispatcher {
  const { db, dialect, log } = ctx
  const readers = new Map<string, ScopeReader>()
  const untold = new Set<string>()
  const stop = new AbortController()
  let watch: { close: () => Promise<void> } | undefined

  const tellOthers = oneAtATime(async () => {
    const places = [...untold]
    untold.clear()
    // Only a hint: those who do not hear it look for themselves.
    await dialect.commitSignal
      .send(db, places)
      .catch((error) => log.debug({ err: error }, 'commit not signalled'))
  })

  const look = oneAtATime(async () => {
    const accountIds = [...new Set([...readers.values()].map((reader) => reader.scope.accountId))]
    for (const chunk of chunksOf(accountIds, accountsPerLook)) {
      const newest = await persist(
        () => listNewestChanges(db, dialect, chunk),
        stop.signal,
        (error) => log.warn({ err: error }, 'The database cannot be asked for changes; trying again'),
      )
      for (const scope of newest ?? []) readers.get(keyOf(scope))?.wakeFor(scope.seq)
    }
  })

  const onCommit = (place?: string) => void (place === undefined ? look() : readers.get(place)?.wake())

  const readerOf = (scope: Scope) => {
    const found = readers.get(keyOf(scope))
    if (found !== undefined) return found
    const reader = new ScopeReader(ctx, { accountId: scope.accountId, spaceId: scope.spaceId })
    readers.set(keyOf(scope), reader)
    watch ??= dialect.commitSignal.watch(db, onCommit)
    return reader
  }

  const closeIdle = async (reader: ScopeReader) => {
    if (!reader.isIdle || readers.get(keyOf(reader.scope)) !== reader) return
    reader.close()
    readers.delete(keyOf(reader.scope))
    if (readers.size > 0) return
    const idle = watch
    watch = undefined
    await idle?.close()
  }

  return {
    announce(scope) {
      void readers.get(keyOf(scope))?.wake()
      untold.add(keyOf(scope))
      void tellOthers()
    },
    currentSeq: (scope) => findNewestSeq(db, scope),
    subscribe(scope, seq, listener) {
      const reader = readerOf(scope)
      const remove = reader.add(seq, listener)
      return () => {
        remove()
        void closeIdle(reader)
      }
    },
    async close() {
      stop.abort()
      for (const reader of readers.values()) reader.close()
      readers.clear()
      await watch?.close()
      if (untold.size > 0) await tellOthers()
    },
  }
}
