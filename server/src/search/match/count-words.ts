import { type EntityFields, firstPersonMark, questionMark, unaskedMark } from '../analyse/passages.ts'
import type { TimeSpan } from '../analyse/times/spans.ts'

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

/** A word of the question: each of its terms matches it with a weight. `count` is its number of passages. */
export type QueryWord = {
  /** The term of the word as asked. */
  own: string
  terms: ReadonlyMap<string, number>
  count: number
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
