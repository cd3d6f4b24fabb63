import { setImmediate as nextTask } from 'node:timers/promises'
import type { GraphEntity, GraphPart, GraphRelation, GraphStreamQuery } from '@loci/contract/graph'
import { columnsOf } from '@loci/contract/graph-columns'
import { pagesById } from '../../ground/lib/all-pages.ts'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { numberOf } from '../../ground/lib/ids.ts'
import { getCounters } from '../../rows/counters.repo.ts'
import {
  findGraphEntities,
  listGraphEntities,
  listGraphRelations,
  listRelationsAmong,
} from '../../rows/traversal.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { walkFromHubs } from './walk.ts'

const entitiesPerPart = 500
const relationsPerPart = 1_000
/** Each part reads all entities, so the number of parts stays small however many entities there are. */
const sourcesPerPart = (entities: number) => Math.max(250, Math.ceil(entities / 40))
/** Most relations that begin at the entities of one part. */
const relationsOfSourcesMax = 20_000
const relationsMax = 500_000

/**
 * A graph as JSON lines, in bounded memory and in steps that yield to other calls: all of it if `limit` allows, else
 * the most connected entities with their neighbourhoods.
 */
export async function* streamGraph(
  ctx: Context,
  actor: Actor,
  query: GraphStreamQuery,
): AsyncGenerator<string, void> {
  const { entities } = await getCounters(ctx.db, actor)
  const parts = entities <= query.limit ? wholeGraph(ctx, actor) : partOfGraph(ctx, actor, query)
  for await (const part of parts) {
    yield `${JSON.stringify(query.form === 'columns' ? columnsOf(part) : part)}\n`
    // SQLite responds synchronously: without this no other call would get a turn.
    await nextTask()
  }
}

async function* wholeGraph(ctx: Context, actor: Actor): AsyncGenerator<GraphPart, void> {
  const known = new Set<string>()
  for await (const entities of pagesById(
    entitiesPerPart,
    (page) => listGraphEntities(ctx.db, actor, page),
    entityNumber,
  )) {
    for (const { id } of entities) known.add(id)
    yield { entities }
  }
  let count = 0
  for await (const page of pagesById(
    relationsPerPart,
    (at) => listGraphRelations(ctx.db, actor, at),
    relationNumber,
  )) {
    const relations = page.filter((relation) => hasBothEnds(relation, known))
    yield { relations }
    count += relations.length
    if (count >= relationsMax) break
  }
  yield { truncated: count >= relationsMax }
}

const entityNumber = ({ id }: GraphEntity) => numberOf('ent', id)
const relationNumber = ({ id }: GraphRelation) => numberOf('rel', id)

/** The graph can change while it is read: one end can have arrived too late to be included. */
function hasBothEnds({ fromEntityId, toEntityId }: GraphRelation, known: ReadonlySet<string>): boolean {
  return known.has(fromEntityId) && known.has(toEntityId)
}

async function* partOfGraph(
  ctx: Context,
  actor: Actor,
  query: GraphStreamQuery,
): AsyncGenerator<GraphPart, void> {
  const { found, truncated } = await walkFromHubs(ctx, actor, query)
  const ids = [...found]
  for (const slice of chunksOf(ids, entitiesPerPart)) {
    const entities: GraphEntity[] = await findGraphEntities(ctx.db, actor, slice)
    yield { entities }
  }
  let left = relationsMax
  let cut = truncated
  for (const sources of chunksOf(ids, sourcesPerPart(ids.length))) {
    const limit = Math.min(relationsOfSourcesMax, left)
    const relations = await listRelationsAmong(ctx.db, actor, { ids, sources, limit })
    yield { relations }
    left -= relations.length
    cut ||= relations.length === limit
    if (left === 0) break
  }
  yield { truncated: cut }
}
