import type { Entity, EntityWithObservations } from '@loci/contract/entities'
import type { Metadata } from '@loci/contract/metadata'
import type { Observation, ObservationInput } from '@loci/contract/observations'
import { toId } from '../lib/ids.ts'
import { toIso } from '../lib/time.ts'
import { indexNewEntities, indexObservations } from '../search-index/index-graph.ts'
import type { IndexedText } from '../search-index/index-text.ts'
import { replaceAliases } from './aliases.writes.repo.ts'
import { contentHashOf } from './content-hash.ts'
import { insertEntities, touchEntities } from './entities.writes.repo.ts'
import { insertObservations } from './observations.writes.repo.ts'
import { bytesOf } from './stored-bytes.ts'
import type { GraphWrite } from './write-graph.ts'

export const firstVersion = 1

/**
 * An entity to store. Only imports give times and numbers (which the write assigned); others get the
 * server's.
 */
export type EntityToStore = {
  name: string
  /** Must be free, like names; only imports give these. */
  aliases?: readonly string[] | undefined
  type: string
  metadata?: Metadata | undefined
  observations?: readonly ObservationToStore[] | undefined
  id?: number | undefined
  createdAt?: number | undefined
  updatedAt?: number | undefined
  /** The result of `indexNames`, if the caller already has it. */
  indexed?: IndexedText | undefined
}
type ObservationFields = {
  content: string
  metadata?: Metadata | undefined
  id?: number | undefined
  createdAt?: number | undefined
  updatedAt?: number | undefined
  /** The result of `indexText`, if the caller already has it. */
  indexed?: IndexedText | undefined
}
export type ObservationToStore = ObservationInput | ObservationFields

/** Observations for an existing entity; only imports give `updatedAt` (milliseconds). */
export type Addition = { entity: number; observations: readonly ObservationToStore[]; updatedAt?: number }

type NewEntity = {
  id: number
  name: string
  aliases: readonly string[]
  type: string
  metadata: Metadata
  observationsCount: number
  createdAt: number
  updatedAt: number
  indexed: IndexedText | undefined
}
type NewObservation = {
  id: number
  entityId: number
  content: string
  metadata: Metadata | undefined
  createdAt: number
  updatedAt: number | undefined
  indexed: IndexedText | undefined
}

/** Stores entities with their observations. The caller has checked that the names are free. */
export async function storeEntities(
  write: GraphWrite,
  inputs: readonly EntityToStore[],
): Promise<EntityWithObservations[]> {
  const { entities, observations } = await storeNewEntities(write, inputs)
  return entities.map((entity, index) => ({
    ...toShown(entity),
    observations: observations[index]!.map(toObservation),
  }))
}

/** The same, returning only how many of each were stored; for bulk callers. */
export async function storeManyEntities(
  write: GraphWrite,
  inputs: readonly EntityToStore[],
): Promise<{ entities: number; observations: number }> {
  const { entities, observations } = await storeNewEntities(write, inputs)
  return { entities: entities.length, observations: countOf(observations) }
}

async function storeNewEntities(
  write: GraphWrite,
  inputs: readonly EntityToStore[],
): Promise<{ entities: NewEntity[]; observations: NewObservation[][] }> {
  const takeId = numbering(write, [
    ...inputs,
    ...inputs.flatMap(({ observations = [] }) => observations.map(toFields)),
  ])
  const entities: NewEntity[] = []
  const observations: NewObservation[][] = []
  for (const input of inputs) {
    const entity = toNewEntity(input, takeId(input), write.at)
    entities.push(entity)
    observations.push(toNewObservations(write, entity.id, input.observations ?? [], takeId))
  }
  await insertNewEntities(write, entities)
  await insertNewObservations(write, observations.flat())
  await indexNewEntities(write, write.scope, entities, observations.flat())
  return { entities, observations }
}

/** Adds observations to existing entities; returns them entity by entity, in the order given. */
export async function storeObservations(
  write: GraphWrite,
  additions: readonly Addition[],
): Promise<Observation[][]> {
  const stored = await storeNewObservations(write, additions)
  return stored.map((ofEntity) => ofEntity.map(toObservation))
}

/** The same, returning only how many were stored. */
export async function storeManyObservations(
  write: GraphWrite,
  additions: readonly Addition[],
): Promise<number> {
  return countOf(await storeNewObservations(write, additions))
}

async function storeNewObservations(
  write: GraphWrite,
  additions: readonly Addition[],
): Promise<NewObservation[][]> {
  const takeId = numbering(
    write,
    additions.flatMap(({ observations }) => observations.map(toFields)),
  )
  const rows = additions.map(({ entity, observations }) =>
    toNewObservations(write, entity, observations, takeId),
  )
  await insertNewObservations(write, rows.flat())
  await indexObservations(write, write.scope, rows.flat())
  const touches = new Map<number, { id: number; at: number; observations: number }>()
  for (const { entity, observations, updatedAt = write.at } of additions) {
    if (observations.length === 0) continue
    const before = touches.get(entity)?.observations ?? 0
    touches.set(entity, { id: entity, at: updatedAt, observations: before + observations.length })
  }
  await touchEntities(write.db, write.scope, [...touches.values()])
  return rows
}

const countOf = (lists: readonly (readonly unknown[])[]) => lists.reduce((sum, { length }) => sum + length, 0)

type MaybeNumbered = { id?: number | undefined }

/** Assigns each item its own number, or the next of a reserved range for items without one. */
function numbering(
  { takeIds }: GraphWrite,
  things: readonly MaybeNumbered[],
): (thing: MaybeNumbered) => number {
  let next = takeIds(things.filter(({ id }) => id === undefined).length)
  return ({ id }) => id ?? next++
}

/** The fields of an observation that may be given as a plain text. */
export const toFields = (input: ObservationToStore): ObservationFields =>
  typeof input === 'string' ? { content: input } : input

function toNewEntity(input: EntityToStore, id: number, at: number): NewEntity {
  return {
    id,
    name: input.name,
    aliases: input.aliases ?? [],
    type: input.type,
    metadata: input.metadata ?? {},
    observationsCount: input.observations?.length ?? 0,
    createdAt: input.createdAt ?? at,
    updatedAt: input.updatedAt ?? input.createdAt ?? at,
    indexed: input.indexed,
  }
}

function toNewObservations(
  { at }: GraphWrite,
  entityId: number,
  observations: readonly ObservationToStore[],
  takeId: (thing: MaybeNumbered) => number,
): NewObservation[] {
  return observations.map((input) => {
    const given = toFields(input)
    const { content, metadata, createdAt = at, updatedAt, indexed } = given
    return { id: takeId(given), entityId, content, metadata, createdAt, updatedAt, indexed }
  })
}

async function insertNewEntities(write: GraphWrite, entities: readonly NewEntity[]): Promise<void> {
  const { db, scope } = write
  const rows = entities.map((entity) => {
    const { id, name, type } = entity
    const metadata = JSON.stringify(entity.metadata)
    write.addBytes(bytesOf(name, type, metadata))
    return {
      account_id: scope.accountId,
      space_id: scope.spaceId,
      id,
      name,
      type,
      metadata,
      aliases: toAliasesJson(entity.aliases),
      observations_count: entity.observationsCount,
      degree: 0,
      version: firstVersion,
      created_at: entity.createdAt,
      updated_at: entity.updatedAt,
      since: write.record({ operation: 'entity_created', subjectId: id }, { after: type }),
      since_observations: 0,
    }
  })
  await insertEntities(db, rows)
  for (const { id, aliases } of rows) {
    if (aliases !== null) await replaceAliases(db, scope, id, { before: null, after: aliases })
  }
}

async function insertNewObservations(
  write: GraphWrite,
  observations: readonly NewObservation[],
): Promise<void> {
  const { db, scope } = write
  const rows = observations.map(({ id, entityId, content, metadata, createdAt, updatedAt }) => {
    const json = metadata === undefined ? null : JSON.stringify(metadata)
    write.addBytes(bytesOf(content, json))
    return {
      account_id: scope.accountId,
      space_id: scope.spaceId,
      id,
      entity_id: entityId,
      content,
      content_hash: contentHashOf(content),
      metadata: json,
      created_at: createdAt,
      updated_at: updatedAt ?? null,
      since: write.record({ operation: 'observation_added', subjectId: id }),
    }
  })
  await insertObservations(db, rows)
}

function toShown({ id, createdAt, updatedAt, aliases, indexed: _, ...entity }: NewEntity): Entity {
  const shown: Entity = {
    id: toId('ent', id),
    ...entity,
    createdAt: toIso(createdAt),
    updatedAt: toIso(updatedAt),
  }
  if (aliases.length > 0) shown.aliases = [...aliases]
  return shown
}

const toAliasesJson = (aliases: readonly string[]) => (aliases.length === 0 ? null : JSON.stringify(aliases))

function toObservation({ id, content, createdAt, updatedAt, metadata }: NewObservation): Observation {
  const observation: Observation = { id: toId('obs', id), content, createdAt: toIso(createdAt) }
  if (metadata !== undefined) observation.metadata = metadata
  if (updatedAt !== undefined) observation.updatedAt = toIso(updatedAt)
  return observation
}
