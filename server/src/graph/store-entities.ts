import type { Entity, EntityWithObservations } from '@loci/contract/entities'
import type { Metadata } from '@loci/contract/metadata'
import type { Observation, ObservationInput } from '@loci/contract/observations'
import { toIso } from '../lib/time.ts'
import {
  indexNewEntities,
  indexObservations,
  unindexEntities,
  unindexObservations,
} from '../search-index/index-graph.ts'
import {
  deleteEntities,
  insertEntities,
  type NewEntity,
  type StoredEntity,
  touchEntities,
} from './entities.repo.ts'
import {
  deleteObservations,
  insertObservations,
  listObservations,
  type NewObservation,
  type StoredObservation,
} from './observations.repo.ts'
import { listRelationsOf } from './relations.repo.ts'
import { removeRelations } from './store-relations.ts'
import type { GraphWrite } from './write-graph.ts'

/** An entity to store. Times and ids are given by imports only; others take the server's. */
export type EntityToStore = {
  name: string
  type: string
  metadata?: Metadata | undefined
  observations?: readonly ObservationToStore[] | undefined
  id?: string | undefined
  createdAt?: number | undefined
  updatedAt?: number | undefined
}
type ObservationFields = {
  content: string
  metadata?: Metadata | undefined
  id?: string | undefined
  createdAt?: number | undefined
}
export type ObservationToStore = ObservationInput | ObservationFields

/** Observations for an entity that exists; `updatedAt` (milliseconds) is given by imports only. */
type Addition = { entityId: string; observations: readonly ObservationToStore[]; updatedAt?: number }

/** Stores entities whose names are free, with their observations. The caller has checked the names. */
export async function storeEntities(
  write: GraphWrite,
  inputs: readonly EntityToStore[],
): Promise<EntityWithObservations[]> {
  const { ctx, db, scope, at } = write
  const rows = inputs.map((input) => ({
    id: input.id ?? ctx.newId('ent'),
    name: input.name,
    type: input.type,
    metadata: input.metadata ?? {},
    observationsCount: input.observations?.length ?? 0,
    createdAt: input.createdAt ?? at,
    updatedAt: input.updatedAt ?? input.createdAt ?? at,
  }))
  const observations = rows.map(({ id }, index) =>
    toNewObservations(write, { entityId: id, observations: inputs[index]?.observations ?? [] }),
  )
  await insertEntities(db, ctx.dialect, scope, rows)
  await insertObservations(db, ctx.dialect, scope, observations.flat())
  await indexNewEntities(ctx, scope, rows, observations.flat())
  for (const row of rows) {
    const entity = { ...toEntity(row), observationsCount: 0 }
    write.record(
      { operation: 'entity_created', subjectId: row.id, before: null, after: entity },
      { after: row.type },
    )
  }
  const stored = observations.map((ofEntity) => recordAdded(write, ofEntity))
  return rows.map((row, index) => ({ ...toEntity(row), observations: stored[index]! }))
}

/** Adds observations to entities that exist; answers them entity by entity, in the order given. */
export async function storeObservations(
  write: GraphWrite,
  additions: readonly Addition[],
): Promise<Observation[][]> {
  const { ctx, db, scope } = write
  const rows = additions.map((addition) => toNewObservations(write, addition))
  await insertObservations(db, ctx.dialect, scope, rows.flat())
  await indexObservations(ctx, scope, rows.flat())
  const stored = rows.map((ofEntity) => recordAdded(write, ofEntity))
  const touches = new Map<string, { id: string; at: number; observations: number }>()
  for (const { entityId, observations, updatedAt = write.at } of additions) {
    if (observations.length === 0) continue
    const before = touches.get(entityId)?.observations ?? 0
    touches.set(entityId, { id: entityId, at: updatedAt, observations: before + observations.length })
  }
  await touchEntities(db, ctx.dialect, scope, [...touches.values()])
  return stored
}

function toNewObservations({ ctx, at }: GraphWrite, { entityId, observations }: Addition): NewObservation[] {
  return observations.map((input) => {
    const given: ObservationFields = typeof input === 'string' ? { content: input } : input
    return {
      id: given.id ?? ctx.newId('obs'),
      entityId,
      content: given.content,
      metadata: given.metadata,
      createdAt: given.createdAt ?? at,
    }
  })
}

function recordAdded({ record }: GraphWrite, rows: readonly NewObservation[]): Observation[] {
  return rows.map(({ entityId, ...row }) => {
    const observation = toObservation(row)
    const after = { entityId, ...observation }
    record({ operation: 'observation_added', subjectId: row.id, before: null, after })
    return observation
  })
}

function toEntity(row: NewEntity): Entity {
  return { ...row, createdAt: toIso(row.createdAt), updatedAt: toIso(row.updatedAt) }
}

function toObservation(row: Omit<NewObservation, 'entityId'>): Observation {
  return {
    id: row.id,
    content: row.content,
    createdAt: toIso(row.createdAt),
    ...(row.metadata === undefined ? {} : { metadata: row.metadata }),
  }
}

/** Deletes observations of one entity and counts them off it. */
export async function removeObservations(
  write: GraphWrite,
  entityId: string,
  observations: readonly StoredObservation[],
): Promise<void> {
  if (observations.length === 0) return
  await unindexObservations(
    write.ctx,
    write.scope,
    observations.map((observation) => observation.id),
  )
  await eraseObservations(write, observations)
  await touchEntities(write.db, write.ctx.dialect, write.scope, [
    { id: entityId, at: write.at, observations: -observations.length },
  ])
}

async function eraseObservations(
  { ctx, db, scope, record }: GraphWrite,
  observations: readonly StoredObservation[],
): Promise<void> {
  await deleteObservations(
    db,
    ctx.dialect,
    scope,
    observations.map((observation) => observation.id),
  )
  for (const observation of observations) {
    record({ operation: 'observation_deleted', subjectId: observation.id, before: observation, after: null })
  }
}

/** Deletes entities with their observations and relations. */
export async function removeEntities(write: GraphWrite, entities: readonly StoredEntity[]): Promise<void> {
  if (entities.length === 0) return
  const { ctx, db, scope } = write
  const ids = entities.map((entity) => entity.id)
  await removeRelations(write, await listRelationsOf(db, ctx.dialect, scope, ids))
  await eraseObservations(write, await listObservations(db, ctx.dialect, scope, ids))
  await unindexEntities(ctx, scope, ids)
  await deleteEntities(db, ctx.dialect, scope, ids)
  for (const { version, degree, ...entity } of entities) {
    write.record(
      { operation: 'entity_deleted', subjectId: entity.id, before: entity, after: null },
      { before: entity.type },
    )
  }
}
