import type { Entity } from '@loci/contract/entities'
import type { Observation } from '@loci/contract/observations'
import type { Relation } from '@loci/contract/relations'

/** Observations of one entity, a page at a time. */
export type Pages = AsyncIterable<Observation[]>

/** A graph to be written, as it is or as it was; each part can be read several times, in bounded memory. */
export type GraphSource = {
  /** When it is written, in milliseconds. */
  at: number
  /** Above the numbers of all ids. */
  nextNumber: number
  entities: () => AsyncIterable<[Entity, Pages]>
  /** The same entities without their observations. */
  entityPages: () => AsyncIterable<Entity[]>
  relations: () => AsyncIterable<Relation>
  /** Those that begin at an entity. */
  relationsFrom: (entityId: string) => AsyncIterable<Relation>
}
