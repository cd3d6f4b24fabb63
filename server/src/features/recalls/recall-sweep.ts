import { setImmediate as nextTask } from 'node:timers/promises'
import { recallsPerSpaceMax } from '@loci/contract/recalls'
import type { PeriodicWork } from '../../ground/lib/periodic-work.ts'
import { dayMs, hourMs } from '../../ground/lib/time.ts'
import { listSpacesAfter } from '../../memory/log/history-sweep.repo.ts'
import { transact } from '../../store/transact.ts'
import type { Context } from '../../tenancy/context.ts'
import { createLeasedRounds } from '../../tenancy/leases/leased-rounds.ts'
import type { GoOn } from '../../tenancy/leases/under-lease.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { deleteOldRecalls, listSpacesOfOldRecalls } from './recalls.repo.ts'

const spacesPerPage = 100

/** Deletes recalls past their retention, and the oldest where a space has too many, once an hour. */
export const createRecallSweep = (ctx: Context): PeriodicWork =>
  createLeasedRounds(ctx, {
    name: 'recalls',
    everyMs: hourMs,
    run: (goOn) => sweepRecalls(ctx, goOn),
    failure: 'old recalls could not be deleted',
  })

/** Runs one round; `goOn` is called before each space that has something to delete. */
export async function sweepRecalls(
  ctx: Context,
  goOn: GoOn = async () => true,
  max = recallsPerSpaceMax,
): Promise<void> {
  const kept = { before: ctx.now() - ctx.config.recallDays * dayMs, max }
  for (let after: Scope | undefined = { accountId: 0, spaceId: 0 }; after !== undefined; ) {
    const spaces: Scope[] = await listSpacesAfter(ctx.db, after, spacesPerPage)
    const upTo = spaces.at(-1)
    const due = upTo === undefined ? [] : await listSpacesOfOldRecalls(ctx.db, { after, upTo }, kept)
    for (const space of due) {
      if (!(await goOn())) return
      await transact(ctx, space.accountId, ({ db }) => deleteOldRecalls(db, space, kept))
      await nextTask()
    }
    after = upTo
  }
}
