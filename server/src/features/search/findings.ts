import type { StoredEntity } from '../../graph/entities.repo.ts'
import type { Around } from './around.repo.ts'
import type { Listed } from './find-listed.ts'
import type { NameMatch } from './find-names.ts'
import type { RankedRelation } from './find-relations.ts'
import type { RerankedObservation } from './rerank.ts'
import type { EntityLabel, PassageFilter } from './search.repo.ts'
import type { TimeSpan } from './time-expressions.ts'

/** What is asked of the index. */
export type Inquiry = PassageFilter & {
  query: string
  /** How many results are wanted. */
  limit: number
  expand: boolean
  /** The last word may be incomplete. */
  typing: boolean
  /** Also what is alike in meaning, where there is an embedder. */
  byMeaning: boolean
}

export type Findings = {
  ranked: RerankedObservation[]
  names: NameMatch[]
  relations: RankedRelation[]
  /** Where the question only asks what there is of some types. */
  listed: Listed | undefined
  /** Entities that were created in the time that is all that the question asks about. */
  created: StoredEntity[]
  /** Stretches of time that the question names. */
  times: TimeSpan[]
  /** Words of the question for which nothing was found. */
  unknown: readonly string[]
  /** What was taken in place of words that nothing stored has. */
  guessed: ReadonlyMap<string, readonly string[]>
  /** Of the entities of what was ranked. */
  labels: ReadonlyMap<number, EntityLabel>
  /** The observations around one of those ranked, up to `weights.neighboursMax` on each side, where that is known. */
  around: (observationId: number) => Around | undefined
  /** The terms by which the query was matched. */
  terms: Set<string>
  /** True when there was nothing to look up: function words or signs only. */
  isBare: boolean
}

/** What is found where nothing is stored, or nothing was asked. */
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
  terms: new Set(),
  isBare: true,
}
