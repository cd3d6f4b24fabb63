import { setImmediate as nextTurn } from 'node:timers/promises'
import { CompiledQuery, type Transaction } from 'kysely'
import { createFairQueue } from '../lib/fair-queue.ts'
import type { Db } from './db.ts'
import { runCompiled } from './run-compiled.ts'
import type { Database } from './schema.ts'

const groupMsMax = 15

type Work<T> = (tx: Transaction<Database>) => Promise<T>
type Outcome = () => void
type Waiting = {
  run: (tx: Transaction<Database>) => Promise<Outcome>
  /** The same without a savepoint, which costs a copy of each page that is changed: what it throws ends the group. */
  runFirst: (tx: Transaction<Database>) => Promise<Outcome>
  fail: (error: unknown) => void
}

/**
 * Runs what wants to write at the same time as one transaction of the database, each after the first in a savepoint of
 * its own. A commit waits for the disk, and commits of one file cannot do so side by side; this way they wait once.
 * Accounts take turns: the writes of one wait for each other, not those of one for all that another has queued.
 * Nobody is answered before the commit is on the disk, and what one of them throws undoes its own work only.
 * @param begin runs work in a transaction of the database, anew when that can help
 * @param sync waits until what was committed is on the disk; others read meanwhile
 * @param msMax a group that takes longer lets the rest wait for the next
 */
export function createGroupCommit(
  begin: (db: Db, work: Work<void>) => Promise<void>,
  sync: () => Promise<void>,
  msMax = groupMsMax,
): <T>(db: Db, work: Work<T>, account?: string | number) => Promise<T> {
  const waiting = createFairQueue<Waiting>()
  let busy = false

  async function commitGroup(db: Db): Promise<void> {
    const group: Waiting[] = []
    const outcomes: Outcome[] = []
    try {
      await begin(db, async (tx) => {
        outcomes.length = 0
        const begun = performance.now()
        // Begun anew, the group is as it was.
        for (const member of group) outcomes.push(await member.run(tx))
        while (waiting.size > 0 && performance.now() - begun < msMax) {
          const member = waiting.shift()!
          group.push(member)
          outcomes.push(await (group.length === 1 ? member.runFirst(tx) : member.run(tx)))
        }
      })
      await sync()
    } catch (error) {
      if (group.length === 0) while (waiting.size > 0) group.push(waiting.shift()!)
      for (const member of group) member.fail(error)
      return
    }
    for (const tell of outcomes) tell()
  }

  async function commitAll(db: Db): Promise<void> {
    busy = true
    // Whoever is about to write in this turn of the event loop comes along.
    await nextTurn()
    while (waiting.size > 0) await commitGroup(db)
    busy = false
  }

  return <T>(db: Db, work: Work<T>, account: string | number = '') =>
    new Promise<T>((resolve, reject) => {
      waiting.push(account, {
        fail: reject,
        runFirst: async (tx) => {
          const value = await work(tx)
          return () => resolve(value)
        },
        run: async (tx) => {
          const outcome = await inSavepoint(tx, work)
          return () => ('value' in outcome ? resolve(outcome.value) : reject(outcome.error))
        },
      })
      if (!busy) void commitAll(db)
    })
}

const savepoint = CompiledQuery.raw('savepoint member')
const release = CompiledQuery.raw('release member')
const rollback = CompiledQuery.raw('rollback to member')

/** Throws only when the transaction as a whole is lost. */
async function inSavepoint<T>(
  tx: Transaction<Database>,
  work: Work<T>,
): Promise<{ value: T } | { error: unknown }> {
  await runCompiled(tx, savepoint, [])
  try {
    const value = await work(tx)
    await runCompiled(tx, release, [])
    return { value }
  } catch (error) {
    try {
      await runCompiled(tx, rollback, [])
      await runCompiled(tx, release, [])
    } catch {
      // A full disk, for one, has undone everything.
      throw error
    }
    return { error }
  }
}
