import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { createLease } from '../leases/lease.ts'
import { createRounds, type Rounds } from '../lib/rounds.ts'
import { dayMs, minuteMs } from '../lib/time.ts'
import type { Scope } from '../scope.ts'
import { deleteEnded, findFirstEnd, listSpacesAfter } from './history-sweep.repo.ts'
import { findSeqAt } from './log.repo.ts'

const spacesPerPage = 100
const changesPerStep = 500
const leaseMs = 10 * minuteMs

/**
 * Erases versions that ended more than `days` ago, in all spaces, in short transactions between which
 * others can write. `goOn` is called before each space.
 */
export async function sweepHistory(
  ctx: Context,
  days: number,
  goOn: () => Promise<boolean> = async () => true,
): Promise<void> {
  const end = ctx.now() - days * dayMs
  for (let after: Scope | undefined = { accountId: 0, spaceId: 0 }; after !== undefined; ) {
    const spaces: Scope[] = await listSpacesAfter(ctx.db, after, spacesPerPage)
    for (const space of spaces) {
      if (!(await goOn())) return
      await sweepSpace(ctx, space, end)
      await nextTurn()
    }
    after = spaces.at(-1)
  }
}

async function sweepSpace(ctx: Context, space: Scope, end: number): Promise<void> {
  let last: number | undefined
  for (;;) {
    const first = await findFirstEnd(ctx.db, space)
    if (first === undefined) return
    last ??= await findSeqAt(ctx.db, space, end)
    if (first > last) return
    const upTo = Math.min(last, first + changesPerStep - 1)
    await transact(ctx, (inner) => deleteEnded(inner.db, space, upTo))
    await nextTurn()
  }
}

/** Sweeps once a day, in one process at a time; closing waits only for the space currently being swept. */
export function createHistorySweep(ctx: Context, days: number): Rounds {
  let isClosed = false
  const sweep = async () => {
    const lease = createLease(ctx, 'history', leaseMs)
    await sweepHistory(ctx, days, async () => !isClosed && lease.hold())
    await lease.release()
  }
  const rounds = createRounds(dayMs, sweep, (error) =>
    ctx.log.error({ err: error }, 'old versions could not be erased; trying again in a day'),
  )
  return {
    start: rounds.start,
    close() {
      isClosed = true
      return rounds.close()
    },
  }
}
