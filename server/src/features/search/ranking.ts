import type { EntityFields } from '../../search-index/passages.ts'
import { type AnswerKind, tellsKind } from './answer-kind.ts'
import {
  type CountedPassage,
  countWordsOf,
  type Passage,
  type QueryWord,
  type WordCounter,
} from './count-words.ts'
import { fitsTime, type TimeSpan } from './time-expressions.ts'

export type RankingInput = {
  words: readonly QueryWord[]
  statistics: { passages: number; length: number }
  /** What was found, with the neighbours that could be had. */
  passages: readonly Passage[]
  /** What the passages' entities are found by besides their observations. */
  fields: ReadonlyMap<string, EntityFields>
  /** Names, as terms, that stand in the question, by entity. */
  named: ReadonlyMap<string, readonly string[]>
  /** Those of the named entities that have facts of their own, which the question is about. */
  askedAbout?: ReadonlySet<string>
  /** How much of the question an entity's name, type and metadata are, 0 to 1. */
  subjects?: ReadonlyMap<string, number>
  times: readonly TimeSpan[]
  /** What is asked for. */
  kind?: AnswerKind | undefined
  /** How near an entity is in the graph to what was found first, 0 to 1. */
  nearness?: ReadonlyMap<string, number>
  /** The passages found first, from which nearness was measured. */
  origins?: ReadonlySet<number>
  /** What being alike in meaning counts, by passage, beside a text score of at most 1. */
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
  asked: number
  subject: number
  time: number
  kind: number
  /** Below zero. */
  question: number
  /** Below zero. */
  pieces: number
  /** Corrects the others (`rerank.ts`). */
  learned: number
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
  asked: 0,
  subject: 0,
  time: 0,
  kind: 0,
  question: 0,
  pieces: 0,
  learned: 0,
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
  /** A word in a field of the passage's entity, beside 1 for a word in the passage. */
  name: 0.5,
  /** Two words of the question close together in a passage (`count-words.ts`), of the rarer one's weight. */
  pair: 0.8,
  /** The part of the score that hangs on how much of the question the passage has. */
  coverage: 0.2,
  entity: 0.4,
  /** The passage's entity, or the subject that its text opens with, is named in the question. */
  named: 0.2,
  /** The passage is about an entity that is named in the question and has facts of its own: those come first. */
  asked: 1,
  /** The passage's entity is what the question is about, by the square of how much of the question it is. */
  subject: 0.8,
  /** Taken off for each doubling of the passages of an observation, which has as many tries; three times at most. */
  pieces: 0.05,
  doublingsMax: 3,
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
}
const longSpanMs = 32 * 86_400_000

/** BM25's weight of a word by how rare it is (Robertson and Zaragoza 2009, never below zero). */
export function inverseFrequency(count: number, total: number): number {
  return Math.log(1 + (Math.max(0, total - count) + 0.5) / (count + 0.5))
}

/** Observations, best first. The counter may be kept between rankings for the same words. */
export function rankObservations(
  input: RankingInput,
  counter: WordCounter = countWordsOf(input.words),
): RankedObservation[] {
  const idf = input.words.map((word) => inverseFrequency(word.count, input.statistics.passages))
  const averageLength = input.statistics.length / Math.max(1, input.statistics.passages) || 1
  const entities = groupByEntity(input, counter, idf)
  const scored = entities.flatMap(({ passages, fields }) =>
    passages.map((_, place) => scoreText(passages, place, fields, idf, averageLength)),
  )
  const textMax = scored.reduce((max, text) => Math.max(max, sumOfText(text)), Number.MIN_VALUE)
  const entityMax = entities.reduce((max, { score }) => Math.max(max, score), Number.MIN_VALUE)
  const isAboutNamed = toNamedTest(input.named)
  const asked = [...input.named].filter(([id]) => input.askedAbout?.has(id))
  const isAsked = toNamedTest(new Map(asked))
  const best = new Map<string, RankedObservation>()
  let next = 0
  for (const { passages, score: entityScore } of entities) {
    const entity = (weights.entity * entityScore) / entityMax
    for (const counted of passages) {
      const ranked = toRanked(input, counted, scored[next]!, textMax, entity, { isAboutNamed, isAsked })
      next += 1
      const { observationId } = counted.passage
      if (ranked.score > (best.get(observationId)?.score ?? 0)) best.set(observationId, ranked)
    }
  }
  return [...best.values()].sort((a, b) => b.score - a.score || b.passage.id - a.passage.id)
}

type ScoredEntity = {
  /** In order of their places. */
  passages: CountedPassage[]
  fields: Float64Array
  score: number
}

function groupByEntity(
  { passages, fields }: RankingInput,
  counter: WordCounter,
  idf: readonly number[],
): ScoredEntity[] {
  const groups = new Map<string, CountedPassage[]>()
  for (const passage of passages) {
    const group = groups.get(passage.entityId)
    if (group === undefined) groups.set(passage.entityId, [counter.inPassage(passage)])
    else group.push(counter.inPassage(passage))
  }
  return [...groups].map(([entityId, group]) => {
    if (group.length > 1) group.sort((a, b) => a.passage.position - b.passage.position)
    const inFields = counter.inFields(entityId, fields.get(entityId))
    return { passages: group, fields: inFields, score: scoreEntity(group, inFields, idf) }
  })
}

function toRanked(
  { times, kind, meaning, nearness, origins, subjects }: RankingInput,
  { passage, asks }: CountedPassage,
  text: TextParts,
  textMax: number,
  entity: number,
  { isAboutNamed, isAsked }: Record<'isAboutNamed' | 'isAsked', (passage: Passage) => boolean>,
): RankedObservation {
  const parts: ScoreParts = {
    words: text.words / textMax,
    name: text.name / textMax,
    neighbours: text.neighbours / textMax,
    pairs: text.pairs / textMax,
    entity,
    graph: weights.graph * (origins?.has(passage.id) ? 1 : (nearness?.get(passage.entityId) ?? 0)),
    meaning: meaning?.get(passage.id) ?? 0,
    named: 0,
    asked: 0,
    subject: weights.subject * (subjects?.get(passage.entityId) ?? 0) ** 2,
    time: 0,
    kind: 0,
    question: 0,
    pieces: 0,
    learned: 0,
  }
  const told = sumOfText(text) / textMax + parts.entity + parts.meaning
  if (isAboutNamed(passage)) parts.named = told * weights.named
  parts.time = (told + parts.named) * timeBonus(times, passage.createdAt)
  if (isAsked(passage)) parts.asked = weights.asked
  if (kind !== undefined && tellsKind(kind, passage.terms)) parts.kind = told * weights.kind
  if (asks && passage.length <= weights.questionLengthMax) parts.question = -told * weights.question
  const score = sumOf(parts, told)
  parts.pieces = -score * weights.pieces * Math.min(weights.doublingsMax, Math.log2(passage.pieces))
  return { passage, score: score + parts.pieces, parts }
}

const sumOf = ({ graph, subject, named, asked, time, kind, question }: ScoreParts, told: number) =>
  told + graph + subject + named + asked + time + kind + question

type TextParts = Pick<ScoreParts, 'words' | 'name' | 'neighbours' | 'pairs'>

const sumOfText = ({ words, name, neighbours, pairs }: TextParts) => words + name + neighbours + pairs

/**
 * BM25 over weighted fields (BM25F, Robertson, Zaragoza and Taylor 2004): the passage itself, the fields of its
 * entity, and the passages told before and after it. A word that the passage has gains little from its neighbours, one that it
 * lacks gains more; that is what sums of scores get wrong.
 */
function scoreText(
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

/** What each passage near one counts beside it, in order; itself nothing. */
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
    // A long observation is no context of itself: it has as many tries as passages already.
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

/** How much of the question an entity has in all that was found of it and in its fields. */
function scoreEntity(
  passages: readonly CountedPassage[],
  fields: Float64Array,
  idf: readonly number[],
): number {
  const saturation = 1.2
  let score = 0
  for (let word = 0; word < idf.length; word += 1) {
    let total = fields[word]!
    for (const { frequencies } of passages) total += frequencies[word]!
    score += (idf[word]! * total) / (total + saturation)
  }
  return score
}

/** Tells passages of an entity that is named, or opening with its name as its subject ("Ada: ...", "Ada wrote ..."). */
function toNamedTest(named: RankingInput['named']): (passage: Passage) => boolean {
  if (named.size === 0) return () => false
  const openings = [...named.values()].filter((name) => name.length > 0).map((name) => name.join(' '))
  const opensWith = (terms: string, name: string) =>
    terms.startsWith(name) && (terms.length === name.length || terms[name.length] === ' ')
  return ({ entityId, terms }) => named.has(entityId) || openings.some((name) => opensWith(terms, name))
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
