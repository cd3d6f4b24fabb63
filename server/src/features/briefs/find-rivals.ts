import type { BriefItem } from '@loci/contract/briefs'
import { isTold } from '@loci/contract/observations'
import { compareIds } from '../../ground/lib/ids.ts'
import { createPace } from '../../ground/lib/pace.ts'
import { listNewestObservations } from '../../rows/observations.repo.ts'
import { findReplaced } from '../../search/find/rivals.rules.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { cutText } from './to-items.rules.ts'

/** Entities whose facts are compared, the newest items first, and how many of their facts. */
const entitiesMax = 10
const comparedMax = 60
const charactersMax = 1_000

/** Marks learned facts that seem to replace an earlier one. */
export async function findRivalsOf(
  ctx: Context,
  actor: Actor,
  items: readonly BriefItem[],
): Promise<BriefItem[]> {
  const learned = items.filter(({ kind, isRead }) => kind === 'learned' && !isRead)
  const rivals = new Map<number, BriefItem['rival']>()
  const pace = createPace()
  for (const ofEntity of [...Map.groupBy(learned, ({ entity }) => entity.id).values()].slice(
    0,
    entitiesMax,
  )) {
    const { entity } = ofEntity[0]!
    const rows = await listNewestObservations(ctx.db, actor, entity.id, { limit: comparedMax })
    const told = rows
      .filter((row) => isTold(row, ctx.now()))
      .map((row) => ({ ...row, content: row.content.slice(0, charactersMax) }))
    for (const { seq, observationId = '', content } of ofEntity) {
      await pace()
      const earlier = told.filter(({ id }) => compareIds(id, observationId) < 0)
      const [rival] = findReplaced(content, earlier, entity.name)
      if (rival === undefined || rival.content === content) continue
      const { id, createdAt } = rival
      rivals.set(seq, { observationId: id, content: cutText(rival.content), createdAt })
    }
  }
  return items.map((item) => {
    const rival = rivals.get(item.seq)
    return rival === undefined ? item : { ...item, kind: 'rival' as const, rival }
  })
}
