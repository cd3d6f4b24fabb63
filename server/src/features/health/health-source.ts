import type { StaleFile } from '@loci/contract/observations'

/** An entity to check. Numbers are unique within the memory. */
export type HealthEntity = {
  number: number
  id?: string
  name: string
  type: string
  aliases?: readonly string[]
  relations: number
  observations: number
  place?: string
}

/** An observation to check; `entity` is the number of the entity it belongs to. */
export type HealthFact = {
  number: number
  id?: string
  entity: number
  content: string
  createdAt?: string
  at?: string
  expiresAt?: string
  isReplaced?: boolean
  replaces?: readonly string[]
  stale?: readonly StaleFile[]
  place?: string
  isTold?: boolean
}

/** A relation that leads nowhere. */
export type BrokenRelation = { from: string; to: string; type: string; place?: string }

/** A memory that can be read in pages, more than once. */
export type HealthSource = {
  counts: { entities: number; observations: number }
  /** Since when it is known which facts are told; absent if it is not, or if none ever was. */
  toldSince?: number
  entities: () => AsyncIterable<readonly HealthEntity[]>
  facts: () => AsyncIterable<readonly HealthFact[]>
  /** Those that are still there, by number. */
  factsByNumber: (numbers: readonly number[]) => Promise<ReadonlyMap<number, HealthFact>>
  entitiesByNumber: (numbers: readonly number[]) => Promise<ReadonlyMap<number, HealthEntity>>
  /** Pairs of entities that are probably the same, and why; `keep` first. */
  alike: () => Promise<readonly { pair: readonly [number, number]; reasons: readonly string[] }[]>
  broken?: readonly BrokenRelation[]
}
