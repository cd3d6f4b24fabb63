import type { StoredEntity } from '../../rows/codec.ts'
import type { TimeSpan } from '../analyse/times/time-span.ts'
import type { ReadObservation } from '../match/passage-reader.ts'
import type { NameMatch } from '../match/subjects.ts'
import type { RerankedObservation } from '../rank/rerank.ts'
import type { Around, EntityLabel } from '../store/index-rows.ts'
import type { SpaceMemory } from '../store/space-memory.ts'
import type { RankedRelation } from './find-relations.ts'

/** The entities of the types that a question asks to list, newest first, and their total. */
export type Listed = { types: string[]; entities: StoredEntity[]; total: number }

export type Findings = {
  ranked: RerankedObservation[]
  names: readonly NameMatch[]
  relations: RankedRelation[]
  /** Set if the question only asks to list some types. */
  listed: Listed | undefined
  /** Entities created in the given time, if the question asks only about a time. */
  created: StoredEntity[]
  /** Periods that the question names. */
  times: readonly TimeSpan[]
  /** Words of the question for which nothing was found. */
  unknown: readonly string[]
  /** Words used in place of words that match nothing stored. */
  guessed: ReadonlyMap<string, readonly string[]>
  /** Labels of the entities of the ranked observations. */
  labels: ReadonlyMap<number, EntityLabel>
  /** The observations around a ranked one, up to `weights.neighboursMax` on each side, if known. */
  around: (observationId: number) => Around | undefined
  /** An observation that was read while ranking, if it was. */
  observation: (observationId: number) => ReadObservation | undefined
  /** Of the space, if it is in memory. */
  memory: SpaceMemory | undefined
  /** The terms by which the query was matched. */
  terms: Set<string>
  /** True if there was nothing to look up: only function words or symbols. */
  isBare: boolean
}

/** The findings if nothing is stored or nothing was asked. */
export const emptyFindings: Findings = {
  ranked: [],
  names: [],
  relations: [],
  listed: undefined,
  created: [],
  times: [],
  unknown: [],
  guessed: new Map(),
  labels: new Map(),
  around: () => undefined,
  observation: () => undefined,
  memory: undefined,
  terms: new Set(),
  isBare: true,
}
