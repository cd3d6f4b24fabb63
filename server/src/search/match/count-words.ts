import { type EntityFields, firstPersonMark, questionMark, unaskedMark } from '../analyse/passages.ts'
import type { TimeSpan } from '../analyse/times/time-span.ts'
import { lengthNorm, weights } from './weights.ts'

/** An observation, or a part of a long one, as terms. */
export type Passage = {
  /** The first passage has the observation's number. */
  id: number
  observationId: number
  entityId: number
  /** Position among the entity's passages: neighbours differ by 1. Differences below 1,000 are exact. */
  position: number
  createdAt: number
  length: number
  /** The periods that its observation's text names, read only if the question names one. */
  times: () => readonly TimeSpan[]
  /** Number of passages of its observation. */
  pieces: number
  /**
   * Separated by spaces; terms of whole identifiers start with `+`, those of metadata with `=`. `-3` stands for three
   * words that the question does not ask for.
   */
  terms: string
}

/** Weight of a term in each field, relative to the name. */
const fieldWeights = { name: 1, nameWholes: 1, aliases: 1, type: 0.6, metadata: 0.8 }
/** Weight of a term in an observation's metadata, relative to its text. */
const valueWeight = 0.8

/**
 * A word of the question: each of its terms matches it with a weight. `count` is its number of passages; `rarity`, up to 1,
 * is lower the more common the word is in English.
 */
export type QueryWord = {
  /** The term of the word as asked. */
  own: string
  /** As written, folded. */
  surface: string
  terms: ReadonlyMap<string, number>
  count: number
  rarity: number
  /** Written as a name within the question. */
  isName?: boolean
}

/** The frequency of each word of the question in a passage, and which ones are close to the preceding word. */
export type CountedPassage = {
  passage: Passage
  frequencies: Float64Array
  pairs: Uint8Array
  /** Its text asks something. */
  asks: boolean
  /** It is written in the first person. */
  isFirstPerson: boolean
}

/** Maximum distance of two words of the question that form a pair. */
const pairDistance = 4

/** Counts the words of a question in passages and entity fields, with caching. */
export type WordCounter = {
  inPassage: (passage: Passage) => CountedPassage
  inFields: (entityId: number, fields: EntityFields | undefined) => Float64Array
}

export function countWordsOf(words: readonly QueryWord[]): WordCounter {
  const termIndex = indexTerms(words)
  const passages = new Map<number, CountedPassage>()
  const fields = new Map<number, Float64Array>()
  const none = new Float64Array(words.length)
  return {
    inPassage(passage) {
      let counted = passages.get(passage.id)
      if (counted === undefined) {
        counted = countWords(passage, termIndex, words.length)
        passages.set(passage.id, counted)
      }
      return counted
    },
    inFields(entityId, ofEntity) {
      if (ofEntity === undefined) return none
      let counted = fields.get(entityId)
      if (counted === undefined) {
        counted = countFields(ofEntity, termIndex, words.length)
        fields.set(entityId, counted)
      }
      return counted
    },
  }
}

type TermIndex = {
  words: Map<string, { word: number; weight: number }[]>
  /** 1 at the shape of each term, so that most terms of a passage need no look-up. */
  shapes: Uint8Array
  /** The last place of each word in the current passage; reused for all passages. */
  lastPlace: Int32Array
}

const shapesMax = 128 * 64

/** Combines first letter and length. */
const shapeOf = (firstCode: number, length: number) => ((firstCode & 127) << 6) | (length & 63)

function indexTerms(words: readonly QueryWord[]): TermIndex {
  const index: TermIndex['words'] = new Map()
  const shapes = new Uint8Array(shapesMax)
  words.forEach(({ terms }, word) => {
    for (const [term, weight] of terms) {
      shapes[shapeOf(term.charCodeAt(0), term.length)] = 1
      const entries = index.get(term)
      if (entries === undefined) index.set(term, [{ word, weight }])
      else entries.push({ word, weight })
    }
  })
  return { words: index, shapes, lastPlace: new Int32Array(words.length) }
}

const plusSign = 43
const equalsSign = 61
const unaskedCode = unaskedMark.charCodeAt(0)
const questionCode = questionMark.charCodeAt(0)
const firstPersonCode = firstPersonMark.charCodeAt(0)

function countWords(passage: Passage, termIndex: TermIndex, words: number): CountedPassage {
  const frequencies = new Float64Array(words)
  const pairs = new Uint8Array(words)
  const lastPlace = termIndex.lastPlace.fill(-1_000)
  const { terms } = passage
  let place = 0
  let asks = false
  let isFirstPerson = false
  for (let start = 0; start < terms.length; ) {
    const space = terms.indexOf(' ', start)
    const end = space < 0 ? terms.length : space
    const first = terms.charCodeAt(start)
    const mark = end - start > 1 ? first : 0
    if (mark === 0) {
      asks ||= first === questionCode
      isFirstPerson ||= first === firstPersonCode
    }
    if (mark === unaskedCode) {
      place += Number(terms.slice(start + 1, end))
      start = end + 1
      continue
    }
    const isWhole = mark === plusSign || mark === equalsSign
    const from = isWhole ? start + 1 : start
    if (termIndex.shapes[shapeOf(terms.charCodeAt(from), end - from)] === 1) {
      for (const { word, weight } of termIndex.words.get(terms.slice(from, end)) ?? []) {
        frequencies[word]! += mark === equalsSign ? weight * valueWeight : weight
        if (isWhole) continue
        lastPlace[word] = place
        if (word > 0 && place - lastPlace[word - 1]! <= pairDistance) pairs[word] = 1
        if (word + 1 < words && place - lastPlace[word + 1]! <= pairDistance) pairs[word + 1] = 1
      }
    }
    if (!isWhole) place += 1
    start = end + 1
  }
  return { passage, frequencies, pairs, asks, isFirstPerson }
}

/** A word counts once, in its best field. */
function countFields(fields: EntityFields, termIndex: TermIndex, words: number): Float64Array {
  const counts = new Float64Array(words)
  const count = (term: string, fieldWeight: number) => {
    for (const { word, weight } of termIndex.words.get(term) ?? []) {
      counts[word] = Math.max(counts[word]!, weight * fieldWeight)
    }
  }
  for (const field of ['name', 'nameWholes', 'aliases', 'type', 'metadata'] as const) {
    for (const term of fields[field].flat()) count(term, fieldWeights[field])
  }
  for (const written of fields.written.values()) count(written, fieldWeights.name)
  return counts
}

/** The text parts of a passage's score, which add up. */
export type TextParts = { words: number; name: number; neighbours: number; pairs: number }

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

/** The periods that tell when a passage was true, and how surely. */
export type Dates = { told: readonly TimeSpan[]; weight: number }

/**
 * What names no period is dated by the next that does, as a heading is by its paragraphs; but a title, which only repeats
 * the name of the entity, tells nothing. `passages` are those of the entity, in order.
 */
export function datesOf(passages: readonly CountedPassage[], place: number, name: readonly string[]): Dates {
  const { passage } = passages[place]!
  const own = passage.times()
  if (own.length > 0) return { told: own, weight: 1 }
  if (passage.terms.split(' ').every((term) => name.includes(term))) return undated
  for (let next = place + 1; next < passages.length; next += 1) {
    const following = passages[next]!
    if (following.passage.position - passage.position > weights.neighboursMax) break
    const told = following.passage.times()
    if (told.length > 0) return { told, weight: stepWeight(following, passage) }
  }
  return undated
}

const undated: Dates = { told: [], weight: 0 }
