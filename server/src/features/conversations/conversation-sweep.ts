import type { PeriodicWork } from '../../ground/lib/periodic-work.ts'
import { dayMs } from '../../ground/lib/time.ts'
import type { Context } from '../../tenancy/context.ts'
import { createLeasedRounds } from '../../tenancy/leases/leased-rounds.ts'
import type { GoOn } from '../../tenancy/leases/under-lease.ts'
import { listEndedBefore } from './conversations.repo.ts'
import { removeSlice } from './delete-conversation.ts'

const conversationsPerPage = 100

/** Deletes conversations whose newest turn is older than `days`, slice by slice. `goOn` is called before each. */
export async function sweepConversations(
  ctx: Context,
  days: number,
  goOn: GoOn = async () => true,
): Promise<void> {
  const end = ctx.now() - days * dayMs
  for (;;) {
    const ended = await listEndedBefore(ctx.db, end, conversationsPerPage)
    for (const { id, ...scope } of ended)
      do if (!(await goOn())) return
      while (await removeSlice(ctx, scope, id))
    if (ended.length < conversationsPerPage) return
  }
}

/** Sweeps once a day. */
export const createConversationSweep = (ctx: Context, days: number): PeriodicWork =>
  createLeasedRounds(ctx, {
    name: 'conversations',
    everyMs: dayMs,
    run: (goOn) => sweepConversations(ctx, days, goOn),
    failure: 'old conversations could not be deleted',
  })
