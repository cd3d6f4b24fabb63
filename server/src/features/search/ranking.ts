import { questionMark } from '../../search-index/passages.ts'
import { type AnswerKind, tellsKind } from './answer-kind.ts'
import { fitsTime, type TimeSpan } from './time-expressions.ts'

/** A passage as the index keeps it. */
export type Passage = {
  id: number
  observationId: string
  entityId: string
  /** Place among the passages of the entity, in order of insertion. */
  position: number
  createdAt: number
  length: number
  /** With spaces between; those that stand for a whole identifier start with `+`. */
  terms: string
}

/** One word of the question: any of its terms counts as the word, by its weight. `count` is in how many passages it is. */
export type QueryWord = {
  terms: ReadonlyMap<string, number>
  count: number
}

export type RankingInput = {
  words: readonly QueryWord[]
  statistics: { passages: number; length: number }
  /** What was found, with the neighbours that could be had. */
  passages: readonly Passage[]
  /** Terms of the names of the passages' entities. */
  names: ReadonlyMap<string, readonly string[]>
  /** Names, as terms, that stand in the question, by entity. */
  named: ReadonlyMap<string, readonly string[]>
  times: readonly TimeSpan[]
  /** What is asked for. */
  kind?: AnswerKind | undefined
  /** How near an entity is in the graph to what was found first, 0 to 1. */
  nearness?: ReadonlyMap<string, number>
  /** The passages found first, from which nearness was measured. */
  origins?: ReadonlySet<number>
  /** How alike passages are to the question in meaning, 0 to 1. */
  meaning?: ReadonlyMap<number, number>
}

/** The parts add up to the score. */
export type ScoreParts = {
  words: number
  name: number
  neighbours: number
  pairs: number
  entity: number
  graph: number
  meaning: number
  named: number
  time: number
  kind: number
  /** Below zero. */
  question: number
}

export const noParts: ScoreParts = {
  words: 0,
  name: 0,
  neighbours: 0,
  pairs: 0,
  entity: 0,
  graph: 0,
  meaning: 0,
  named: 0,
  time: 0,
  kind: 0,
  question: 0,
}

/** An observation with the passage of it that fits best. */
export type RankedObservation = { passage: Passage; score: number; parts: ScoreParts }

/** Each weight has its reason in docs/decisions/020-search.md. */
export const weights = {
  /** BM25 saturation and length normalisation, as is usual for short passages. */
  k1: 0.9,
  b: 0.4,
  /** Each step away from a passage counts this part of the one before, three steps far. */
  neighbour: 0.4,
  /** The same after a question, which what follows it is likely to answer. */
  answer: 0.6,
  neighboursMax: 3,
  /** A neighbour counts less the longer ago it was told, falling to 1/e in six hours. */
  neighbourFadeMs: 6 * 3_600_000,
  /** A word in the name of the passage's entity, beside 1 for a word in the passage. */
  name: 0.5,
  /** Two words of the question close together in a passage, of the rarer one's weight. */
  pair: 0.8,
  pairDistance: 4,
  /** The part of the score that hangs on how much of the question the passage has. */
  coverage: 0.2,
  entity: 0.4,
  /** The passage's entity, or the subject that its text opens with, is named in the question. */
  named: 0.2,
  /** Told in the month, week or day that the question names; in the season or year. */
  shortTime: 0.5,
  /** The passage holds a date or a number, and that is asked for. */
  kind: 0.2,
  /** Taken off a passage that does nothing but ask, up to ten words: it is no answer. Longer ones tell something too. */
  question: 0.2,
  questionLengthMax: 10,
  longTime: 0.25,
  /** What the graph reaches best from the first hits, beside a text score of at most 1. */
  graph: 0.8,
  /** The passage most like the question by its vector, beside a text score of at most 1. */
  meaning: 0.6,
}
const longSpanMs = 32 * 86_400_000

/** BM25's weight of a word by how rare it is (Robertson and Zaragoza 2009, never below zero). */
export function inverseFrequency(count: number, total: number): number {
  return Math.log(1 + (Math.max(0, total - count) + 0.5) / (count + 0.5))
}

type Counted = { passage: Passage; frequencies: Float64Array; pairs: Uint8Array; asks: boolean }

/** What was counted in passages, to be kept between rankings for the same words. */
export type Counts = Map<number, Counted>

/** Observations, best first. */
export function rankObservations(input: RankingInput, counts: Counts = new Map()): RankedObservation[] {
  const idf = input.words.map((word) => inverseFrequency(word.count, input.statistics.passages))
  const averageLength = input.statistics.length / Math.max(1, input.statistics.passages) || 1
  const termIndex = indexTerms(input.words)
  const counted = input.passages.map((passage) => {
    const known = counts.get(passage.id) ?? countWords(passage, termIndex, idf.length)
    counts.set(passage.id, known)
    return known
  })
  const places = new Map<string, Map<number, Counted>>()
  for (const entry of counted) {
    const ofEntity = places.get(entry.passage.entityId)
    if (ofEntity === undefined) places.set(entry.passage.entityId, new Map([[entry.passage.position, entry]]))
    else ofEntity.set(entry.passage.position, entry)
  }
  const names = new Map(
    [...input.names].map(([entityId, name]) => [entityId, countName(name, termIndex, idf.length)]),
  )
  const noName = new Float64Array(idf.length)
  const texts = counted.map((entry) =>
    scoreText(entry, places, names.get(entry.passage.entityId) ?? noName, idf, averageLength),
  )
  const entities = scoreEntities(counted, names, idf)
  const textMax = texts.reduce((max, text) => Math.max(max, sumOfText(text)), Number.MIN_VALUE)
  const entityMax = Math.max(Number.MIN_VALUE, ...entities.values())
  const openings = [...input.named.values()]
    .filter((name) => name.length > 0)
    .map((name) => `${name.join(' ')} `)
  const best = new Map<string, RankedObservation>()
  counted.forEach(({ passage }, i) => {
    const text = texts[i]!
    const parts: ScoreParts = {
      ...noParts,
      words: text.words / textMax,
      name: text.name / textMax,
      neighbours: text.neighbours / textMax,
      pairs: text.pairs / textMax,
      entity: (weights.entity * (entities.get(passage.entityId) ?? 0)) / entityMax,
      graph: weights.graph * nearnessOf(passage, input),
      meaning: weights.meaning * (input.meaning?.get(passage.id) ?? 0),
    }
    const plain = sumOfText(text) / textMax + parts.entity + parts.graph + parts.meaning
    if (isAboutNamed(passage, input.named, openings)) parts.named = plain * weights.named
    parts.time = (plain + parts.named) * timeBonus(input.times, passage.createdAt)
    if (input.kind !== undefined && tellsKind(input.kind, passage.terms)) parts.kind = plain * weights.kind
    if (counted[i]!.asks && passage.length <= weights.questionLengthMax)
      parts.question = -plain * weights.question
    const score = plain + parts.named + parts.time + parts.kind + parts.question
    if (score > (best.get(passage.observationId)?.score ?? 0)) {
      best.set(passage.observationId, { passage, score, parts })
    }
  })
  return [...best.values()].sort((a, b) => b.score - a.score || b.passage.id - a.passage.id)
}

function nearnessOf(passage: Passage, { nearness, origins }: RankingInput): number {
  return origins?.has(passage.id) ? 1 : (nearness?.get(passage.entityId) ?? 0)
}

type TextParts = Pick<ScoreParts, 'words' | 'name' | 'neighbours' | 'pairs'>

const sumOfText = ({ words, name, neighbours, pairs }: TextParts) => words + name + neighbours + pairs

type TermIndex = {
  words: Map<string, { word: number; weight: number }[]>
  /** 1 at the shape of each term: most terms of a passage need not be looked up. */
  shapes: Uint8Array
}

const shapesMax = 128 * 64

/** Of the first letter and the length. */
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
  return { words: index, shapes }
}

const plusSign = 43

function countWords(passage: Passage, termIndex: TermIndex, words: number): Counted {
  const frequencies = new Float64Array(words)
  const pairs = new Uint8Array(words)
  const lastPlace = new Int32Array(words).fill(-1_000)
  const { terms } = passage
  let place = 0
  for (let start = 0; start < terms.length; ) {
    const space = terms.indexOf(' ', start)
    const end = space < 0 ? terms.length : space
    const isWhole = end - start > 1 && terms.charCodeAt(start) === plusSign
    const from = isWhole ? start + 1 : start
    if (termIndex.shapes[shapeOf(terms.charCodeAt(from), end - from)] === 1) {
      for (const { word, weight } of termIndex.words.get(terms.slice(from, end)) ?? []) {
        frequencies[word]! += weight
        if (isWhole) continue
        lastPlace[word] = place
        if (word > 0 && place - lastPlace[word - 1]! <= weights.pairDistance) pairs[word] = 1
        if (word + 1 < words && place - lastPlace[word + 1]! <= weights.pairDistance) pairs[word + 1] = 1
      }
    }
    if (!isWhole) place += 1
    start = end + 1
  }
  return { passage, frequencies, pairs, asks: terms === questionMark || terms.endsWith(` ${questionMark}`) }
}

/**
 * BM25 over weighted fields (BM25F, Robertson, Zaragoza and Taylor 2004): the passage itself, the name of its entity,
 * and the passages told before and after it. A word that the passage has gains little from its neighbours, one that it
 * lacks gains more; that is what sums of scores get wrong.
 */
function scoreText(
  { passage, frequencies, pairs }: Counted,
  places: ReadonlyMap<string, ReadonlyMap<number, Counted>>,
  name: Float64Array,
  idf: readonly number[],
  averageLength: number,
): TextParts {
  const { k1 } = weights
  const lengthNorm = ({ length }: Passage) => 1 - weights.b + (weights.b * length) / averageLength
  const saturate = (tf: number) => (tf * (k1 + 1)) / (tf + k1)
  const ownNorm = lengthNorm(passage)
  const neighbours: { part: number; frequencies: Float64Array }[] = []
  const ofEntity = places.get(passage.entityId)
  for (let step = -weights.neighboursMax; step <= weights.neighboursMax; step += 1) {
    const neighbour = step === 0 ? undefined : ofEntity?.get(passage.position + step)
    if (neighbour === undefined) continue
    const part = stepWeight(step, neighbour, passage) / lengthNorm(neighbour.passage)
    neighbours.push({ part, frequencies: neighbour.frequencies })
  }
  const parts = { words: 0, name: 0, neighbours: 0, pairs: 0 }
  let covered = 0
  let total = 0
  for (let word = 0; word < idf.length; word += 1) {
    const weight = idf[word]!
    const own = frequencies[word]! / ownNorm
    const named = own + weights.name * name[word]!
    let all = named
    for (const neighbour of neighbours) all += neighbour.part * neighbour.frequencies[word]!
    total += weight
    if (own > 0) covered += weight
    if (all === 0) continue
    const [ownScore, namedScore] = [saturate(own), saturate(named)]
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

function stepWeight(step: number, neighbour: Counted, passage: Passage): number {
  const base = step < 0 && neighbour.asks ? weights.answer : weights.neighbour
  const apartMs = Math.abs(neighbour.passage.createdAt - passage.createdAt)
  return base ** Math.abs(step) * Math.exp(-apartMs / weights.neighbourFadeMs)
}

/** How much of the question an entity has in all that was found of it and in its name. */
function scoreEntities(
  counted: readonly Counted[],
  names: ReadonlyMap<string, Float64Array>,
  idf: readonly number[],
): Map<string, number> {
  const totals = new Map<string, Float64Array>()
  for (const { passage, frequencies } of counted) {
    let total = totals.get(passage.entityId)
    if (total === undefined) {
      total = names.get(passage.entityId)?.slice() ?? new Float64Array(idf.length)
      totals.set(passage.entityId, total)
    }
    for (let word = 0; word < total.length; word += 1) total[word]! += frequencies[word]!
  }
  const saturation = 1.2
  const scores = new Map<string, number>()
  for (const [entityId, total] of totals) {
    const score = idf.reduce(
      (sum, weight, word) => sum + (weight * total[word]!) / (total[word]! + saturation),
      0,
    )
    scores.set(entityId, score)
  }
  return scores
}

function countName(name: readonly string[], termIndex: TermIndex, words: number): Float64Array {
  const counts = new Float64Array(words)
  for (const term of name)
    for (const { word, weight } of termIndex.words.get(term) ?? []) counts[word]! += weight
  return counts
}

/** Of an entity that is named, or opening with its name as its subject ("Ada: ...", "Ada wrote ..."). */
function isAboutNamed(
  { entityId, terms }: Passage,
  named: RankingInput['named'],
  openings: readonly string[],
) {
  return (
    named.has(entityId) || openings.some((opening) => terms.startsWith(opening) || `${terms} ` === opening)
  )
}

function timeBonus(times: readonly TimeSpan[], moment: number): number {
  if (times.length === 0) return 0
  const isShort = ({ from, to }: TimeSpan) => to - from < longSpanMs
  return Math.max(
    weights.shortTime * fitsTime(times.filter(isShort), moment),
    weights.longTime *
      fitsTime(
        times.filter((span) => !isShort(span)),
        moment,
      ),
  )
}
