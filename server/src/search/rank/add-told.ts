import { tellsKind } from '../ask/answer-kind.ts'
import type { Candidates } from '../match/candidates.ts'
import { lengthNorm, weightOfWord, weights } from '../match/weights.ts'
import { toLikeness } from '../meaning/word-vectors.ts'
import { findPinning, type RankedObservation } from './ranking.ts'

type Scorer = (hit: RankedObservation) => RankedObservation

/**
 * Adds to the best observations, of which there are `count`, what only their texts tell: the kind of answer that is
 * asked for, and words like those that they lack. One that has all words that pin the question down gains as much as
 * any. The others would gain less than reading them costs.
 */
export async function addTold(
  ranked: readonly RankedObservation[],
  candidates: Candidates,
  count: number,
): Promise<RankedObservation[]> {
  const [addKind, alikeOf] = [toKindScorer(candidates), toAlikeMeasure(candidates)]
  const pinned = findPinning(candidates)
  const best = ranked.slice(0, count)
  const alike: number[] = []
  for (const hit of best) {
    const resting = candidates.pace()
    if (resting !== undefined) await resting
    alike.push(alikeOf(hit))
  }
  const most = Math.max(0, ...alike)
  const told = best.map((hit, place) => {
    const { frequencies } = candidates.counter.inPassage(hit.passage)
    const isPinned = pinned.length > 0 && pinned.every((word) => frequencies[word]! > 0)
    return addAlike(addKind(hit), isPinned ? most : alike[place]!)
  })
  return [...told, ...ranked.slice(count)]
}

const addAlike = ({ passage, parts, score }: RankedObservation, alike: number): RankedObservation => ({
  ...{ passage, score: score + alike },
  parts: { ...parts, meaning: parts.meaning + alike },
})

function toKindScorer({ question: { kind, query }, reader }: Candidates): Scorer {
  if (kind === undefined) return (hit) => hit
  const weight = kind === 'name' ? weights.kindOfName : weights.kind
  return (hit) => {
    const { passage, parts, score } = hit
    if (!tellsKind(kind, reader.observation(passage.observationId)?.content ?? '', query)) return hit
    const { words, name, neighbours, pairs, entity, meaning } = parts
    const ofKind = weight * (words + name + neighbours + pairs + entity + meaning)
    return { ...hit, score: score + ofKind, parts: { ...parts, kind: ofKind } }
  }
}

/** For each word of the question that a passage and its entity's fields lack, the most alike word of either counts. */
function toAlikeMeasure({
  words,
  space,
  fields,
  meaning: { texts },
  counter,
}: Candidates): (hit: RankedObservation) => number {
  if (texts === undefined) return () => 0
  const weighed = words.map((word) => weightOfWord(word, space.passages))
  const total = weighed.reduce((sum, weight) => sum + weight, 0) || 1
  const likenesses = words.map(({ surface }) => toLikeness(surface))
  const averageLength = space.length / Math.max(1, space.passages) || 1
  return ({ passage }) => {
    const { frequencies } = counter.inPassage(passage)
    const inFields = counter.inFields(passage.entityId, fields.get(passage.entityId))
    const [inText, inName] = [texts.wordsOf(passage.id), texts.wordsOfName(passage.entityId)]
    const norm = lengthNorm(passage, averageLength)
    let sum = 0
    for (const [word, likeness] of likenesses.entries()) {
      if (likeness === undefined || frequencies[word]! + inFields[word]! > 0) continue
      sum += weighed[word]! * (rescale(likeness(inText)) / norm + rescale(likeness(inName)))
    }
    return (weights.alike * sum) / total
  }
}

const rescale = (likeness: number) => Math.max(0, likeness - weights.alikeMin) / (1 - weights.alikeMin)
