import type { Logger } from 'pino'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { oneAtATime } from '../../ground/lib/one-at-a-time.ts'
import { retryUntilDone } from '../../ground/lib/retry-until-done.ts'
import { listNewestChanges } from '../../rows/counters.repo.ts'
import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import { createRevocationWatch } from '../../tenancy/auth/revocation-watch.ts'
import type { ChangeBus } from '../../tenancy/change-bus.ts'
import { createCountWatch } from '../../tenancy/count-watch.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { findNewestSeq } from './log.repo.ts'
import { ScopeReader } from './scope-reader.ts'

const accountsPerLook = 1_000
const keyOf = (scope: Scope) => `${scope.accountId} ${scope.spaceId}`
const revokedPrefix = 'revoked '
const newsPrefix = 'news '
/** The number that each place begins with, or that follows its prefix. */
const accountOf = (place: string) => Number(/\d+/.exec(place)?.[0])

/** One reader per scope with listeners; without listeners, the database is not queried. */
export function createChangeDispatcher(ctx: { db: Db; dialect: Dialect; log: Logger }): ChangeBus {
  const { db, dialect, log } = ctx
  const readers = new Map<string, ScopeReader>()
  const untold = new Set<string>()
  const anyListeners = new Set<(accountId: number) => void>()
  const stop = new AbortController()
  const revocations = createRevocationWatch(ctx, stop.signal)
  const news = createCountWatch<string>()
  let watch: { close: () => Promise<void> } | undefined

  const tryToTell = async () => {
    const places = [...untold]
    untold.clear()
    try {
      if (places.length > 0) await dialect.commitSignal.send(db, places)
    } catch (error) {
      for (const place of places) untold.add(place)
      throw error
    }
  }
  const tellAll = oneAtATime(async () => {
    await retryUntilDone(tryToTell, stop.signal, (error) =>
      log.debug({ err: error }, 'commit not signalled; trying again'),
    )
  })

  const tellOthers = (place: string) => {
    if (!dialect.commitSignal.reachesOthers) return
    untold.add(place)
    void tellAll()
  }

  const look = oneAtATime(async () => {
    const read = [...readers.values()].map((reader) => reader.scope.accountId)
    const accountIds = [...new Set([...read, ...news.keys().map(accountOf)])]
    for (const chunk of chunksOf(accountIds, accountsPerLook)) {
      const newest = await retryUntilDone(
        () => listNewestChanges(db, chunk),
        stop.signal,
        (error) => log.warn({ err: error }, 'Changes cannot be read from the database; trying again'),
      )
      for (const scope of newest ?? []) {
        readers.get(keyOf(scope))?.wakeFor(scope.seq)
        news.compare(keyOf(scope), scope.news)
      }
    }
  })

  const tellAny = (accountId: number) => {
    for (const listener of anyListeners) listener(accountId)
  }

  const onCommit = (place?: string) => {
    if (place !== undefined) tellAny(accountOf(place))
    if (place === undefined) {
      void look()
      void revocations.look()
    } else if (place.startsWith(revokedPrefix)) revocations.tell(Number(place.slice(revokedPrefix.length)))
    else if (place.startsWith(newsPrefix)) news.tell(place.slice(newsPrefix.length))
    else void readers.get(place)?.wake()
  }

  /** Whether anybody listens to an account. */
  const isAwaited = () => readers.size > 0 || !revocations.isIdle() || news.size > 0

  const beginWatch = () => {
    watch ??= dialect.commitSignal.watch(db, onCommit, isAwaited)
  }

  const endIdleWatch = async () => {
    if (isAwaited() || anyListeners.size > 0) return
    const idle = watch
    watch = undefined
    await idle?.close()
  }

  const readerOf = (scope: Scope) => {
    const found = readers.get(keyOf(scope))
    if (found !== undefined) return found
    const reader = new ScopeReader(ctx, { accountId: scope.accountId, spaceId: scope.spaceId })
    readers.set(keyOf(scope), reader)
    beginWatch()
    return reader
  }

  const closeIdle = async (reader: ScopeReader) => {
    if (!reader.isIdle || readers.get(keyOf(reader.scope)) !== reader) return
    reader.close()
    readers.delete(keyOf(reader.scope))
    await endIdleWatch()
  }

  return {
    announce(scope) {
      void readers.get(keyOf(scope))?.wake()
      tellAny(scope.accountId)
      tellOthers(keyOf(scope))
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
    announceRevocation(accountId) {
      revocations.tell(accountId)
      tellAny(accountId)
      tellOthers(`${revokedPrefix}${accountId}`)
    },
    onRevocation(accountId, listener) {
      const remove = revocations.add(accountId, listener)
      beginWatch()
      return () => {
        remove()
        void endIdleWatch()
      }
    },
    announceNews(scope) {
      news.tell(keyOf(scope))
      tellAny(scope.accountId)
      tellOthers(`${newsPrefix}${keyOf(scope)}`)
    },
    onNews(scope, listener) {
      const remove = news.add(keyOf(scope), listener)
      listener()
      beginWatch()
      return () => {
        remove()
        void endIdleWatch()
      }
    },
    onAnyCommit(listener) {
      if (!dialect.commitSignal.reachesOthers) return undefined
      anyListeners.add(listener)
      beginWatch()
      return () => {
        anyListeners.delete(listener)
        void endIdleWatch()
      }
    },
    async close() {
      stop.abort()
      for (const reader of readers.values()) reader.close()
      readers.clear()
      await watch?.close()
      await tellAll()
      await tryToTell().catch(() => {})
    },
  }
}
