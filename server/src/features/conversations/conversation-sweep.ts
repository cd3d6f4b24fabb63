import { allPages } from '../../ground/lib/all-pages.ts'
import type { PeriodicWork } from '../../ground/lib/periodic-work.ts'
import { dayMs } from '../../ground/lib/time.ts'
import type { Context } from '../../tenancy/context.ts'
import { createLeasedRounds } from '../../tenancy/leases/leased-rounds.ts'
import type { GoOn } from '../../tenancy/leases/under-lease.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { listEnded, listLimitedSpaces } from './conversations.repo.ts'
import { removeSlice } from './delete-conversation.ts'

const conversationsPerPage = 100
const spacesPerPage = 100

/**
 * Deletes conversations whose newest turn is older than the server or their space keeps them, slice by slice. `goOn` is
 * called before each.
 */
export async function sweepConversations(ctx: Context, goOn: GoOn = async () => true): Promise<void> {
  const { conversationDays } = ctx.config
  const endOf = (days: number) => ctx.now() - days * dayMs
  if (conversationDays !== undefined)
    await removeAll(ctx, goOn, (limit) => listEnded(ctx.db, undefined, endOf(conversationDays), limit))
  const list = (last: Scope = { accountId: 0, spaceId: 0 }) => listLimitedSpaces(ctx.db, last, spacesPerPage)
  for await (const spaces of allPages(spacesPerPage, list))
    for (const { days, ...scope } of spaces)
      await removeAll(ctx, goOn, (limit) => listEnded(ctx.db, scope, endOf(days), limit))
}

async function removeAll(
  ctx: Context,
  goOn: GoOn,
  list: (limit: number) => Promise<(Scope & { id: number })[]>,
): Promise<void> {
  for (;;) {
    const ended = await list(conversationsPerPage)
    for (const { id, ...scope } of ended)
      do if (!(await goOn())) return
      while (await removeSlice(ctx, scope, id))
    if (ended.length < conversationsPerPage) return
  }
}

/** Sweeps once a day. */
export const createConversationSweep = (ctx: Context): PeriodicWork =>
  createLeasedRounds(ctx, {
    name: 'conversations',
    everyMs: dayMs,
    run: (goOn) => sweepConversations(ctx, goOn),
    failure: 'old conversations could not be deleted',
  })
