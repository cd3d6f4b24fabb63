import type { BatchResponse, CreateBatch } from '@loci/contract/graph'
import type { TypeCount } from '@loci/contract/lists'
import type {
  CreateRelation,
  ListRelationsQuery,
  Relation,
  RelationsResponse,
} from '@loci/contract/relations'
import { AppError } from '../../ground/errors/app-error.ts'
import { decodeCursor, toPage } from '../../ground/lib/cursors.ts'
import { toNumber } from '../../ground/lib/ids.ts'
import { mergePages } from '../../ground/lib/pages.ts'
import { createMissingRelations } from '../../memory/write/create-missing.ts'
import { removeRelations } from '../../memory/write/remove-relations.ts'
import { retypeRelation } from '../../memory/write/revise-relation.ts'
import { storeRelations } from '../../memory/write/store-relations.ts'
import { type GraphWrite, writeGraph } from '../../memory/write/write-graph.ts'
import type { StoredEntity } from '../../rows/codec.ts'
import { countOfTypes, getCounters, listTypeCounts } from '../../rows/counters.repo.ts'
import { findEntitiesById, findNamed } from '../../rows/entities.repo.ts'
import {
  countRelationsOf,
  countRelationsOfTypes,
  findRelation,
  findRelationBetween,
  listRelationRows,
  type RelationFilter,
} from '../../rows/relations.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { cursorOfRelation, searchRelations } from './search-relations.ts'

/** A page of relations, newest first; with a query, only those whose type or end names contain it. */
export async function listRelations(
  ctx: Context,
  actor: Actor,
  query: ListRelationsQuery,
): Promise<RelationsResponse> {
  if (query.query.trim() !== '') {
    const found = await searchRelations(ctx, actor, query)
    if (found !== 'everything') {
      const { rows, nextCursor } = toPage('relations', found.relations, query.limit, cursorOfRelation)
      return { relations: rows, total: found.total, nextCursor }
    }
  }
  const types = query.relationTypes === undefined ? undefined : [...new Set(query.relationTypes)]
  const page = { cursor: decodeCursor('relations', query.cursor), limit: query.limit + 1 }
  const entity = query.entityId === undefined ? undefined : (toNumber('ent', query.entityId) ?? noEntity)
  const sources = filtersOf(entity, types).map(
    (filter) => () => listRelationRows(ctx.db, actor, { ...page, filter }),
  )
  const merged = await mergePages(sources, page.limit, cursorOfRelation)
  const { rows, nextCursor } = toPage('relations', distinct(merged), query.limit, cursorOfRelation)
  return { relations: rows, total: await countListed(ctx, actor, entity, types), nextCursor }
}

/** A number that no entity can have. */
const noEntity = 0

/** Each filter has its own index. */
function filtersOf(entity: number | undefined, types: string[] | undefined): RelationFilter[] {
  const ends = entity === undefined ? [{}] : [{ from: entity }, { to: entity }]
  return types === undefined || types.length === 0
    ? ends
    : types.flatMap((type) => ends.map((end) => ({ ...end, type })))
}

/** An entity's relation to itself is in both of its lists. */
function distinct(relations: Relation[]): Relation[] {
  return relations.filter((relation, index) => relation.id !== relations[index - 1]?.id)
}

async function countListed(
  ctx: Context,
  actor: Actor,
  entity: number | undefined,
  types: string[] | undefined,
): Promise<number> {
  const some = types === undefined || types.length === 0 ? undefined : types
  if (entity !== undefined) {
    return some === undefined
      ? countRelationsOf(ctx.db, actor, entity)
      : countRelationsOfTypes(ctx.db, actor, entity, some)
  }
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
    const ends = await findEntitiesById(write.db, write.scope, [input.fromEntityId, input.toEntityId])
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
    return retypeRelation(write, before, type)
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
  const relations = inputs.map(({ from, to, type }) => ({ from: entityOf(from), to: entityOf(to), type }))
  if (relations.some(({ from, to }) => from.id === to.id))
    throw new AppError('same_entity', 'Source and target entities cannot be the same')
  return createMissingRelations(write, relations)
}

async function findEnds(
  { db, scope }: GraphWrite,
  inputs: CreateBatch['relations'],
): Promise<(idOrName: string) => StoredEntity> {
  const wanted = [...new Set(inputs.flatMap(({ from, to }) => [from, to]))]
  const named = await findNamed(db, scope, wanted)
  const identified = await findEntitiesById(db, scope, wanted)
  const found = new Map([...named, ...identified.map((entity) => [entity.id, entity] as const)])
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
