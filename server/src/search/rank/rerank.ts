import type { Passage, WordCounter } from '../match/count-words.ts'
import { weightOfWord } from '../match/weights.ts'
import { isConversation, type RankedObservation, type RankingInput } from './ranking.ts'
import { learnedWeights } from './rerank-weights.ts'

/** The features that corrections are learned from, each between 0 and 1. */
export const featureNames = [
  /** Not in the first person, though other passages of its entity are: it explains, asks or reacts. */
  'impersonal',
  /** The same, if the question is in the first person. */
  'impersonalAsked',
  /** The share of its score that is due to its time. */
  'time',
  /** How much of the question the preceding passage covers, if that asks something: this is likely the answer. */
  'answers',
  /** How much of the question the preceding passage covers. */
  'follows',
  /** Its length, on a log scale. */
  'length',
] as const

/** Number of best observations that are corrected. */
export const rerankedMax = 100
const lengthMax = 127

export type RerankInput = Pick<RankingInput, 'words' | 'space' | 'passages'> & {
  /** The question is in the first person. */
  isFirstPerson: boolean
}

/** An observation with the features of its correction. */
export type RerankedObservation = RankedObservation & { features?: number[] }

/**
 * Corrects the scores of the best observations with the weights learned by `bench/train-reranker.ts`: each changes by a
 * share of itself, the weighted sum of its features. The others follow in their order.
 */
export function rerank(
  ranked: readonly RankedObservation[],
  input: RerankInput,
  counter: WordCounter,
): RerankedObservation[] {
  const readFeatures = toFeatureReader(input, counter)
  let least = 0
  const best = ranked.slice(0, rerankedMax).map((hit): RerankedObservation => {
    const features = readFeatures(hit)
    const share = features.reduce((sum, feature, i) => sum + feature * learnedWeights[i]!, 0)
    least = Math.min(least, share)
    return { ...correct(hit, share), features }
  })
  best.sort((a, b) => b.score - a.score || b.passage.observationId - a.passage.observationId)
  return [...best, ...ranked.slice(rerankedMax).map((hit) => correct(hit, least))]
}

function correct(hit: RankedObservation, share: number): RankedObservation {
  const learned = hit.score * share
  return { ...hit, score: hit.score + learned, parts: { ...hit.parts, learned } }
}

type FeatureReader = (hit: RankedObservation) => number[]

function toFeatureReader(input: RerankInput, counter: WordCounter): FeatureReader {
  const idf = input.words.map((word) => weightOfWord(word, input.space.passages))
  const total = idf.reduce((sum, weight) => sum + weight, 0) || 1
  const conversations = findConversations(input.passages, counter)
  const findBefore = toFinderBefore(input.passages)
  const shareOf = (frequencies: Float64Array) => {
    let sum = 0
    for (let word = 0; word < idf.length; word += 1) if (frequencies[word]! > 0) sum += idf[word]!
    return sum / total
  }
  return ({ passage, score, parts }) => {
    const isImpersonal = !counter.inPassage(passage).isFirstPerson && conversations.has(passage.entityId)
    const passageBefore = findBefore(passage)
    const before = passageBefore === undefined ? undefined : counter.inPassage(passageBefore)
    const shareBefore = before === undefined ? 0 : shareOf(before.frequencies)
    return [
      Number(isImpersonal),
      Number(isImpersonal && input.isFirstPerson),
      parts.time / score,
      before?.asks === true ? shareBefore : 0,
      shareBefore,
      Math.min(1, Math.log2(1 + passage.length) / Math.log2(1 + lengthMax)),
    ]
  }
}

function findConversations(passages: readonly Passage[], counter: WordCounter): Set<number> {
  const byEntity = Map.groupBy(passages, ({ entityId }) => entityId)
  const isTold = (some: readonly Passage[]) => isConversation(some.map((one) => counter.inPassage(one)))
  return new Set([...byEntity].flatMap(([id, some]) => (isTold(some) ? [id] : [])))
}

/** Finds the passage just before another, from another observation of the same entity. */
function toFinderBefore(passages: readonly Passage[]): (passage: Passage) => Passage | undefined {
  const byEntity = new Map<number, Map<number, Passage>>()
  for (const passage of passages) {
    const places = byEntity.get(passage.entityId)
    if (places === undefined) byEntity.set(passage.entityId, new Map([[passage.position, passage]]))
    else places.set(passage.position, passage)
  }
  return ({ entityId, position, observationId }) => {
    const before = byEntity.get(entityId)?.get(position - 1)
    return before?.observationId === observationId ? undefined : before
  }
}
