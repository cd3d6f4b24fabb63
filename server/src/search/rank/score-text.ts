import type { CountedPassage, Passage } from '../match/count-words.ts'
import { weights } from '../match/weights.ts'
import type { ScoreParts } from './ranking.ts'

/** The text parts of a passage's score, which add up. */
export type TextParts = Pick<ScoreParts, 'words' | 'name' | 'neighbours' | 'pairs'>

export const sumOfText = ({ words, name, neighbours, pairs }: TextParts) => words + name + neighbours + pairs

/**
 * BM25 over weighted fields (BM25F, Robertson, Zaragoza and Taylor 2004): the passage itself, the fields of its
 * entity, and the passages before and after it. Neighbours add little for a word that the passage contains and more for
 * one that it lacks, which a sum of scores would get wrong.
 */
export function scoreText(
  passages: readonly CountedPassage[],
  place: number,
  fields: Float64Array,
  idf: readonly number[],
  averageLength: number,
): TextParts {
  const { passage, frequencies, pairs } = passages[place]!
  const ownNorm = lengthNorm(passage, averageLength)
  const from = endOfNear(passages, place, -1)
  const shares = sharesFrom(from, passages, place, averageLength)
  const parts = { words: 0, name: 0, neighbours: 0, pairs: 0 }
  let covered = 0
  let total = 0
  for (let word = 0; word < idf.length; word += 1) {
    const weight = idf[word]!
    const own = frequencies[word]! / ownNorm
    const named = own + weights.name * fields[word]!
    let all = named
    for (let i = 0; i < shares.length; i += 1) all += shares[i]! * passages[from + i]!.frequencies[word]!
    total += weight
    if (named > 0) covered += weight
    if (all === 0) continue
    const ownScore = saturate(own)
    const namedScore = saturate(named)
    parts.words += weight * ownScore
    parts.name += weight * (namedScore - ownScore)
    parts.neighbours += weight * (saturate(all) - namedScore)
    if (pairs[word]! > 0) parts.pairs += weights.pair * Math.min(weight, idf[word - 1]!)
  }
  const factor = 1 - weights.coverage + (weights.coverage * covered) / (total || 1)
  parts.words *= factor
  parts.name *= factor
  parts.neighbours *= factor
  parts.pairs *= factor
  return parts
}

const lengthNorm = ({ length }: Passage, averageLength: number) =>
  1 - weights.b + (weights.b * length) / averageLength

const saturate = (frequency: number) => (frequency * (weights.k1 + 1)) / (frequency + weights.k1)

/** The last passage in this direction that is at most three steps away. */
function endOfNear(passages: readonly CountedPassage[], place: number, direction: 1 | -1): number {
  const { position } = passages[place]!.passage
  let end = place
  for (let next = passages[end + direction]; next !== undefined; next = passages[end + direction]) {
    if (Math.abs(next.passage.position - position) > weights.neighboursMax) break
    end += direction
  }
  return end
}

/** The weights of the passages near one, in order; its own is 0. */
function sharesFrom(
  from: number,
  passages: readonly CountedPassage[],
  place: number,
  averageLength: number,
): number[] {
  const { passage } = passages[place]!
  const to = endOfNear(passages, place, 1)
  const shares: number[] = []
  for (let i = from; i <= to; i += 1) {
    const near = passages[i]!
    // Parts of one long observation are not context for each other: each passage is already a chance to match.
    const isOwn = near.passage.observationId === passage.observationId
    shares.push(isOwn ? 0 : stepWeight(near, passage) / lengthNorm(near.passage, averageLength))
  }
  return shares
}

function stepWeight(neighbour: CountedPassage, passage: Passage): number {
  const step = neighbour.passage.position - passage.position
  const base = step < 0 && neighbour.asks ? weights.answer : weights.neighbour
  const apartMs = Math.abs(neighbour.passage.createdAt - passage.createdAt)
  return base ** Math.abs(step) * Math.exp(-apartMs / weights.neighbourFadeMs)
}
