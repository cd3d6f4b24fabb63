import { setImmediate as nextTask } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { createActiveCallers, createFairQueue } from '../ground/lib/fair-queue.ts'
import type { Db } from './db.ts'
import { inProcessOf } from './run-compiled.ts'
import type { Database } from './schema.ts'
import { inBackground, tellWritten } from './transact.ts'

/** How long a group accepts new members; later ones wait for the next group. */
type Bounds = {
  msMax: number
  /**
   * For an account that is already in the group while another also writes: the other waits for one group and its own.
   */
  sharedMsMax: number
}
const usual: Bounds = { msMax: 15, sharedMsMax: 2 }
/** Writes that belong to no account, such as sign-ups and usage counts, share a turn. */
const nobody = ''

type Work<T> = (tx: Transaction<Database>) => Promise<T>
/** Reports the result of its work to a caller. */
type Outcome = () => void
type Waiting = {
  account: string | number
  work: Work<unknown>
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

type Disk = {
  sync: () => Promise<void>
  /** Brings commits that nobody waits for to the disk, so that `sync` takes less time. Never fails. */
  syncAhead: () => Promise<void>
}

/** Ends a transaction in which a member failed after it had written. */
const spoiled = new Error('A write has to be undone')

/**
 * Runs concurrent writes as one transaction of the database. A commit waits for the disk, and commits of one file
 * cannot overlap; grouped, they wait once. No caller gets its result before the commit is on the disk. Accounts take
 * turns: a write waits for earlier writes of its account, not for everything that another account has queued.
 * Background work joins no group, whose callers would wait for it too; they can join the group that it starts. While
 * a group of background work alone is brought to the disk, the next group runs.
 *
 * An error undoes only the work of the member that threw it. Most refusals come before the first write, so there is
 * nothing to undo. Otherwise the transaction is rolled back and each member runs once more in its own transaction.
 * Savepoints would avoid that, but make every write up to twice as expensive, since SQLite copies each page before
 * changing it.
 * @param begin runs work in a transaction of the database, with retries
 * @param disk `sync` waits until commits are on the disk; reads can run meanwhile
 */
export function createGroupCommit(
  begin: (db: Db, work: Work<void>) => Promise<void>,
  disk: Disk,
  { msMax, sharedMsMax } = usual,
): <T>(db: Db, work: Work<T>, account?: string | number) => Promise<T> {
  const waiting = createFairQueue<Waiting>()
  const presence = createActiveCallers<string | number>(() => performance.now())
  let busy = false

  async function commit(db: Db, work: Work<void>): Promise<void> {
    let last: Db | undefined
    await begin(db, (tx) => {
      last = tx
      return work(tx)
    })
    tellWritten(last!)
  }

  async function runGroup(db: Db, group: Waiting[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    await commit(db, async (tx) => {
      outcomes.length = 0
      const begun = performance.now()
      // A retry starts with the same members.
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
    return waiting.shift((account) => {
      if (account === inBackground) return group.length === 0
      return ms < sharedMsMax || !presence.hasCompany(account) || !isIn(account)
    })
  }

  async function runEachAlone(db: Db, group: readonly Waiting[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    for (const { work, resolve, reject } of group) {
      try {
        let value: unknown
        await commit(db, async (tx) => {
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
      const tell = () => {
        for (const outcome of outcomes) outcome()
      }
      if (group.every(({ account }) => account === inBackground)) void disk.syncAhead().then(tell)
      else await disk.sync().then(tell)
    } catch (error) {
      if (group.length === 0) while (waiting.size > 0) group.push(waiting.shift()!)
      for (const member of group) member.reject(error)
    }
  }

  async function commitAll(db: Db): Promise<void> {
    busy = true
    // Includes writes that start in this turn of the event loop.
    await nextTask()
    while (waiting.size > 0) await commitGroup(db)
    busy = false
  }

  return <T>(db: Db, work: Work<T>, account: string | number = nobody) =>
    new Promise<T>((resolve, reject) => {
      if (account !== nobody && account !== inBackground) presence.see(account)
      waiting.push(account, { account, work, resolve, reject })
      if (!busy) void commitAll(db)
    })
}

/** Throws only if the transaction must not be committed. */
async function runMember(tx: Transaction<Database>, { work, resolve, reject }: Waiting): Promise<Outcome> {
  const before = writesBegun(tx)
  try {
    const value = await work(tx)
    return () => resolve(value as never)
  } catch (error) {
    if (writesBegun(tx) === before) return () => reject(error)
    throw spoiled
  }
}

/** Undefined if the transaction is lost, as after a full disk. */
const writesBegun = (tx: Db) => inProcessOf(tx.getExecutor().adapter)?.writesBegun()
