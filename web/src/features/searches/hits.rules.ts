import type {
  ObservationHit,
  RelationHit,
  SearchObservationsResponse,
  Understanding,
} from '@loci/contract/search'
import { isAgent, writerOf } from '../../ui/writer-name.ts'
import { areForms, areSimilar, wordsOf } from './similar-words.ts'

type Hit = Pick<ObservationHit, 'content' | 'highlights'>

const markedWords = ({ content, highlights }: Hit): string[] => [
  ...new Set(highlights.flatMap(([from, to]) => wordsOf(content.slice(from, to)))),
]

/** Whether a hit contains none of the query's words, only similar spellings or substitutes. */
export function isFoundByGuess(hit: Hit, query: string, guesses: Understanding['guesses'] = []): boolean {
  const marked = markedWords(hit)
  const asked = wordsOf(query)
  const taken = guesses.flatMap((guess) => guess.taken.flatMap(wordsOf))
  if (marked.length === 0 || marked.some((word) => asked.some((one) => areForms(word, one)))) return false
  return marked.some(
    (word) => asked.some((one) => areSimilar(word, one)) || taken.some((one) => areForms(word, one)),
  )
}

/**
 * Separates hits that contain the query's words from those with similar spellings; `spellings` lists the
 * words that matched.
 */
export function splitHits(hits: readonly ObservationHit[], query: string, { guesses }: Understanding) {
  const [plain, guessed]: [ObservationHit[], ObservationHit[]] = [[], []]
  for (const hit of hits) (isFoundByGuess(hit, query, guesses) ? guessed : plain).push(hit)
  return { plain, guessed, spellings: [...new Set(guessed.flatMap(markedWords))] }
}

/** As a share of the best score. */
const weakBelow = 0.5
/** So few are shown in any case. */
const shownMin = 10

/** Separates hits far weaker than the best one; none if there are only a few hits. */
export function splitWeak(hits: readonly ObservationHit[]) {
  const strongest = hits.reduce((best, { score }) => Math.max(best, score), 0)
  const isWeak = ({ score }: ObservationHit) => hits.length > shownMin && score < strongest * weakBelow
  return { strong: hits.filter((hit) => !isWeak(hit)), weak: hits.filter(isWeak) }
}

type Answer = Pick<SearchObservationsResponse, 'observations' | 'entities' | 'relations' | 'total'>

/** The observations of one writer, with the entities and relations that they are about. */
export function writtenBy<T extends Answer>(answer: T, writer: string | undefined): T {
  if (writer === undefined) return answer
  const observations = answer.observations.filter(({ by }) => by && writerOf(by) === writer)
  const about = new Set(observations.map(({ entity }) => entity.id))
  return {
    ...answer,
    observations,
    entities: answer.entities.filter(({ id }) => about.has(id)),
    relations: answer.relations.filter(({ from, to }) => about.has(from.id) || about.has(to.id)),
    total: observations.length,
  }
}

const relationsPerHit = 3

/** Assigns relations to their entity's first hit; the rest stay separate. */
export function placeRelations(
  relations: readonly RelationHit[],
  hits: readonly ObservationHit[],
): { ofHits: Map<string, RelationHit[]>; others: RelationHit[] } {
  const firstHits = new Map<string, string>()
  for (const { id, entity } of hits) if (!firstHits.has(entity.id)) firstHits.set(entity.id, id)
  const ofHits = new Map<string, RelationHit[]>()
  const others: RelationHit[] = []
  for (const relation of relations) {
    const hitId = firstHits.get(relation.from.id) ?? firstHits.get(relation.to.id)
    const placed = hitId === undefined ? undefined : (ofHits.get(hitId) ?? [])
    if (hitId === undefined || placed === undefined || placed.length === relationsPerHit)
      others.push(relation)
    else ofHits.set(hitId, [...placed, relation])
  }
  return { ofHits, others }
}

export type HitCount = { value: string; count: number }

/** The number of hits per type and per writer, most first; and which writers are agents. */
export function facetsOf(hits: SearchObservationsResponse['observations']): {
  types: HitCount[]
  writers: HitCount[]
  agents: ReadonlySet<string>
} {
  return {
    types: countBy(hits.map(({ entity }) => entity.type)),
    writers: countBy(hits.flatMap(({ by }) => (by ? [writerOf(by)] : []))),
    agents: new Set(hits.flatMap(({ by }) => (by && isAgent(by) ? [writerOf(by)] : []))),
  }
}

function countBy(values: readonly string[]): HitCount[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count)
}
