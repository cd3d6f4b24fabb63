import type { Relation } from '@loci/contract/relations'
import { contentCharactersMax } from './answer-size.ts'
import type { NamedEntity, NamedRelation } from './memories.service.ts'

/** A part of the graph, as much as fits in one answer. */
export type GraphPart = {
  entities: NamedEntity[]
  /** By id; ids grow in the order of creation. */
  relations: Map<string, NamedRelation>
  /** How many characters are left. */
  room: number
  /** Where to go on, as `findPlace` reads it, when not everything fits. */
  next?: string
  /** The last entity, when only a piece of it fits. */
  cut?: string
}

export const newPart = (): GraphPart => ({ entities: [], relations: new Map(), room: contentCharactersMax })

/**
 * Which relations of an entity belong to a part: those that begin at it, and those that end at it too where `read` is
 * given, but for those that come with their source because it is among `read`.
 */
export type Reach = { read?: ReadonlySet<string> }

export const toNamedRelation = ({ fromEntity, toEntity, type }: Relation): NamedRelation => ({
  from: fromEntity.name,
  to: toEntity.name,
  relationType: type,
})
