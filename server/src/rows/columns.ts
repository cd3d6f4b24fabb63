import type { EntitiesTable, ObservationsTable, RelationsTable } from '../store/schema.ts'

/**
 * The columns of the rows that have versions, once. Statements, copies, comparisons and moves of rows derive from these
 * lists, so a new column is in all of them.
 */
const entities = {
  account_id: true,
  space_id: true,
  id: true,
  name: true,
  type: true,
  metadata: true,
  aliases: true,
  observations_count: true,
  degree: true,
  version: true,
  created_at: true,
  updated_at: true,
  since: true,
  since_observations: true,
} as const satisfies Record<keyof EntitiesTable, true>

const observations = {
  account_id: true,
  space_id: true,
  id: true,
  entity_id: true,
  content: true,
  content_hash: true,
  metadata: true,
  true_from: true,
  true_until: true,
  expires_at: true,
  replaces: true,
  replaced_by: true,
  files: true,
  source: true,
  stale: true,
  cited_repository: true,
  until_before: true,
  created_at: true,
  updated_at: true,
  since: true,
} as const satisfies Record<keyof ObservationsTable, true>

const relations = {
  account_id: true,
  space_id: true,
  id: true,
  from_id: true,
  to_id: true,
  type: true,
  created_at: true,
  since: true,
} as const satisfies Record<keyof RelationsTable, true>

/** Columns that readers of a subject do not need: whose row it is, what is derived from it, what versions are kept by. */
const ofWrites = {
  account_id: true,
  space_id: true,
  content_hash: true,
  cited_repository: true,
  until_before: true,
  since: true,
  since_observations: true,
} as const

export type Tables = { entities: EntitiesTable; observations: ObservationsTable; relations: RelationsTable }

/** The tables of current rows; each has a table of past rows beside it. */
export type VersionedTable = keyof Tables

/** A row without the scope columns; `until` is null for current rows. */
export type Versions = {
  [T in VersionedTable]: Omit<Tables[T], 'account_id' | 'space_id'> & { until: number | null }
}

export const pastTables = {
  entities: 'past_entities',
  observations: 'past_observations',
  relations: 'past_relations',
} as const satisfies Record<VersionedTable, string>

const namesOf = <Name extends string>(list: Record<Name, true>) => Object.keys(list) as Name[]

export const rowColumns = {
  entities: namesOf(entities),
  observations: namesOf(observations),
  relations: namesOf(relations),
} as const

const readIn = <T extends VersionedTable>(table: T) =>
  rowColumns[table].filter((column) => !(column in ofWrites)) as unknown as Exclude<
    keyof Tables[T],
    keyof typeof ofWrites
  >[]

/** The columns that readers need. */
export const readColumns = { entities: readIn('entities'), observations: readIn('observations') } as const

/** Columns that writes fill by themselves: whose row it is, when it changed, what was counted or derived. */
export const filledByWrites = {
  account_id: true,
  space_id: true,
  id: true,
  content_hash: true,
  cited_repository: true,
  until_before: true,
  observations_count: true,
  degree: true,
  version: true,
  created_at: true,
  updated_at: true,
  since: true,
  since_observations: true,
} as const

type Said<T extends VersionedTable> = Exclude<keyof Tables[T], keyof typeof filledByWrites>

const saidIn = <T extends VersionedTable>(table: T) =>
  rowColumns[table].filter((column) => !(column in filledByWrites)) as unknown as Said<T>[]

/** The others: two versions that are alike in these say the same. */
export const saidColumns: { [T in VersionedTable]: readonly Said<T>[] } = {
  entities: saidIn('entities'),
  observations: saidIn('observations'),
  relations: saidIn('relations'),
}

/** The columns that a change of a row sets: what the row says, and what follows from that. */
export const setColumns = {
  entities: saidColumns.entities,
  observations: [
    ...saidColumns.observations,
    ...(['content_hash', 'cited_repository', 'until_before', 'updated_at'] as const),
  ],
  relations: saidColumns.relations,
} as const satisfies { [T in VersionedTable]: readonly (keyof Versions[T])[] }

export function saysTheSame<T extends VersionedTable>(table: T, a: Versions[T], b: Versions[T]): boolean {
  return saidColumns[table].every((column) => Reflect.get(a, column) === Reflect.get(b, column))
}
