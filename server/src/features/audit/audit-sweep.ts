import { createPeriodicWork, type PeriodicWork } from '../../ground/lib/periodic-work.ts'
import { dayMs, hourMs } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import type { Context } from '../../tenancy/context.ts'
import { deleteSomeEvents } from './audit.repo.ts'

const rowsPerSlice = 500

/** Deletes events past the audit log's retention, in short transactions. */
export async function sweepAudit(ctx: Context, mustStop: () => boolean = () => false): Promise<void> {
  const before = ctx.now() - ctx.config.auditDays * dayMs
  while (!mustStop()) {
    const deleted = await transact(ctx, ({ db }) => deleteSomeEvents(db, before, rowsPerSlice))
    if (deleted < rowsPerSlice) return
  }
}

/** Sweeps once an hour. */
export function createAuditSweep(ctx: Context): PeriodicWork {
  let isClosed = false
  const rounds = createPeriodicWork(
    hourMs,
    () => sweepAudit(ctx, () => isClosed),
    (error) => ctx.log.error({ err: error }, 'old events of the audit log could not be deleted'),
  )
  return {
    start: rounds.start,
    close() {
      isClosed = true
      return rounds.close()
    },
  }
}
