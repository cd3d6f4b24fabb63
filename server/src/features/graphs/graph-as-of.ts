import type { GraphData, GraphDataQuery } from '@loci/contract/graph'
import type { MomentOrSeq } from '@loci/contract/moments'
import { AppError } from '../../ground/errors/app-error.ts'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { numbersOf, toId, toNumber } from '../../ground/lib/ids.ts'
import { findEntitiesAsOf } from '../../memory/history/as-of.ts'
import { type HeldKey, listHeldRelations, scanHeld } from '../../memory/history/valid-rows.repo.ts'
import { toSeq } from '../../memory/log/seq-of-moment.ts'
import { type EdgesFound, toEdges, toGraphRelation } from '../../rows/traversal.repo.ts'
import type { Db } from '../../store/db.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { newWalk, seedsPerRound, spread, stepsMax, type Walk } from './walk.ts'

const relationsMax = 20_000
/** Most parts of the relations, and of the entities, that are scanned. */
const partsMax = 500

type Query = Pick<GraphDataQuery, 'limit' | 'depth' | 'rootEntityId'>

/** The past graph, around a root or from the most connected entities. Throws `entity_not_found`. */
export async function getGraphAsOf(
  ctx: Context,
  actor: Actor,
  { limit, depth, rootEntityId }: Query,
  asOf: MomentOrSeq,
): Promise<GraphData> {
  const seq = await toSeq(ctx.db, actor, asOf)
  const walk = newWalk(limit)
  const step = (frontier: readonly string[]) => listStepsAsOf(ctx, actor, frontier, seq)
  if (rootEntityId === undefined) {
    for (const seeds of chunksOf(await listHubsAsOf(ctx, actor, seq), seedsPerRound)) {
      if (walk.truncated) break
      const ids = seeds.map((seed) => toId('ent', seed))
      const fresh = ids.filter((id) => !walk.found.has(id))
      await spread(walk, fresh, depth, step)
    }
    return toGraphData(ctx, actor, walk, seq)
  }
  const number = toNumber('ent', rootEntityId)
  const found = number === undefined ? undefined : await findEntitiesAsOf(ctx.db, actor, [number], seq)
  if (found === undefined || found.size === 0) throw new AppError('entity_not_found', 'Entity not found')
  await spread(walk, [rootEntityId], depth, step)
  return toGraphData(ctx, actor, walk, seq)
}

/** The most connected entities first; among equals, the newest number first. */
async function listHubsAsOf({ db }: Context, actor: Actor, seq: number): Promise<number[]> {
  const degrees = new Map<number, number>()
  for await (const { from_id, to_id } of scanAll(db, actor, 'relations', seq)) {
    for (const id of [from_id ?? 0, to_id ?? 0]) degrees.set(id, (degrees.get(id) ?? 0) + 1)
  }
  const unconnected: number[] = []
  for await (const { id } of scanAll(db, actor, 'entities', seq)) if (!degrees.has(id)) unconnected.push(id)
  const connected = [...degrees].sort(([a, x], [b, y]) => y - x || b - a).map(([id]) => id)
  return [...connected, ...unconnected.reverse()]
}

async function* scanAll(
  db: Db,
  actor: Actor,
  table: 'entities' | 'relations',
  seq: number,
): AsyncGenerator<HeldKey, void> {
  let parts = 0
  for await (const { keys } of scanHeld(db, actor, table, { seq, order: 'number' })) {
    yield* keys
    parts += 1
    if (parts === partsMax) return
  }
}

async function listStepsAsOf(
  { db }: Context,
  actor: Actor,
  frontier: readonly string[],
  seq: number,
): Promise<EdgesFound> {
  const numbers = numbersOf('ent', frontier)
  const page = { seq, limit: stepsMax }
  const out = await listHeldRelations(db, actor, 'from_id', numbers, page)
  const back = await listHeldRelations(db, actor, 'to_id', numbers, page)
  const edges = [
    ...toEdges(out.map(({ from_id, to_id }) => ({ from: from_id, to: to_id }))),
    ...toEdges(back.map(({ from_id, to_id }) => ({ from: to_id, to: from_id }))),
  ]
  return { edges, isCut: false }
}

async function toGraphData({ db }: Context, actor: Actor, walk: Walk, seq: number): Promise<GraphData> {
  const numbers = numbersOf('ent', [...walk.found])
  const states = await findEntitiesAsOf(db, actor, numbers, seq)
  const page = { seq, limit: relationsMax + 1, among: numbers }
  const relations = await listHeldRelations(db, actor, 'from_id', numbers, page)
  return {
    entities: numbers.flatMap((number) => {
      const entity = states.get(number)
      if (entity === undefined) return []
      const { id, name, type, observationsCount, createdAt, updatedAt } = entity
      return [{ id, name, type, observationsCount, createdAt, updatedAt }]
    }),
    relations: relations
      .sort((a, b) => a.id - b.id)
      .slice(0, relationsMax)
      .map(toGraphRelation),
    truncated: walk.truncated || relations.length > relationsMax,
  }
}
