import type { Relation } from '@loci/contract/relations'
import type { Context } from '../../context.ts'
import { listEntities, type StoredEntity } from '../../graph/entities.repo.ts'
import { listRelations } from '../../graph/relations.repo.ts'
import { fromIso } from '../../lib/time.ts'
import type { IndexedSpace } from '../../search-index/search-index.repo.ts'
import type { Passage } from './count-words.ts'
import type { RankedRelation } from './find-relations.ts'
import { noParts, type RankedObservation } from './ranking.ts'
import { type EntityLabel, findEntityLabels, listPassagesBetween, type PassageFilter } from './search.repo.ts'
import type { TimeSpan } from './time-expressions.ts'

/** What was stored in the times that a question asks about when it asks for nothing else, newest first. */
export type StoredAt = {
  ranked: RankedObservation[]
  relations: RankedRelation[]
  created: StoredEntity[]
  labels: EntityLabel[]
  passages: Passage[]
}

const relationsMax = 30
const createdMax = 50
/** Enough to see that there is more than was asked for. */
const perWanted = 2
const piecesPerObservation = 4

export async function findByTime(
  ctx: Context,
  space: IndexedSpace,
  spans: readonly TimeSpan[],
  { limit, ...filter }: PassageFilter & { limit: number },
): Promise<StoredAt> {
  const { db, dialect } = ctx
  const passages: Passage[] = []
  const relations: Relation[] = []
  const created: StoredEntity[] = []
  for (const { from, to } of spans) {
    const between = {
      types: filter.types,
      after: Math.max(from, filter.after ?? 0),
      before: Math.min(to, filter.before ?? to),
    }
    passages.push(...(await listPassagesBetween(db, dialect, space, between, limit * piecesPerObservation)))
    const cursor = { at: between.before, id: 0 }
    const newest = await listRelations(db, space, { filter: {}, cursor, limit: relationsMax })
    relations.push(...newest.filter(({ createdAt }) => fromIso(createdAt) >= between.after))
    const entities = await listEntities(db, space, { cursor, limit: createdMax })
    created.push(...entities.filter(({ createdAt }) => fromIso(createdAt) >= between.after))
  }
  const first = new Map(passages.toReversed().map((passage) => [passage.observationId, passage]))
  const newest = [...first.values()].sort((a, b) => b.createdAt - a.createdAt || b.ordinal - a.ordinal)
  const entityIds = [...new Set(newest.map(({ entityId }) => entityId))]
  return {
    ranked: newest
      .slice(0, limit * perWanted)
      .map((passage) => ({ passage, score: 1, parts: { ...noParts, time: 1 } })),
    relations: relations.map((relation) => ({ relation, score: 0.5, isOfAskedType: false })),
    created,
    labels: await findEntityLabels(db, dialect, space, entityIds),
    passages: newest,
  }
}
