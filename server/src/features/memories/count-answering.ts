import type { ObservationHit } from '@loci/contract/search'
import { estimateTokens } from '../../ground/lib/tokens.ts'
import { analyse } from '../../search/analyse/analyser.ts'
import { termsAskedFor } from '../../search/ask/question.ts'

/** So many facts are told where it is clear which one answers. */
const toldMin = 8
/** So many where it is not, of facts that are short: the answer is hardly ever behind them. */
const toldMax = 36
/** Short on average; turns of chats are longer, and need more of them. */
const shortTokensMax = 18
/** Facts longer than this on average say more than one thing each. */
const atomicTokensMax = 20
/** The share of the question's words that the best fact and the name and type of its entity must have. */
const coveredMin = 0.6
/** Facts behind those told score at most this part of the best. */
const othersMax = 0.3
/** Facts of a named entity that are told without others. */
const ofNamedMax = 16

/**
 * How many of the hits, best first, to tell. Of a memory of short facts as many as answer where that is clear, as it is
 * if the question names an entity with few facts, or if the best fact has most of the question's words, and none behind
 * those told has as many.
 */
export function countAnswering(query: string, hits: readonly ObservationHit[]): number {
  const tokens = meanTokens(hits)
  if (hits.length <= toldMin || tokens > atomicTokensMax) return hits.length
  const ofNamed = countOfNamed(hits)
  if (ofNamed > 0) return ofNamed <= ofNamedMax ? Math.max(toldMin, ofNamed) : hits.length
  const [best, others] = [hits[0]!, hits.slice(toldMin)]
  const most = tokens > shortTokensMax ? hits.length : Math.min(hits.length, toldMax)
  if (others[0]!.score > othersMax * best.score) return most
  const coverageOf = toCoverage(query)
  const covered = coverageOf(best)
  return covered >= coveredMin && others.every((hit) => coverageOf(hit) < covered) ? toldMin : most
}

/** The hits up to the last one of the entities that the question names, if it is about one of them. */
function countOfNamed(hits: readonly ObservationHit[]): number {
  const isAsked = hits.some(({ explain }) => (explain?.asked ?? 0) > 0)
  return isAsked ? hits.findLastIndex(({ explain }) => (explain?.named ?? 0) > 0) + 1 : 0
}

const meanTokens = (hits: readonly ObservationHit[]): number =>
  hits.reduce((sum, { content }) => sum + estimateTokens(content), 0) / hits.length

/** The share of the question's words that a fact has, with the name and the type of its entity. */
function toCoverage(query: string): (hit: ObservationHit) => number {
  const words = termsAskedFor(query)
  return ({ content, entity }) => {
    const terms = new Set(analyse(`${entity.name} ${entity.type} ${content}`).tokens.map(({ term }) => term))
    return words.filter((word) => terms.has(word)).length / Math.max(1, words.length)
  }
}
