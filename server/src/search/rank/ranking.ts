import { isEnglishStem } from '../analyse/dictionary.ts'
import { type EntityFields, noFields } from '../analyse/passages.ts'
import { meet } from '../analyse/times/fact-times.ts'
import type { TimeSpan } from '../analyse/times/time-span.ts'
import type { Question } from '../ask/question.ts'
import { fitsTime } from '../ask/question-times.ts'
import {
  type CountedPassage,
  countWordsOf,
  type Dates,
  datesOf,
  type Passage,
  type QueryWord,
  scoreText,
  sumOfText,
  type TextParts,
  type WordCounter,
} from '../match/count-words.ts'
import { inverseFrequency, weightOfWord, weights } from '../match/weights.ts'
import type { Meaning } from '../meaning/find-by-meaning.ts'

export type RankingInput = {
  words: readonly QueryWord[]
  question?: Pick<Question, 'mayBeEnglish'>
  /** The words that nothing stored contains. */
  unknown?: readonly string[]
  /** No word of the question is unknown or was guessed. */
  hasAllWords?: boolean
  /** The statistics of the index. */
  space: { passages: number; length: number }
  /** The passages found, with available neighbours. */
  passages: readonly Passage[]
  /** The indexed fields of the passages' entities. */
  fields: ReadonlyMap<number, EntityFields>
  /** Names, as terms, that occur in the question, by entity. */
  named: ReadonlyMap<number, readonly string[]>
  /** The named entities that have facts, which the question is about. */
  askedAbout?: ReadonlySet<number>
  /** How much of the question an entity's name, type and metadata cover, 0 to 1. */
  subjects?: ReadonlyMap<number, number>
  times: readonly TimeSpan[]
  /** How close an entity is in the graph to the first results, 0 to 1. */
  nearness?: ReadonlyMap<number, number>
  meaning?: Meaning
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

/** An observation with its best-matching passage. */
export type RankedObservation = { passage: Passage; score: number; parts: ScoreParts }

const longSpanMs = 32 * 86_400_000

/**
 * Observations, best first. The counter can be reused between rankings for the same words. With `limit`, only that many, and
 * without the parts of their scores.
 */
export function rankObservations(
  input: RankingInput,
  counter: WordCounter = countWordsOf(input.words),
  limit = Number.POSITIVE_INFINITY,
): RankedObservation[] {
  const idf = input.words.map((word) => weightOfWord(word, input.space.passages))
  const averageLength = input.space.length / Math.max(1, input.space.passages) || 1
  const entities = groupByEntity(input, counter, idf)
  const idfOf = toOwnWeights(input, idf)
  const scored = entities.flatMap(({ passages, fields }) => {
    const own = idfOf(passages)
    return passages.map((_, place) => scoreText(passages, place, fields, own, averageLength))
  })
  const asked = weighAll(input, idf)
  const textMax = scored.reduce((max, text) => Math.max(max, sumOfText(text)), weights.fullTextMin * asked)
  const entityMax = entities.reduce((max, { score }) => Math.max(max, score), weights.fullEntityMin * asked)
  const pinned = findPinning(input)
  const known = idf.map((weight, word) => (input.words[word]!.terms.size > 0 ? weight : 0))
  const tests = { ...toNamedTests(input), pinned, known }
  const isWhole = limit === Number.POSITIVE_INFINITY
  const best = new Map<number, RankedObservation>()
  const parts = { ...noParts }
  let next = 0
  const isShort = averageLength <= weights.shortLengthMax
  for (const { passages, fields, score: entityScore } of entities) {
    const standsAlone = isShort && !isConversation(passages) && !passages.some(({ asks }) => asks)
    const ofEntity = standsAlone ? weights.entityOfShort : weights.entity
    parts.entity = (ofEntity * entityScore) / entityMax
    const { name } = input.fields.get(passages[0]!.passage.entityId) ?? noFields
    for (let place = 0; place < passages.length; place += 1) {
      const counted = passages[place]!
      const { passage } = counted
      const time = timeBonus(input.times, passage, () => datesOf(passages, place, name))
      const text = scored[next]!
      if (standsAlone) text.neighbours *= weights.neighboursOfShort
      const score = scoreInto(parts, input, { counted, fields, time }, text, textMax, tests)
      next += 1
      if (score > (best.get(passage.observationId)?.score ?? 0))
        best.set(passage.observationId, { passage, score, parts: isWhole ? { ...parts } : noParts })
    }
  }
  const ranked = [...best.values()].sort(
    (a, b) => b.score - a.score || b.passage.observationId - a.passage.observationId,
  )
  return isWhole ? ranked : ranked.slice(0, limit)
}

/** So many facts in the first person may stand among others. */
const toldAlone = 1

/** Whether an entity is told in the first person: a single "me" among facts makes no conversation. */
export function isConversation(passages: readonly CountedPassage[]): boolean {
  const told = passages.reduce((sum, { isFirstPerson }) => sum + Number(isFirstPerson), 0)
  return told > toldAlone || 2 * told >= passages.length
}

/** What a passage with all words of the question would score for them, and those unknown. */
function weighAll({ unknown = [], space }: RankingInput, idf: readonly number[]): number {
  const known = idf.reduce((sum, weight) => sum + weight, 0)
  return known + unknown.length * inverseFrequency(0, space.passages) || Number.MIN_VALUE
}

/** What the words of a question weigh among the facts of one entity: its name says little about which fact is meant. */
function toOwnWeights({ askedAbout, fields, words }: RankingInput, idf: readonly number[]) {
  const ownOf = new Map<number, readonly number[]>()
  for (const id of askedAbout ?? []) {
    const names = new Set(namesIn(fields.get(id)))
    const isName = words.map(({ terms }) => [...terms.keys()].some((term) => names.has(term)))
    ownOf.set(
      id,
      idf.map((weight, word) => (isName[word] ? weight * weights.ownName : weight)),
    )
  }
  return (passages: readonly CountedPassage[]) =>
    passages.length < weights.ownFactsMin ? idf : (ownOf.get(passages[0]!.passage.entityId) ?? idf)
}

type ScoredEntity = {
  /** In order of position. */
  passages: CountedPassage[]
  fields: Float64Array
  score: number
}

function groupByEntity(
  { passages, fields }: RankingInput,
  counter: WordCounter,
  idf: readonly number[],
): ScoredEntity[] {
  const groups = new Map<number, CountedPassage[]>()
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

/** The score of a passage, and its parts in `parts`, of which `entity` is given. */
function scoreInto(
  parts: ScoreParts,
  input: RankingInput,
  { counted, fields, time }: { counted: CountedPassage; fields: Float64Array; time: number },
  text: TextParts,
  textMax: number,
  { isAboutNamed, isAsked, ...asked }: NamedTests & AskedWeights,
): number {
  const { nearness, subjects } = input
  const { passage, asks } = counted
  parts.words = text.words / textMax
  parts.name = text.name / textMax
  parts.neighbours = text.neighbours / textMax
  parts.pairs = text.pairs / textMax
  parts.graph = weights.graph * (nearness?.get(passage.entityId) ?? 0)
  parts.meaning = scoreMeaning(input, counted, fields, asked)
  parts.subject = weights.subject * (subjects?.get(passage.entityId) ?? 0) ** 2
  const told = sumOfText(text) / textMax + parts.entity + parts.meaning
  parts.named = isAboutNamed(passage) ? told * weights.named : 0
  parts.time = (told + parts.named) * time
  parts.asked = isAsked(counted) ? weights.asked : 0
  parts.question = asks && passage.length <= weights.questionLengthMax ? -told * weights.question : 0
  const score = sumOf(parts, told)
  parts.pieces = -score * weights.pieces * Math.min(weights.doublingsMax, Math.log2(passage.pieces))
  return score + parts.pieces
}

/** What the words of the question weigh, 0 if nothing stored has one, and the places of those that pin it down. */
type AskedWeights = { known: readonly number[]; pinned: readonly number[] }

/**
 * The places of the words that say which passage is asked for: a name or another word that is no English one, and that
 * one passage has. The name of an entity that the question is about says no more than that.
 */
export function findPinning({
  words,
  question,
  askedAbout,
  fields,
}: Pick<RankingInput, 'words' | 'question' | 'askedAbout' | 'fields'>): number[] {
  const mayBeEnglish = question?.mayBeEnglish !== false
  const names = new Set([...(askedAbout ?? [])].flatMap((id) => namesIn(fields.get(id))))
  return words.flatMap(({ own, count, isName, terms }, place) => {
    const isOfOne = count === 1 && (isName === true || (mayBeEnglish && !isEnglishStem(own)))
    return isOfOne && ![...terms.keys()].some((term) => names.has(term)) ? [place] : []
  })
}

/**
 * Meaning orders the facts of the entities asked about, or else all. One with all words is as alike as the best, and one
 * with all that pin the question down as alike as any can be, so that none overturns it.
 */
function scoreMeaning(
  { meaning, askedAbout, hasAllWords }: Pick<RankingInput, 'meaning' | 'askedAbout' | 'hasAllWords'>,
  { passage, frequencies }: CountedPassage,
  fields: Float64Array,
  { known, pinned }: AskedWeights,
): number {
  if (meaning === undefined) return 0
  const { ofExact, isBuiltIn } = meaning
  const scores = (askedAbout?.size ? meaning.ownScores : undefined) ?? meaning.scores
  if (isBuiltIn && askedAbout?.size && !askedAbout.has(passage.entityId)) return 0
  const likeness = scores.get(passage.id) ?? 0
  const score = isBuiltIn && likeness > 0 ? likeness * factorOfUnsaid(frequencies, fields, known) : likeness
  if (pinned.length > 0 && pinned.every((word) => frequencies[word]! > 0))
    return Math.max(score, ofExact * (1 + weights.unsaid))
  if (score >= ofExact) return score
  const isExact = hasAllWords && frequencies.every((frequency, word) => frequency + fields[word]! > 0)
  return isExact ? ofExact : score
}

/** What neither a passage nor its entity's fields tell in words is left to meaning. */
function factorOfUnsaid(frequencies: Float64Array, fields: Float64Array, known: readonly number[]): number {
  let [said, asked] = [0, 0]
  for (let word = 0; word < known.length; word += 1) {
    asked += known[word]!
    if (frequencies[word]! + fields[word]! > 0) said += known[word]!
  }
  return 1 + weights.unsaid * Math.max(0, 1 - said / (weights.saidMax * asked || 1))
}

const sumOf = ({ graph, subject, named, asked, time, question }: ScoreParts, told: number) =>
  told + graph + subject + named + asked + time + question

/** How much of the question an entity covers, in all its passages found and its fields. */
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

/** A fact is dated by what is told, and by when it was stored. */
function timeBonus(times: readonly TimeSpan[], { createdAt }: Passage, tell: () => Dates): number {
  if (times.length === 0) return 0
  const isShort = ({ from, to }: TimeSpan) => to - from < longSpanMs
  const [short, long] = [times.filter(isShort), times.filter((span) => !isShort(span))]
  const { told, weight } = tell()
  return Math.max(
    weights.toldTime * weight * meet(times, told),
    weights.shortTime * fitsTime(short, createdAt),
    weights.longTime * fitsTime(long, createdAt),
  )
}

type NamedTests = {
  /** Whether a passage is of a named entity, or begins with its name ("Ada: ...", "Ada wrote ..."). */
  isAboutNamed: (passage: Passage) => boolean
  /** The same for the entities that the question is about, if such a beginning also has another word of the question. */
  isAsked: (counted: CountedPassage) => boolean
}

function toNamedTests({
  named,
  askedAbout = new Set(),
  fields,
  words,
}: Pick<RankingInput, 'named' | 'askedAbout' | 'fields' | 'words'>): NamedTests {
  const asked = [...named].filter(([id]) => askedAbout.has(id)).map(([, name]) => name)
  const nameTerms = new Set([...askedAbout].flatMap((id) => namesIn(fields.get(id))))
  const others = words.flatMap(({ terms }, i) => ([...terms.keys()].some((t) => nameTerms.has(t)) ? [] : [i]))
  const opensWithNamed = toOpeningTest([...named.values()])
  const opensWithAsked = toOpeningTest(asked)
  return {
    isAboutNamed: (passage) => named.has(passage.entityId) || opensWithNamed(passage),
    isAsked: ({ passage, frequencies }) =>
      askedAbout.has(passage.entityId) ||
      (others.some((word) => frequencies[word]! > 0) && opensWithAsked(passage)),
  }
}

const namesIn = ({ name, nameWholes, aliases, written } = noFields) => [
  ...name,
  ...nameWholes,
  ...aliases.flat(),
  ...written.values(),
]

function toOpeningTest(names: readonly (readonly string[])[]): (passage: Passage) => boolean {
  const openings = names.filter((name) => name.length > 0).map((name) => name.join(' '))
  const opensWith = (terms: string, name: string) =>
    terms.startsWith(name) && (terms.length === name.length || terms[name.length] === ' ')
  return ({ terms }) => openings.some((name) => opensWith(terms, name))
}
