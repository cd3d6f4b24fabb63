import { setImmediate as nextTask } from 'node:timers/promises'
import type { PeriodicWork } from '../../ground/lib/periodic-work.ts'
import { dayMs } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import type { Context } from '../../tenancy/context.ts'
import { createLeasedRounds } from '../../tenancy/leases/leased-rounds.ts'
import type { GoOn } from '../../tenancy/leases/under-lease.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { deleteEnded, findFirstEnd, listSpacesAfter } from './history-sweep.repo.ts'
import { findSeqAt } from './log.repo.ts'

const spacesPerPage = 100
const changesPerStep = 500

/**
 * Erases versions that ended more than `days` ago, in all spaces, in short transactions between which
 * others can write. `goOn` is called before each space.
 */
export async function sweepHistory(ctx: Context, days: number, goOn: GoOn = async () => true): Promise<void> {
  const end = ctx.now() - days * dayMs
  for (let after: Scope | undefined = { accountId: 0, spaceId: 0 }; after !== undefined; ) {
    const spaces: Scope[] = await listSpacesAfter(ctx.db, after, spacesPerPage)
    for (const space of spaces) {
      if (!(await goOn())) return
      await sweepSpace(ctx, space, end)
      await nextTask()
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
    await nextTask()
  }
}

/** Sweeps once a day; closing waits only for the space currently being swept. */
export const createHistorySweep = (ctx: Context, days: number): PeriodicWork =>
  createLeasedRounds(ctx, {
    name: 'history',
    everyMs: dayMs,
    run: (goOn) => sweepHistory(ctx, days, goOn),
    failure: 'old versions could not be erased',
  })
