import { setImmediate as nextTask } from 'node:timers/promises'
import { AppError } from '../../ground/errors/app-error.ts'
import type { PeriodicWork } from '../../ground/lib/periodic-work.ts'
import { dayMs, hourMs } from '../../ground/lib/time.ts'
import { removeObservations } from '../../memory/write/remove-entities.ts'
import { writeGraph } from '../../memory/write/write-graph.ts'
import { findObservations, listExpired } from '../../rows/observations.repo.ts'
import { actorOn } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { createLeasedRounds } from '../../tenancy/leases/leased-rounds.ts'
import type { GoOn } from '../../tenancy/leases/under-lease.ts'

/** An expired fact is no longer told at once, and is deleted after this time, in which its expiry can be corrected. */
const keptDays = 30
const rowsPerSlice = 200

/** Deletes facts that expired 30 days ago, once an hour, like any other deletion. */
export const createExpiredFactsSweep = (ctx: Context): PeriodicWork =>
  createLeasedRounds(ctx, {
    name: 'expired-facts',
    everyMs: hourMs,
    run: (goOn) => sweepExpiredFacts(ctx, goOn),
    failure: 'expired facts could not be deleted',
  })

/** Runs one round, until nothing is left or `goOn`, called before each slice, returns false. */
export async function sweepExpiredFacts(ctx: Context, goOn: GoOn = async () => true): Promise<void> {
  const end = ctx.now() - keptDays * dayMs
  for (;;) {
    if (!(await goOn())) return
    const expired = await listExpired(ctx.db, end, rowsPerSlice)
    let deleted = 0
    for (const { scope, entityId, ids } of expired) {
      const server = actorOn({ kind: 'local', accountId: scope.accountId, userId: '', role: 'owner' }, scope)
      const removal = writeGraph(ctx, { ...server, client: 'loci expiry' }, async (write) => {
        const rows = await findObservations(write.db, scope, ids)
        const isExpired = (at = '') => at !== '' && Date.parse(at) <= end
        const due = rows.filter((row) => row.entityId === entityId && isExpired(row.expiresAt))
        await removeObservations(write, due)
        return due.length
      })
      deleted += await removal.catch(ignoreDeletedSpace)
      await nextTask()
    }
    if (deleted === 0) return
  }
}

/** Everything in it is being deleted by others. */
function ignoreDeletedSpace(error: unknown): number {
  if (error instanceof AppError && error.code === 'space_not_found') return 0
  throw error
}
