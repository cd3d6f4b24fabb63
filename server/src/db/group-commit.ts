import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { createFairQueue } from '../lib/fair-queue.ts'
import { createPresence } from '../lib/presence.ts'
import type { Db } from './db.ts'
import { inProcessOf } from './run-compiled.ts'
import type { Database } from './schema.ts'

/** How long a group takes new members; from then on the rest waits for the next. */
type Bounds = {
  msMax: number
  /** For an account that is in the group already, while another writes too, which waits for one group and its own. */
  sharedMsMax: number
}
const usual: Bounds = { msMax: 15, sharedMsMax: 2 }
/** Writes that belong to no account, such as sign-ups and counts of usage, share a turn. */
const nobody = ''

type Work<T> = (tx: Transaction<Database>) => Promise<T>
/** Tells a caller what became of its work. */
type Outcome = () => void
type Waiting = {
  account: string | number
  work: Work<unknown>
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

/** Ends a transaction in which a work failed that had written already. */
const spoiled = new Error('A write has to be undone')

/**
 * Runs what wants to write at the same time as one transaction of the database. A commit waits for the disk, and
 * commits of one file cannot do so side by side; this way they wait once. Nobody is answered before the commit is on
 * the disk. Accounts take turns: the writes of one wait for each other, not those of one for all that another has
 * queued.
 *
 * What one of them throws undoes its own work only. Most refusals come before the first write, so there is nothing to
 * undo. Otherwise the transaction is rolled back, and each work runs once more in a transaction of its own: savepoints,
 * which would spare that, make every write up to twice as dear, since SQLite copies each page before it changes it.
 * @param begin runs work in a transaction of the database, anew when that can help
 * @param sync waits until what was committed is on the disk; others read meanwhile
 */
export function createGroupCommit(
  begin: (db: Db, work: Work<void>) => Promise<void>,
  sync: () => Promise<void>,
  { msMax, sharedMsMax } = usual,
): <T>(db: Db, work: Work<T>, account?: string | number) => Promise<T> {
  const waiting = createFairQueue<Waiting>()
  const presence = createPresence<string | number>(() => performance.now())
  let busy = false

  async function runGroup(db: Db, group: Waiting[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    await begin(db, async (tx) => {
      outcomes.length = 0
      const begun = performance.now()
      // Begun anew, the group is as it was.
      for (const member of group) outcomes.push(await runMember(tx, member))
      for (let next = nextOf(group, begun); next !== undefined; next = nextOf(group, begun)) {
        group.push(next)
        outcomes.push(await runMember(tx, next))
      }
    })
    return outcomes
  }

  function nextOf(group: readonly Waiting[], begun: number): Waiting | undefined {
    const ms = performance.now() - begun
    if (ms >= msMax && group.length > 0) return undefined
    const isIn = (account: string | number) => group.some((member) => member.account === account)
    return waiting.shift((account) => ms < sharedMsMax || !presence.hasCompany(account) || !isIn(account))
  }

  async function runEachAlone(db: Db, group: readonly Waiting[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    for (const { work, resolve, reject } of group) {
      try {
        let value: unknown
        await begin(db, async (tx) => {
          value = await work(tx)
        })
        outcomes.push(() => resolve(value as never))
      } catch (error) {
        outcomes.push(() => reject(error))
      }
    }
    return outcomes
  }

  async function commitGroup(db: Db): Promise<void> {
    const group: Waiting[] = []
    try {
      const outcomes = await runGroup(db, group).catch((error) => {
        if (error === spoiled) return runEachAlone(db, group)
        throw error
      })
      await sync()
      for (const tell of outcomes) tell()
    } catch (error) {
      if (group.length === 0) while (waiting.size > 0) group.push(waiting.shift()!)
      for (const member of group) member.reject(error)
    }
  }

  async function commitAll(db: Db): Promise<void> {
    busy = true
    // Whoever is about to write in this turn of the event loop comes along.
    await nextTurn()
    while (waiting.size > 0) await commitGroup(db)
    busy = false
  }

  return <T>(db: Db, work: Work<T>, account: string | number = nobody) =>
    new Promise<T>((resolve, reject) => {
      if (account !== nobody) presence.see(account)
      waiting.push(account, { account, work, resolve, reject })
      if (!busy) void commitAll(db)
    })
}

/** Throws only when the transaction must not be committed. */
async function runMember(tx: Transaction<Database>, { work, resolve, reject }: Waiting): Promise<Outcome> {
  const before = rowsChanged(tx)
  try {
    const value = await work(tx)
    return () => resolve(value as never)
  } catch (error) {
    if (rowsChanged(tx) === before) return () => reject(error)
    throw spoiled
  }
}

/** Undefined when the transaction is lost, as by a full disk. */
const rowsChanged = (tx: Db) => inProcessOf(tx.getExecutor().adapter)?.rowsChanged()
