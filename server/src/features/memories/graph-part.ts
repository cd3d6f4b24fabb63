import type { Relation } from '@loci/contract/relations'
import { contentCharactersMax } from './answer-size.ts'

export type NewNamedEntity = { name: string; entityType: string; observations: string[] }

export type NamedRelation = { from: string; to: string; relationType: string }

/** A part of the graph, as much as fits in one answer. */
export type GraphPart = {
  entities: NewNamedEntity[]
  /** The ids of the observations taken, in order, by the name of their entity. */
  ids: Map<string, string[]>
  /** What is said about an observation taken whose files have changed, by its id. */
  remarks: Map<string, string>
  /** Until when an observation taken was true, by its id, if it says so. */
  ends: Map<string, string>
  /** By id; ids grow in the order of creation. */
  relations: Map<string, NamedRelation>
  /** Characters left. */
  room: number
  /** Where to continue, for `findPlace`, if not everything fits. */
  next?: string
  /** The last entity, if only a piece of it fits. */
  cut?: string
}

export const newPart = (): GraphPart => ({
  entities: [],
  ids: new Map(),
  remarks: new Map(),
  ends: new Map(),
  relations: new Map(),
  room: contentCharactersMax,
})

/**
 * Which relations of an entity belong to a part: its outgoing ones and, if `read` is given, also its incoming ones,
 * except those whose source is in `read`, since they come with their source.
 */
export type Reach = { read?: ReadonlySet<string> }

export const toNamedRelation = ({ fromEntity, toEntity, type }: Relation): NamedRelation => ({
  from: fromEntity.name,
  to: toEntity.name,
  relationType: type,
})
