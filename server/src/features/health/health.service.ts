import { healthKinds, type MemoryHealth, type MemoryHealthQuery } from '@loci/contract/health'
import { AppError } from '../../ground/errors/app-error.ts'
import { toRankedPage } from '../../ground/lib/ranked-pages.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import * as repo from './health.repo.ts'
import { getReport } from './known-health.ts'

const none = Object.fromEntries(healthKinds.map((kind) => [kind, 0])) as MemoryHealth['counts']

/** What the last check of a space found, without what somebody left as it is. Throws `invalid_cursor`. */
export async function getMemoryHealth(
  ctx: Context,
  actor: Actor,
  { kind, ...page }: MemoryHealthQuery,
): Promise<MemoryHealth> {
  const { report, running } = await getReport(ctx, actor)
  const countsTold = (await repo.findCountingOfTold(ctx.db, actor)) !== undefined
  const progress = running === undefined ? {} : { running: { checked: running.checked, of: running.of } }
  if (report === undefined) {
    const checked = { entities: 0, observations: 0 }
    return { checkedAt: null, checked, items: [], counts: none, ...progress, countsTold, nextCursor: null }
  }
  const dismissed = await repo.listDismissedItems(
    ctx.db,
    actor,
    report.items.map(({ id }) => id),
  )
  const counts = { ...report.counts }
  for (const item of report.items) if (dismissed.has(item.id)) counts[item.kind] = counts[item.kind]! - 1
  const left = report.items.filter((item) => !dismissed.has(item.id) && (kind ?? item.kind) === item.kind)
  const { rows, nextCursor } = toRankedPage('health', left, page)
  return { ...report, items: rows, counts, ...progress, countsTold, nextCursor }
}

/** Leaves an item as it is. Throws `validation_failed` for an id that is none. */
export async function dismissHealthItem(ctx: Context, actor: Actor, id: string): Promise<void> {
  if (!/^hlt_[0-9a-f]{20}$/.test(id)) throw new AppError('validation_failed', 'This is not the id of an item')
  await transact(
    ctx,
    async (inner) => {
      await lockAccount(inner.db, actor.accountId)
      await repo.putDismissedItem(inner.db, actor, id, inner.now())
    },
    actor.accountId,
  )
}

/** Lists an item again. */
export async function undismissHealthItem(ctx: Context, actor: Actor, id: string): Promise<void> {
  await transact(
    ctx,
    async (inner) => {
      await lockAccount(inner.db, actor.accountId)
      await repo.deleteDismissedItem(inner.db, actor, id)
    },
    actor.accountId,
  )
}
