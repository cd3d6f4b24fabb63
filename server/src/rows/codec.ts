import { crc32 } from 'node:zlib'
import type { Entity } from '@loci/contract/entities'
import type { Metadata } from '@loci/contract/metadata'
import { type Observation, type ObservationFields, stateOf } from '@loci/contract/observations'
import type { Relation } from '@loci/contract/relations'
import { numberOf, numbersOf, toId } from '../ground/lib/ids.ts'
import { fromIso, toIso } from '../ground/lib/time.ts'
import type { EntitiesTable, ObservationsTable, RelationsTable } from '../store/schema.ts'
import type { readColumns, VersionedTable } from './columns.ts'

/** How the value of a field is kept in its column, which is null if it was not given. */
type Field<Value, Row> = {
  column: keyof Row & string
  /** Texts count towards the bytes that a plan limits; numbers and times do not. */
  isCounted: boolean
  write: (value: Value) => string | number
  read: (stored: never) => Value
}

/** Kept as JSON. */
export const json = <Value>() => ({
  isCounted: true as const,
  write: (value: Value) => JSON.stringify(value),
  read: (stored: string): Value => JSON.parse(stored),
})

/** A short text, as it was given. */
export const asGiven = {
  isCounted: false as const,
  write: (value: string) => value,
  read: (stored: string): string => stored,
}

const isNone = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0)

/** The optional fields of a subject: one entry each, in the contract's name. */
export const fieldsOf =
  <Values extends object, Row>() =>
  <const F extends { [Name in keyof Required<Values>]: Field<NonNullable<Values[Name]>, Row> }>(
    fields: F,
  ) => {
    type Columns = Pick<Row, F[keyof F]['column']>
    type Counted = Extract<F[keyof F], { isCounted: true }>['column']
    const list = Object.entries(fields as unknown as Record<string, Field<never, Row>>).map(
      ([name, field]) => ({ name, ...field }),
    )
    return {
      names: Object.keys(fields) as (keyof Values & string)[],
      /** The columns whose bytes count. */
      counted: list.filter(({ isCounted }) => isCounted).map(({ column }) => column as Counted),
      /** The values of all their columns. */
      write(values: Partial<Values>): Columns {
        const columns: Record<string, unknown> = {}
        for (const { name, column, write } of list) {
          const value = Reflect.get(values, name)
          columns[column] = isNone(value) ? null : write(value as never)
        }
        return columns as Columns
      },
      isEmpty: (row: Columns): boolean => list.every(({ column }) => row[column as keyof Columns] === null),
      /** Adds those that a row has to `shown`. */
      read(row: Columns, shown: Values): void {
        for (const { name, column, read } of list) {
          const stored = row[column as keyof Columns]
          if (stored !== null) (shown as Record<string, unknown>)[name] = read(stored as never)
        }
      },
      /** Adds those that are given to `shown`. */
      copy(given: Values, shown: Values): void {
        for (const { name } of list) {
          const value = (given as Record<string, unknown>)[name]
          if (value !== undefined) (shown as Record<string, unknown>)[name] = value
        }
      },
    }
  }

/*
 * Each subject as a row, as the server handles it (with what callers do not see), and as callers see it: in answers,
 * history, exports and events. Spreads are avoided where lists are read: they copy at a tenth of the speed.
 */

/** The value of `observations.content_hash`: equal contents have equal hashes, and unequal ones can collide. */
export const contentHashOf = (content: string) => crc32(content)

/** The fields of an entity that are not in every answer. */
type EntityFields = Pick<Entity, 'aliases'>
export const entityFields = fieldsOf<EntityFields, EntitiesTable>()({
  aliases: { column: 'aliases', ...json<string[]>(), isCounted: false },
})

/** What an observation carries beside its text. */
type CarriedFields = Omit<Observation, 'id' | 'content' | 'createdAt' | 'updatedAt' | 'by' | 'state'>
export const observationFields = fieldsOf<CarriedFields, ObservationsTable>()({
  metadata: { column: 'metadata', ...json<Metadata>() },
  at: { column: 'true_from', ...asGiven },
  until: { column: 'true_until', ...asGiven },
  expiresAt: { column: 'expires_at', isCounted: false, write: fromIso, read: toIso },
  replaces: {
    column: 'replaces',
    isCounted: false,
    write: (ids: readonly string[]) => JSON.stringify([...new Set(numbersOf('obs', ids))]),
    read: (stored: string) => readNumbers(stored).map((id) => toId('obs', id)),
  },
  replacedBy: {
    column: 'replaced_by',
    isCounted: false,
    write: (id: string) => numberOf('obs', id),
    read: (id: number) => toId('obs', id),
  },
  files: { column: 'files', ...json<NonNullable<Observation['files']>>() },
  source: { column: 'source', ...json<NonNullable<Observation['source']>>() },
  stale: { column: 'stale', ...json<NonNullable<Observation['stale']>>(), isCounted: false },
})

/** The numbers in `observations.replaces`. */
export const readNumbers = (stored: string | null): number[] => (stored === null ? [] : JSON.parse(stored))

/** An entity without its observations, with the fields that its contract shape omits. */
export type StoredEntity = Entity & { version: number; degree: number }

export type StoredObservation = Observation & { entityId: string }

/** A row of any table that holds the subject, current or past. */
export type EntityRow = Pick<EntitiesTable, (typeof readColumns.entities)[number]>
export type ObservationRow = Pick<ObservationsTable, (typeof readColumns.observations)[number]>
type RelationRow = Omit<RelationsTable, 'account_id' | 'space_id' | 'since'>

/** The columns of what an entity says. */
export function toEntityColumns({ name, type, metadata, aliases = [] }: SaidOfEntity) {
  const fields = entityFields.write(aliases.length === 0 ? {} : { aliases: [...aliases] })
  return { name, type, metadata: JSON.stringify(metadata), ...fields }
}
type SaidOfEntity = Pick<Entity, 'name' | 'type' | 'metadata'> & { aliases?: readonly string[] | undefined }

export function toStoredEntity(row: EntityRow): StoredEntity {
  const entity: StoredEntity = {
    id: toId('ent', row.id),
    name: row.name,
    type: row.type,
    metadata: JSON.parse(row.metadata),
    observationsCount: row.observations_count,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
    version: row.version,
    degree: row.degree,
  }
  entityFields.read(row, entity)
  return entity
}

/** The entity as callers see it. */
export function toShownEntity(stored: StoredEntity): Entity {
  const { id, name, type, metadata, observationsCount, createdAt, updatedAt } = stored
  const entity: Entity = { id, name, type, metadata, observationsCount, createdAt, updatedAt }
  entityFields.copy(stored, entity)
  return entity
}

/** The columns of what an observation says, from its text and the fields beside it. */
export function toObservationColumns(said: { content: string } & ObservationFields) {
  const { content, files } = said
  return {
    content,
    content_hash: contentHashOf(content),
    cited_repository: citedRepositoryOf(files),
    ...observationFields.write(said),
  }
}

function citedRepositoryOf(files: ObservationFields['files'] = []): string | null {
  if (files.length === 0) return null
  const named = new Set(files.map(({ repository = '' }) => repository))
  return named.size === 1 ? [...named][0]! : ''
}

export function toStoredObservation(row: ObservationRow): StoredObservation {
  const observation: StoredObservation = {
    id: toId('obs', row.id),
    entityId: toId('ent', row.entity_id),
    content: row.content,
    createdAt: toIso(row.created_at),
  }
  if (row.updated_at !== null) observation.updatedAt = toIso(row.updated_at)
  observationFields.read(row, observation)
  return observation
}

/** The observation as callers see it. */
export function toShownObservation(stored: StoredObservation): Observation {
  const { id, content, createdAt, updatedAt } = stored
  const observation: Observation = { id, content, createdAt }
  if (updatedAt !== undefined) observation.updatedAt = updatedAt
  observationFields.copy(stored, observation)
  return observation
}

/** The same, with its state if it is no longer current. */
export function toToldObservation(stored: StoredObservation, now: number): Observation {
  const observation = toShownObservation(stored)
  const state = stateOf(observation, now)
  return state === 'current' ? observation : { ...observation, state }
}

/** A row as callers see it. */
export const showEntity = (row: EntityRow): Entity => toShownEntity(toStoredEntity(row))
export const showObservation = (row: ObservationRow): Observation =>
  toShownObservation(toStoredObservation(row))

/** An end of a relation: an entity, or what is known of it. */
export type End = { name: string; type: string }

export const toRelation = (row: RelationRow, from: End, to: End): Relation => ({
  id: toId('rel', row.id),
  fromEntityId: toId('ent', row.from_id),
  toEntityId: toId('ent', row.to_id),
  type: row.type,
  relationType: row.type,
  createdAt: toIso(row.created_at),
  fromEntity: { name: from.name, type: from.type },
  toEntity: { name: to.name, type: to.type },
})

/** The columns whose bytes a plan limits. Numbers, times and ids do not count. */
export const countedColumns = {
  entities: ['name', 'type', 'metadata', ...entityFields.counted],
  observations: ['content', ...observationFields.counted],
  relations: ['type'],
} as const satisfies Record<string, readonly string[]>

/** UTF-8 bytes of the texts of a row, which plans limit. */
export function bytesOf(table: VersionedTable, row: object): number {
  let bytes = 0
  for (const column of countedColumns[table]) {
    const text: unknown = Reflect.get(row, column)
    if (typeof text === 'string') bytes += Buffer.byteLength(text)
  }
  return bytes
}
