import type { Logger } from 'pino'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { oneAtATime } from '../../ground/lib/one-at-a-time.ts'
import { retryUntilDone } from '../../ground/lib/retry-until-done.ts'
import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import { listRevocations } from './revocations.repo.ts'

/** Notifies holders of open connections that credentials of an account may have ended. */
export type RevocationWatch = {
  /** Calls `listener` soon, and whenever credentials of the account end. Returns a function that unsubscribes. */
  add: (accountId: number, listener: () => void) => () => void
  /** Notifies the listeners of an account without checking. */
  tell: (accountId: number) => void
  /** Checks for credentials that other processes ended. */
  look: () => Promise<void>
  isIdle: () => boolean
}

type Watched = { revocations: number | undefined; listeners: Set<() => void> }

const accountsPerLook = 1_000
/** Marks a deleted account. */
const gone = -1

export function createRevocationWatch(
  { db, log }: { db: Db; dialect: Dialect; log: Logger },
  signal: AbortSignal,
): RevocationWatch {
  const accounts = new Map<number, Watched>()

  const tell = (accountId: number) => {
    for (const listener of accounts.get(accountId)?.listeners ?? []) listener()
  }

  const compare = async (accountIds: number[]) => {
    for (const chunk of chunksOf(accountIds, accountsPerLook)) {
      const found = await retryUntilDone(
        () => listRevocations(db, chunk),
        signal,
        (error) =>
          log.warn({ err: error }, 'Revoked credentials cannot be read from the database; trying again'),
      )
      if (found === undefined) return
      const counts = new Map(found.map(({ accountId, revocations }) => [accountId, revocations]))
      for (const accountId of chunk) {
        const watched = accounts.get(accountId)
        const revocations = counts.get(accountId) ?? gone
        if (watched === undefined || watched.revocations === revocations) continue
        watched.revocations = revocations
        tell(accountId)
      }
    }
  }

  const look = oneAtATime(() => compare([...accounts.keys()]))
  const lookAtNew = oneAtATime(() =>
    compare([...accounts].filter(([, { revocations }]) => revocations === undefined).map(([id]) => id)),
  )

  return {
    add(accountId, listener) {
      const watched: Watched = accounts.get(accountId) ?? { revocations: undefined, listeners: new Set() }
      accounts.set(accountId, watched)
      watched.listeners.add(listener)
      // Credentials may have ended since they were checked.
      if (watched.revocations === undefined) void lookAtNew()
      else listener()
      return () => {
        watched.listeners.delete(listener)
        if (watched.listeners.size === 0 && accounts.get(accountId) === watched) accounts.delete(accountId)
      }
    },
    tell,
    look,
    isIdle: () => accounts.size === 0,
  }
}
