import type { ObservationHit } from '@loci/contract/search'
import { estimateTokens } from '../../ground/lib/tokens.ts'

/** So many facts are told at least. */
const toldMin = 8
/** A fact that scores less than this part of the best one hardly ever answers. */
const scoreMin = 0.25
/** The best fact stands out if the second scores less than this part of it: then about ten answer. */
const secondMax = 0.65
const besideOutstanding = { scoreMin: 0.5, count: 10 }
/** Facts longer than this on average say more than one thing each. */
const atomicTokensMax = 20
/** Facts of a named entity that are told without others. */
const ofNamedMax = 16

/**
 * How many of the hits, best first, to tell. Of a memory of short facts those that score enough beside the best one or,
 * if the question names entities with few facts, those of the named.
 */
export function countAnswering(hits: readonly ObservationHit[]): number {
  if (hits.length <= toldMin || meanTokens(hits) > atomicTokensMax) return hits.length
  const ofNamed = countOfNamed(hits)
  if (ofNamed > 0 && ofNamed <= ofNamedMax) return Math.max(toldMin, ofNamed)
  const [best, second] = hits.map(({ score }) => score) as [number, number]
  const countFrom = (part: number) => hits.findLastIndex(({ score }) => score >= part * best) + 1
  const all = Math.max(toldMin, countFrom(scoreMin))
  if (second >= secondMax * best) return all
  return Math.min(all, Math.max(besideOutstanding.count, countFrom(besideOutstanding.scoreMin)))
}

/** The hits up to the last one of the entities that the question names, if it is about one of them. */
function countOfNamed(hits: readonly ObservationHit[]): number {
  const isAsked = hits.some(({ explain }) => (explain?.asked ?? 0) > 0)
  return isAsked ? hits.findLastIndex(({ explain }) => (explain?.named ?? 0) > 0) + 1 : 0
}

const meanTokens = (hits: readonly ObservationHit[]): number =>
  hits.reduce((sum, { content }) => sum + estimateTokens(content), 0) / hits.length
