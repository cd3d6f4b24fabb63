import { tellsKind } from '../ask/answer-kind.ts'
import type { Candidates } from '../match/candidates.ts'
import { lengthNorm, weightOfWord, weights } from '../match/weights.ts'
import { toLikeness } from '../meaning/word-vectors.ts'
import type { RankedObservation } from './ranking.ts'

type Scorer = (hit: RankedObservation) => RankedObservation

/**
 * Adds to the best observations, of which there are `count`, what only their texts tell: the kind of answer that is asked
 * for, and words like those that they lack. The others would gain less than reading them costs.
 */
export async function addTold(
  ranked: readonly RankedObservation[],
  candidates: Candidates,
  count: number,
): Promise<RankedObservation[]> {
  const [addKind, addAlike] = [toKindScorer(candidates), toAlikeScorer(candidates)]
  const told: RankedObservation[] = []
  for (const hit of ranked.slice(0, count)) {
    const resting = candidates.pace()
    if (resting !== undefined) await resting
    told.push(addAlike(addKind(hit)))
  }
  return [...told, ...ranked.slice(count)]
}

function toKindScorer({ question: { kind }, reader }: Candidates): Scorer {
  if (kind === undefined) return (hit) => hit
  return (hit) => {
    const { passage, parts, score } = hit
    if (!tellsKind(kind, reader.observation(passage.observationId)?.content ?? '')) return hit
    const { words, name, neighbours, pairs, entity, meaning } = parts
    const ofKind = weights.kind * (words + name + neighbours + pairs + entity + meaning)
    return { ...hit, score: score + ofKind, parts: { ...parts, kind: ofKind } }
  }
}

/** For each word of the question that a passage and its entity's fields lack, the most alike word of either counts. */
function toAlikeScorer({ words, space, fields, meaning: { texts }, counter }: Candidates): Scorer {
  if (texts === undefined) return (hit) => hit
  const weighed = words.map((word) => weightOfWord(word, space.passages))
  const total = weighed.reduce((sum, weight) => sum + weight, 0) || 1
  const likenesses = words.map(({ surface }) => toLikeness(surface))
  const averageLength = space.length / Math.max(1, space.passages) || 1
  return (hit) => {
    const { passage, parts, score } = hit
    const { frequencies } = counter.inPassage(passage)
    const inFields = counter.inFields(passage.entityId, fields.get(passage.entityId))
    const [inText, inName] = [texts.wordsOf(passage.id), texts.wordsOfName(passage.entityId)]
    const norm = lengthNorm(passage, averageLength)
    let sum = 0
    for (const [word, likeness] of likenesses.entries()) {
      if (likeness === undefined || frequencies[word]! + inFields[word]! > 0) continue
      sum += weighed[word]! * (rescale(likeness(inText)) / norm + rescale(likeness(inName)))
    }
    const alike = (weights.alike * sum) / total
    return { ...hit, score: score + alike, parts: { ...parts, meaning: parts.meaning + alike } }
  }
}

const rescale = (likeness: number) => Math.max(0, likeness - weights.alikeMin) / (1 - weights.alikeMin)
