import type { BatchResponse, CreateBatch } from '@loci/contract/graph'
import type { TypeCount } from '@loci/contract/lists'
import type {
  CreateRelation,
  ListRelationsQuery,
  Relation,
  RelationsResponse,
} from '@loci/contract/relations'
import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { countOfTypes, getCounters, listTypeCounts } from '../../graph/counters.repo.ts'
import { findEntitiesById, findEntitiesByName, type StoredEntity } from '../../graph/entities.repo.ts'
import {
  countRelationsOf,
  findRelation,
  findRelationBetween,
  listRelations as listRelationRows,
  type RelationFilter,
  updateRelationType,
} from '../../graph/relations.repo.ts'
import { removeRelations, storeRelations } from '../../graph/store-relations.ts'
import { type GraphWrite, writeGraph } from '../../graph/write-graph.ts'
import { decodeCursor, toPage } from '../../lib/cursors.ts'
import { mergePages } from '../../lib/pages.ts'
import { rankedMax, toRankedPage } from '../../lib/ranked-pages.ts'
import { fromIso } from '../../lib/time.ts'
import { countWordsOf, isMatch, rankNames } from '../search/match-names.ts'

const cursorOf = (relation: Relation) => ({ at: fromIso(relation.createdAt), id: relation.id })

/** A page of relations, newest first. */
export async function listRelations(
  ctx: Context,
  actor: Actor,
  query: ListRelationsQuery,
): Promise<RelationsResponse> {
  const types = query.relationTypes === undefined ? undefined : [...new Set(query.relationTypes)]
  if (query.query.trim() !== '') return listMatchingRelations(ctx, actor, query)
  const page = { cursor: decodeCursor(query.cursor), limit: query.limit + 1 }
  const sources = filtersOf(query.entityId, types).map(
    (filter) => () => listRelationRows(ctx.db, actor, { ...page, filter }),
  )
  const merged = await mergePages(sources, page.limit, cursorOf)
  const { rows, nextCursor } = toPage(distinct(merged), query.limit, cursorOf)
  return { relations: rows, total: await countListed(ctx, actor, query.entityId, types), nextCursor }
}

const relationsPerSourceMax = 200
/** Of more types that match, the most frequent. */
const typesMatchedMax = 20

/** Relations whose type matches the query, or whose ends are named by it, the best fit first. */
async function listMatchingRelations(
  ctx: Context,
  actor: Actor,
  query: ListRelationsQuery,
): Promise<RelationsResponse> {
  const typesInUse = (await listTypeCounts(ctx.db, actor, 'relation')).map(({ type }) => type)
  const types = typesInUse.filter((type) => isMatch(type, query.query)).slice(0, typesMatchedMax)
  const entityIds = await rankNames(ctx, actor, query.query)
  const filters: RelationFilter[] = [
    ...types.map((type) => ({ type })),
    ...entityIds.flatMap((id) => [{ from: id }, { to: id }]),
  ]
  const found: Relation[] = []
  for (const filter of filters) {
    found.push(
      ...(await listRelationRows(ctx.db, actor, { filter, cursor: undefined, limit: relationsPerSourceMax })),
    )
  }
  const wanted = new Set(query.relationTypes)
  const ranked = [...new Map(found.map((relation) => [relation.id, relation])).values()]
    .filter(({ type }) => wanted.size === 0 || wanted.has(type))
    .filter(({ fromEntityId, toEntityId }) =>
      query.entityId === undefined ? true : [fromEntityId, toEntityId].includes(query.entityId),
    )
    .map((relation) => ({ relation, score: scoreRelation(relation, query.query) }))
    .sort((a, b) => b.score - a.score)
    .map(({ relation }) => relation)
    .slice(0, rankedMax)
  const { rows, nextCursor } = toRankedPage(ranked, query)
  return { relations: rows, total: ranked.length, nextCursor }
}

function scoreRelation({ fromEntity, type, toEntity }: Relation, query: string): number {
  return countWordsOf(`${fromEntity.name} ${type} ${toEntity.name}`, query)
}

/** Each filter has an index of its own. */
function filtersOf(entityId: string | undefined, types: string[] | undefined): RelationFilter[] {
  const ends = entityId === undefined ? [{}] : [{ from: entityId }, { to: entityId }]
  return types === undefined || types.length === 0
    ? ends
    : types.flatMap((type) => ends.map((end) => ({ ...end, type })))
}

/** A relation of an entity to itself is in both of its lists. */
function distinct(relations: Relation[]): Relation[] {
  return relations.filter((relation, index) => relation.id !== relations[index - 1]?.id)
}

async function countListed(
  ctx: Context,
  actor: Actor,
  entityId: string | undefined,
  types: string[] | undefined,
): Promise<number> {
  const some = types === undefined || types.length === 0 ? undefined : types
  if (entityId !== undefined) return countRelationsOf(ctx.db, actor, entityId, some)
  if (some !== undefined) return countOfTypes(ctx.db, actor, 'relation', some)
  return (await getCounters(ctx.db, actor)).relations
}

export async function listRelationTypes(ctx: Context, actor: Actor): Promise<TypeCount[]> {
  return listTypeCounts(ctx.db, actor, 'relation')
}

async function requireRelation(ctx: Context, actor: Actor, id: string): Promise<Relation> {
  const relation = await findRelation(ctx.db, actor, id)
  if (relation === undefined) throw new AppError('relation_not_found', 'Relation not found')
  return relation
}

/** Throws `same_entity`, `entity_not_found`, `relation_exists`. */
export async function createRelation(ctx: Context, actor: Actor, input: CreateRelation): Promise<Relation> {
  if (input.fromEntityId === input.toEntityId) {
    throw new AppError('same_entity', 'Source and target entities cannot be the same')
  }
  return writeGraph(ctx, actor, async (write) => {
    const ends = await findEntitiesById(write.db, ctx.dialect, write.scope, [
      input.fromEntityId,
      input.toEntityId,
    ])
    const from = ends.find((entity) => entity.id === input.fromEntityId)
    const to = ends.find((entity) => entity.id === input.toEntityId)
    if (from === undefined) throw new AppError('entity_not_found', 'Source entity not found')
    if (to === undefined) throw new AppError('entity_not_found', 'Target entity not found')
    await requireRelationFree(write, { fromId: from.id, toId: to.id, type: input.type })
    const [relation] = await storeRelations(write, [{ from, to, type: input.type }])
    return relation!
  })
}

async function requireRelationFree(
  write: GraphWrite,
  ends: { fromId: string; toId: string; type: string },
): Promise<void> {
  const existing = await findRelationBetween(write.db, write.scope, ends)
  if (existing === undefined) return
  throw new AppError('relation_exists', 'This relation already exists', {
    details: [{ relationId: existing.id }],
  })
}

/** Changes the type. Throws `relation_not_found`, `relation_exists`. */
export async function updateRelation(
  ctx: Context,
  actor: Actor,
  id: string,
  type: string,
): Promise<Relation> {
  return writeGraph(ctx, actor, async (write) => {
    const before = await requireRelation(write.ctx, actor, id)
    if (before.type === type) return before
    await requireRelationFree(write, { fromId: before.fromEntityId, toId: before.toEntityId, type })
    await updateRelationType(write.db, write.scope, id, type)
    const after: Relation = { ...before, type, relationType: type }
    write.record(
      { operation: 'relation_updated', subjectId: id, before, after },
      { before: before.type, after: type },
    )
    return after
  })
}

/** Throws `relation_not_found`. */
export async function deleteRelation(ctx: Context, actor: Actor, id: string): Promise<void> {
  await writeGraph(ctx, actor, async (write) =>
    removeRelations(write, [await requireRelation(write.ctx, actor, id)]),
  )
}

/** The relations part of a batch; each end is an id or a name, and an id wins. */
export async function storeBatchRelations(
  write: GraphWrite,
  inputs: CreateBatch['relations'],
): Promise<BatchResponse['relations']> {
  const entityOf = await findEnds(write, inputs)
  const created: Relation[] = []
  const existing: Relation[] = []
  for (const { from, to, type } of inputs) {
    const ends = { from: entityOf(from), to: entityOf(to), type }
    if (ends.from.id === ends.to.id)
      throw new AppError('same_entity', 'Source and target entities cannot be the same')
    const found = await findRelationBetween(write.db, write.scope, {
      fromId: ends.from.id,
      toId: ends.to.id,
      type,
    })
    if (found === undefined) created.push(...(await storeRelations(write, [ends])))
    else if (!created.some((relation) => relation.id === found.id)) existing.push(found)
  }
  return { created, existing }
}

async function findEnds(
  { ctx, db, scope }: GraphWrite,
  inputs: CreateBatch['relations'],
): Promise<(idOrName: string) => StoredEntity> {
  const wanted = [...new Set(inputs.flatMap(({ from, to }) => [from, to]))]
  const named = await findEntitiesByName(db, ctx.dialect, scope, wanted)
  const identified = await findEntitiesById(db, ctx.dialect, scope, wanted)
  const found = new Map([
    ...named.map((entity) => [entity.name, entity] as const),
    ...identified.map((entity) => [entity.id, entity] as const),
  ])
  return (idOrName) => {
    const entity = found.get(idOrName)
    if (entity === undefined) {
      throw new AppError('entity_not_found', `Entity ${idOrName} not found`, {
        details: [{ entity: idOrName }],
      })
    }
    return entity
  }
}
