import { setImmediate as nextTask } from 'node:timers/promises'
import type { GraphData, GraphDataQuery, GraphRelation } from '@loci/contract/graph'
import type { MomentOrSeq } from '@loci/contract/moments'
import { AppError } from '../../ground/errors/app-error.ts'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { findEntity } from '../../rows/entities.repo.ts'
import { findGraphEntities, listRelationsAmong, listSteps, sumDegrees } from '../../rows/traversal.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { getGraphAsOf } from './graph-as-of.ts'
import { newWalk, spread, stepsMax, type Walk, walkFromHubs } from './walk.ts'

/** Most entities around one entity, for calls that cannot set a limit. */
const neighbourhoodLimit = 1_000
/** Most relations in one response. */
const relationsMax = 20_000
/** SQLite reads as many sources and relations in one piece. */
const sourcesPerRead = 100
const relationsPerRead = 2_000
/** Longest path, and most entities that the search for it visits. */
const pathLengthMax = 12
const pathVisitedMax = 50_000

/** The part of the graph around an entity. Throws `entity_not_found`. */
export async function getNeighbourhood(
  ctx: Context,
  actor: Actor,
  rootId: string,
  {
    depth,
    limit = neighbourhoodLimit,
    asOf,
  }: { depth: number; limit?: number; asOf?: MomentOrSeq | undefined },
): Promise<GraphData> {
  if (asOf !== undefined) return getGraphAsOf(ctx, actor, { rootEntityId: rootId, depth, limit }, asOf)
  const root = await findEntity(ctx.db, actor, rootId)
  if (root === undefined) throw new AppError('entity_not_found', 'Entity not found')
  const walk = newWalk(limit)
  await spread(walk, [root.id], depth, (ids, limitOfSteps) => listSteps(ctx.db, actor, ids, limitOfSteps))
  return toGraphData(ctx, actor, walk)
}

/** Around a root, or the most connected entities with their neighbourhoods. Throws `entity_not_found`. */
export async function getGraphData(ctx: Context, actor: Actor, query: GraphDataQuery): Promise<GraphData> {
  if (query.rootEntityId !== undefined) {
    return getNeighbourhood(ctx, actor, query.rootEntityId, query)
  }
  if (query.asOf !== undefined) return getGraphAsOf(ctx, actor, query, query.asOf)
  const walk = await walkFromHubs(ctx, actor, query)
  return toGraphData(ctx, actor, walk)
}

async function toGraphData(ctx: Context, actor: Actor, walk: Walk): Promise<GraphData> {
  const ids = [...walk.found]
  const relations: GraphRelation[] = []
  for (const sources of chunksOf(ids, sourcesPerRead)) {
    for await (const some of relationsAmong(ctx, actor, ids, sources)) relations.push(...some)
    if (relations.length > relationsMax) break
  }
  return {
    entities: await findGraphEntities(ctx.db, actor, ids),
    relations: relations.slice(0, relationsMax),
    truncated: walk.truncated || relations.length > relationsMax,
  }
}

/** The relations from `sources` to `ends`, in parts: where there are too many for one, the halves are read apart. */
async function* relationsAmong(
  ctx: Context,
  actor: Actor,
  ends: readonly string[],
  sources: readonly string[],
): AsyncGenerator<GraphRelation[], void> {
  const isPair = sources.length === 1 && ends.length === 1
  const limit = isPair ? relationsMax + 1 : relationsPerRead
  const found = await listRelationsAmong(ctx.db, actor, { ids: ends, sources, limit })
  await nextTask()
  if (found.length < limit || isPair) {
    yield found
    return
  }
  const halves = (ids: readonly string[]) => chunksOf(ids, Math.ceil(ids.length / 2))
  if (sources.length > 1) for (const half of halves(sources)) yield* relationsAmong(ctx, actor, ends, half)
  else for (const half of halves(ends)) yield* relationsAmong(ctx, actor, half, sources)
}

/**
 * The entities of a shortest path and the relations between consecutive ones, in order; relations count in both
 * directions. Throws `entity_not_found`, or `path_not_found` if there is no path of up to 12 relations.
 */
export async function getShortestPath(
  ctx: Context,
  actor: Actor,
  fromId: string,
  toId: string,
): Promise<GraphData> {
  for (const id of [fromId, toId]) {
    if ((await findEntity(ctx.db, actor, id)) === undefined)
      throw new AppError('entity_not_found', 'Entity not found')
  }
  const path = await findPath(ctx, actor, fromId, toId)
  const pairs = path.slice(1).map((id, index) => pairKey(path[index]!, id))
  const relations = await listRelationsAmong(ctx.db, actor, { ids: path, limit: relationsMax })
  const byPair = Map.groupBy(relations, ({ fromEntityId, toEntityId }) => pairKey(fromEntityId, toEntityId))
  return {
    entities: await findGraphEntities(ctx.db, actor, path),
    relations: pairs.flatMap((pair) => byPair.get(pair) ?? []),
    truncated: false,
  }
}

const pairKey = (a: string, b: string) => (a < b ? `${a} ${b}` : `${b} ${a}`)

/** Breadth first from both ends, always where there are fewer relations to read, until they meet. */
async function findPath(ctx: Context, actor: Actor, fromId: string, toId: string): Promise<string[]> {
  if (fromId === toId) return [fromId]
  const sides = [await newSide(ctx, actor, fromId), await newSide(ctx, actor, toId)] as const
  for (let length = 1; length <= pathLengthMax; length++) {
    const [here, there] = sides[0].steps <= sides[1].steps ? sides : [sides[1], sides[0]]
    const meeting = await advance(ctx, actor, here, there)
    if (meeting !== undefined)
      return [...trail(sides[0], meeting).reverse(), ...trail(sides[1], meeting).slice(1)]
    if (here.frontier.length === 0 || here.cameFrom.size + there.cameFrom.size > pathVisitedMax) break
  }
  throw new AppError('path_not_found', `No path of up to ${pathLengthMax} relations connects these entities`)
}

/** `steps` is the number of relations at the frontier, or less. */
type Side = { cameFrom: Map<string, string | undefined>; frontier: string[]; steps: number }

async function newSide(ctx: Context, actor: Actor, id: string): Promise<Side> {
  return { cameFrom: new Map([[id, undefined]]), frontier: [id], steps: await countSteps(ctx, actor, [id]) }
}

/** Larger frontiers have at least as many steps as entities, which is enough to know. */
const countedMax = 1_000

async function countSteps({ db }: Context, actor: Actor, frontier: readonly string[]): Promise<number> {
  return frontier.length > countedMax ? frontier.length : sumDegrees(db, actor, frontier)
}

/** Expands one level; returns the entity where the two sides meet, if they do. */
async function advance(ctx: Context, actor: Actor, side: Side, other: Side): Promise<string | undefined> {
  const next: string[] = []
  const { edges } = await listSteps(ctx.db, actor, side.frontier, stepsMax)
  for (const { from, to } of edges) {
    if (side.cameFrom.has(to)) continue
    side.cameFrom.set(to, from)
    if (other.cameFrom.has(to)) return to
    next.push(to)
  }
  side.frontier = next
  side.steps = await countSteps(ctx, actor, next)
  return undefined
}

/** The path from `id` back to where the side began. */
function trail(side: Side, id: string): string[] {
  const ids: string[] = []
  for (let at: string | undefined = id; at !== undefined; at = side.cameFrom.get(at)) ids.push(at)
  return ids
}
