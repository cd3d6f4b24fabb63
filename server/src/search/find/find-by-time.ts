import type { Relation } from '@loci/contract/relations'
import { fromIso } from '../../ground/lib/time.ts'
import type { StoredEntity } from '../../rows/codec.ts'
import { listEntityRows } from '../../rows/entities.repo.ts'
import { listRelationRows } from '../../rows/relations.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { TimeSpan } from '../analyse/times/time-span.ts'
import { createPassageReader } from '../match/passage-reader.ts'
import { noParts, type RankedObservation } from '../rank/ranking.ts'
import type { EntityLabel } from '../store/index-rows.ts'
import { listObservationsBetween, type PassageFilter } from '../store/search.repo.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'
import type { RankedRelation } from './find-relations.ts'

/** The results for a question that asks only about a time: what was stored then, newest first. */
export type StoredAt = {
  ranked: RankedObservation[]
  relations: RankedRelation[]
  created: StoredEntity[]
  labels: Map<number, EntityLabel>
}

const relationsMax = 30
const createdMax = 50
/** Factor by which more is read than wanted, to tell whether there is more. */
const perWanted = 2

export async function findByTime(
  ctx: Context,
  space: IndexedSpace,
  spans: readonly TimeSpan[],
  { limit, types, states, ...filter }: PassageFilter & { limit: number },
): Promise<StoredAt> {
  const { db } = ctx
  const ids = new Set<number>()
  const relations: Relation[] = []
  const created: StoredEntity[] = []
  for (const { from, to } of spans) {
    const between = {
      types,
      states,
      storedAfter: filter.storedAfter,
      storedBefore: filter.storedBefore,
      after: Math.max(from, filter.after ?? from),
      before: Math.min(to, filter.before ?? to),
    }
    const stored = await listObservationsBetween(db, space, between, ctx.now(), limit * perWanted)
    for (const id of stored) ids.add(id)
    const cursor = { at: between.before, id: 0 }
    const newest = await listRelationRows(db, space, { filter: {}, cursor, limit: relationsMax })
    relations.push(...newest.filter(({ createdAt }) => fromIso(createdAt) >= between.after))
    const entities = await listEntityRows(db, space, { cursor, limit: createdMax })
    created.push(...entities.filter(({ createdAt }) => fromIso(createdAt) >= between.after))
  }
  const reader = createPassageReader(ctx, space, { states })
  const newest = (await reader.find([...ids])).sort((a, b) => b.createdAt - a.createdAt || b.id - a.id)
  return {
    ranked: newest
      .slice(0, limit * perWanted)
      .map((passage) => ({ passage, score: 1, parts: { ...noParts, time: 1 } })),
    relations: relations.map((relation) => ({ relation, score: 0.5, isOfAskedType: false })),
    created,
    labels: reader.labels,
  }
}
