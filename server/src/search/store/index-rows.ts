import type { EntityFields } from '../analyse/passages.ts'

export type VocabularyWord = { word: string; term: string }

/** An observation with its entity. */
export type PassageRow = {
  id: number
  entityId: number
  content: string
  metadata: string | null
  createdAt: number
  trueFrom: string | null
  trueUntil: string | null
  expiresAt: number | null
  replacedBy: number | null
  stale: string | null
  name: string
  type: string
}

export type EntityLabel = { id: number; name: string; type: string }

/** An entity with its indexed fields. */
export type IndexedEntity = EntityLabel & { fields: EntityFields }

export type FurtherPassage = { id: number; observationId: number; part: number }

export type OfEntity = { id: number; entityId: number }

/** The numbers of an entity's observations before and after one of them, nearest first. */
export type Around = { before: readonly number[]; after: readonly number[] }
