import type { Logger } from 'pino'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { oneAtATime } from '../../ground/lib/one-at-a-time.ts'
import { retryUntilDone } from '../../ground/lib/retry-until-done.ts'
import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import { createCountWatch } from '../count-watch.ts'
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

const accountsPerLook = 1_000
/** Marks a deleted account. */
const gone = -1

export function createRevocationWatch(
  { db, log }: { db: Db; dialect: Dialect; log: Logger },
  signal: AbortSignal,
): RevocationWatch {
  const accounts = createCountWatch<number>()

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
      for (const accountId of chunk) accounts.compare(accountId, counts.get(accountId) ?? gone)
    }
  }

  const look = oneAtATime(() => compare(accounts.keys()))
  const lookAtNew = oneAtATime(() => compare(accounts.keys().filter((id) => !accounts.isKnown(id))))

  return {
    add(accountId, listener) {
      const remove = accounts.add(accountId, listener)
      // Credentials may have ended since they were checked.
      if (accounts.isKnown(accountId)) listener()
      else void lookAtNew()
      return remove
    },
    tell: accounts.tell,
    look,
    isIdle: () => accounts.size === 0,
  }
}
