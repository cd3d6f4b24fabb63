import type {
  CreateEntity,
  CreateEntityResponse,
  EntitiesResponse,
  Entity,
  EntitySort,
  EntityWithObservations,
  ListEntitiesQuery,
  UpdateEntity,
} from '@loci/contract/entities'
import type { BatchResponse, CreateBatch } from '@loci/contract/graph'
import type { ObservationInput, ObservationsResponse, Rival } from '@loci/contract/observations'
import { AppError, invalidField } from '../../ground/errors/app-error.ts'
import { type Cursor, cutAfter, decodeCursor, toPage } from '../../ground/lib/cursors.ts'
import { numberOf, toNumber } from '../../ground/lib/ids.ts'
import { mergePages } from '../../ground/lib/pages.ts'
import { rankedMax, toRankedPage } from '../../ground/lib/ranked-pages.ts'
import { fromIso } from '../../ground/lib/time.ts'
import { analyseStored } from '../../memory/write/analyse-stored.ts'
import { createMissingEntities } from '../../memory/write/create-missing.ts'
import { removeEntities, removeObservations } from '../../memory/write/remove-entities.ts'
import { replaceEntity } from '../../memory/write/replace-entity.ts'
import { ownAliasesMax } from '../../memory/write/revise-entity.ts'
import {
  analyseAhead,
  firstVersion,
  type NewEntity,
  storeEntities,
  storeObservations,
} from '../../memory/write/store-entities.ts'
import { findByName, type GraphWrite, writeGraph } from '../../memory/write/write-graph.ts'
import {
  type StoredEntity,
  type StoredObservation,
  showEntity,
  showObservation,
  toShownEntity,
  toToldObservation,
} from '../../rows/codec.ts'
import { countOfTypes, getCounters } from '../../rows/counters.repo.ts'
import {
  findEntitiesById,
  findEntity,
  findNamed,
  listCountedEntities,
  listEntityRows,
} from '../../rows/entities.repo.ts'
import { findObservations, listObservationsOf } from '../../rows/observations.repo.ts'
import { findSimilarNames } from '../../search/find/find-similar-names.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { storeBatchRelations } from '../relations/relations.service.ts'
import { rankEntities } from '../search/search.service.ts'
import { isAscendingOf, listEntitiesSorted, sortFound } from './list-sorted.ts'
import { listRivals } from './rivals.service.ts'
import { withIncluded } from './with-included.ts'

/** An entity with its observations, and the version for its ETag. */
export type VersionedEntity = { entity: EntityWithObservations; version: number }

const cursorOf = (entity: Entity) => ({ at: fromIso(entity.createdAt), id: numberOf('ent', entity.id) })

/** A page of entities, newest first, or those that match the query, best first. */
export async function listEntities(
  ctx: Context,
  actor: Actor,
  query: ListEntitiesQuery,
): Promise<EntitiesResponse> {
  if (query.query.trim() !== '') return listRankedEntities(ctx, actor, query)
  const { sort = 'newest' } = query
  if (sort !== 'newest' || isAscendingOf(sort, query)) return listEntitiesSorted(ctx, actor, query, sort)
  const cursor = decodeCursor('entities', query.cursor)
  const types = [...new Set(query.types ?? [])]
  const page = { cursor, limit: query.limit + 1 }
  const listed = await (types.length === 0 ? listAll(ctx, actor, page) : listOfTypes(ctx, actor, types, page))
  const { rows, nextCursor } = toPage('entities', listed.entities, query.limit, cursorOf)
  const entities = await withIncluded(ctx, actor, rows, query)
  return {
    entities,
    total: listed.total,
    nextCursor: cutAfter('entities', rows, entities, cursorOf) ?? nextCursor,
  }
}

type Page = { cursor: Cursor | undefined; limit: number }
type Listed = { entities: StoredEntity[]; total: number }

async function listAll({ db }: Context, actor: Actor, page: Page): Promise<Listed> {
  const { entities, total } = await listCountedEntities(db, actor, page)
  return { entities, total: total ?? (await getCounters(db, actor)).entities }
}

async function listOfTypes({ db }: Context, actor: Actor, types: string[], page: Page): Promise<Listed> {
  const sources = types.map((type) => () => listEntityRows(db, actor, { ...page, type }))
  const entities = await mergePages(sources, page.limit, cursorOf)
  return { entities, total: await countOfTypes(db, actor, 'entity', types) }
}

async function listRankedEntities(
  ctx: Context,
  actor: Actor,
  query: ListEntitiesQuery,
): Promise<EntitiesResponse> {
  const ranked = await rankEntities(ctx, actor, { ...query, limit: rankedMax })
  if (query.sort !== undefined) return listFoundSorted(ctx, actor, query, ranked, query.sort)
  const { rows: ids, nextCursor } = toRankedPage('found entities', ranked, query)
  const found = await findEntitiesById(ctx.db, actor, ids)
  const byId = new Map(found.map((entity) => [entity.id, entity]))
  const rows = ids.flatMap((id) => byId.get(id) ?? [])
  const entities = await withIncluded(ctx, actor, rows, query)
  const cut = cutAfter('found entities', rows, entities, ({ id }) => ({ at: ranked.indexOf(id) + 1, id: 0 }))
  return { entities, total: ranked.length, nextCursor: cut ?? nextCursor }
}

async function listFoundSorted(
  ctx: Context,
  actor: Actor,
  query: ListEntitiesQuery,
  ranked: readonly string[],
  sort: EntitySort,
): Promise<EntitiesResponse> {
  const found = sortFound(await findEntitiesById(ctx.db, actor, ranked), sort, query)
  const list = `found entities ${sort}`
  const { rows, nextCursor } = toRankedPage(list, found, query)
  const entities = await withIncluded(ctx, actor, rows, query)
  const cut = cutAfter(list, rows, entities, ({ id }) => ({
    at: found.findIndex((entity) => entity.id === id) + 1,
    id: 0,
  }))
  return { entities, total: found.length, nextCursor: cut ?? nextCursor }
}

/** Throws `entity_not_found`. */
export async function getEntity(ctx: Context, actor: Actor, id: string): Promise<VersionedEntity> {
  return withObservations(ctx, actor, await requireEntity(ctx, actor, id))
}

async function requireEntity(ctx: Context, actor: Actor, id: string): Promise<StoredEntity> {
  const found = await findEntity(ctx.db, actor, id)
  if (found === undefined) throw new AppError('entity_not_found', 'Entity not found')
  return found
}

async function withObservations(ctx: Context, actor: Actor, stored: StoredEntity): Promise<VersionedEntity> {
  const observations = await listObservationsOf(ctx.db, actor, stored.id)
  const entity = {
    ...toShownEntity(stored),
    observations: observations.map((one) => toToldObservation(one, ctx.now())),
  }
  return { entity, version: stored.version }
}

/**
 * Creates an entity, and lists existing ones that could be the same thing. Throws `entity_name_taken`,
 * `plan_limit_reached`.
 */
export async function createEntity(
  ctx: Context,
  actor: Actor,
  input: CreateEntity,
): Promise<VersionedEntity & Pick<CreateEntityResponse, 'similar' | 'rivals'>> {
  const analysed = await analyseAhead([input])
  const { stored, since } = await writeGraph(ctx, actor, async (write) => {
    const since = write.lastSeq()
    await requireNameFree(write, input.name)
    const [entity] = await storeEntities(write, analysed)
    return { stored: entity!, since }
  })
  const created = [stored.entity.id]
  const similar = await findSimilarNames(ctx, actor, [input], { since, created })
  const entity = showNew(stored)
  const rivals = await listRivals(ctx, actor, [{ ...entity, isNew: true }], since)
  return { entity, version: firstVersion, similar: similar.get(input.name) ?? [], rivals }
}

const showNew = ({ entity, observations }: NewEntity): EntityWithObservations => ({
  ...showEntity(entity),
  observations: observations.map(showObservation),
})

async function requireNameFree(write: GraphWrite, name: string, own?: string): Promise<void> {
  const taken = (await findByName(write, [name])).get(name)
  if (taken === undefined || taken.id === own) return
  throw new AppError('entity_name_taken', 'An entity with this name already exists', {
    details: [{ entityId: taken.id }],
  })
}

/**
 * Replaces an entity as defined by the contract's `UpdateEntity`. `ifMatch` is the version that the caller saw. Throws
 * `entity_not_found`, `entity_name_taken` (also for an alias), `stale_write`, and `validation_failed` for too many
 * aliases.
 */
export async function updateEntity(
  ctx: Context,
  actor: Actor,
  id: string,
  input: UpdateEntity,
  ifMatch?: (version: number) => boolean,
): Promise<VersionedEntity & { rivals: Rival[] }> {
  const { added, ...updated } = await writeGraph(ctx, actor, async (write) => {
    const before = await requireSeen(write.ctx, actor, id, ifMatch)
    if (input.name !== before.name) await requireNameFree(write, input.name, id)
    await requireAliasesFree(write, before, input.aliases ?? [])
    const rows = await replaceEntity(write, before, input)
    return { added: rows.map(showObservation), ...(await getEntity(write.ctx, actor, id)) }
  })
  const rivals = await listRivals(ctx, actor, [{ id, name: updated.entity.name, observations: added }])
  return { ...updated, rivals }
}

/** The entity, if the version that the caller saw is its current one. Throws `entity_not_found`, `stale_write`. */
async function requireSeen(ctx: Context, actor: Actor, id: string, ifMatch?: (version: number) => boolean) {
  const entity = await requireEntity(ctx, actor, id)
  if (ifMatch === undefined || ifMatch(entity.version)) return entity
  throw new AppError('stale_write', 'The entity was changed by someone else in the meantime')
}

/** New aliases must be unused, like names. */
async function requireAliasesFree(
  { db, scope }: GraphWrite,
  { id, aliases = [] }: StoredEntity,
  wanted: readonly string[],
): Promise<void> {
  const added = wanted.filter((alias) => !aliases.includes(alias))
  if (added.length === 0) return
  if (wanted.length > ownAliasesMax) throw invalidField('aliases', `At most ${ownAliasesMax} aliases`)
  for (const [alias, taken] of await findNamed(db, scope, added)) {
    if (taken.id === id) continue
    throw new AppError('entity_name_taken', `Another entity is called ${JSON.stringify(alias)}`, {
      details: [{ entityId: taken.id, path: `aliases.${wanted.indexOf(alias)}` }],
    })
  }
}

/** Deletes an entity with its observations and relations. Throws `entity_not_found`, `stale_write`. */
export async function deleteEntity(
  ctx: Context,
  actor: Actor,
  id: string,
  ifMatch?: (version: number) => boolean,
): Promise<void> {
  const number = toNumber('ent', id)
  const analysed = await analyseStored(ctx.db, actor, number === undefined ? [] : [number])
  await writeGraph(ctx, actor, async (write) =>
    removeEntities(write, [await requireSeen(write.ctx, actor, id, ifMatch)], analysed),
  )
}

/** Adds observations to an entity. Throws `entity_not_found`. */
export async function createObservations(
  ctx: Context,
  actor: Actor,
  entityId: string,
  observations: ObservationInput[],
): Promise<ObservationsResponse> {
  const analysed = await analyseAhead([{ observations }])
  const added = await writeGraph(ctx, actor, async (write) => {
    const { name } = await requireEntity(write.ctx, actor, entityId)
    const entity = numberOf('ent', entityId)
    const [stored] = await storeObservations(write, [{ entity, ...analysed[0]! }])
    return { id: entityId, name, observations: stored!.map(showObservation), since: write.lastSeq() }
  })
  return { observations: added.observations, rivals: await listRivals(ctx, actor, [added], added.since) }
}

/** Throws `entity_not_found`, `observation_not_found`. */
export async function deleteObservation(
  ctx: Context,
  actor: Actor,
  entityId: string,
  observationId: string,
): Promise<void> {
  await writeGraph(ctx, actor, async (write) => {
    await requireEntity(write.ctx, actor, entityId)
    const observation = await findObservationOf(write, entityId, observationId)
    if (observation === undefined) throw new AppError('observation_not_found', 'Observation not found')
    await removeObservations(write, [observation])
  })
}

async function findObservationOf(
  { db, scope }: GraphWrite,
  entityId: string,
  id: string,
): Promise<StoredObservation | undefined> {
  const [observation] = await findObservations(db, scope, [id])
  return observation?.entityId === entityId ? observation : undefined
}

/**
 * Creates entities and relations together. Existing ones (an entity of that name, the same relation) are unchanged and
 * returned as existing. Throws `entity_not_found` if an end of a relation is neither stored nor in the batch.
 */
export async function createBatch(ctx: Context, actor: Actor, batch: CreateBatch): Promise<BatchResponse> {
  const entities = await analyseAhead(batch.entities)
  return writeGraph(ctx, actor, async (write) => {
    const { created, existing } = await createMissingEntities(write, entities)
    return {
      entities: { created: created.map(showNew), existing: existing.map(toShownEntity) },
      relations: await storeBatchRelations(write, batch.relations),
    }
  })
}
