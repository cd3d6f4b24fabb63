import type { ExportedEntity, ExportedObservation, ExportedRelation } from './exports.repo.ts'

/** Observations of one entity, a page at a time. */
export type Pages = AsyncIterable<ExportedObservation[]>

/** A graph to be written, as it is or as it was; each part can be read several times, in bounded memory. */
export type GraphSource = {
  /** When it is written, in milliseconds. */
  at: number
  /** Above the numbers of all ids. */
  nextNumber: number
  entities: () => AsyncIterable<[ExportedEntity, Pages]>
  /** The same entities without their observations. */
  entityPages: () => AsyncIterable<ExportedEntity[]>
  relations: () => AsyncIterable<ExportedRelation>
  /** Those that begin at an entity. */
  relationsFrom: (entityId: number) => AsyncIterable<ExportedRelation>
}
