import { createPace } from '../../ground/lib/pace.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { type AskedWords, toAskedWords } from '../analyse/asked-words.ts'
import type { EntityFields } from '../analyse/passages.ts'
import type { TimeSpan } from '../analyse/times/time-span.ts'
import type { Question } from '../ask/question.ts'
import { readTimeSpans } from '../ask/question-times.ts'
import { findAlike } from '../meaning/find-alike.ts'
import { askMeaning, findByMeaning, type Meaning } from '../meaning/find-by-meaning.ts'
import { listPassing } from '../store/passing.repo.ts'
import { pickHeaviest, readOn, type WeightedList } from '../store/posting-lists.ts'
import { findSearchedSpace } from '../store/read-space.ts'
import { listTypesInUse } from '../store/relation-candidates.repo.ts'
import { isFiltered } from '../store/search.repo.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'
import { countWordsOf, type Passage, type QueryWord, type WordCounter } from './count-words.ts'
import { createPassageReader, type PassageReader } from './passage-reader.ts'
import { findSubjects, type NameMatch, type Subjects, termsOf } from './subjects.ts'
import { type MatchedWords, matchVocabulary } from './vocabulary-match.ts'
import { weightOfWord } from './weights.ts'

/** What was found for a question, ready to be ranked. */
export type Candidates = {
  question: Question
  /** The space with the statistics of its index. */
  space: IndexedSpace
  types: TypesInUse
  words: readonly QueryWord[]
  counter: WordCounter
  /** What unknown words were taken for, and those for which nothing was found. */
  guessed: MatchedWords['guessed']
  unknown: MatchedWords['unknown']
  /** All terms by which the question was matched. */
  terms: Set<string>
  /** The entities that the question may be about, best first. */
  names: readonly NameMatch[]
  /** Those that it names, with their names as terms. */
  named: ReadonlyMap<number, readonly string[]>
  /** Those among them that have facts. */
  askedAbout: ReadonlySet<number>
  /** How much of the question each entity covers, 0 to 1. */
  subjects: ReadonlyMap<number, number>
  /** The indexed fields of entities. */
  fields: Map<number, EntityFields>
  passages: readonly Passage[]
  reader: PassageReader
  /** The words of which the reader finds all occurrences. */
  asked: AskedWords
  times: readonly TimeSpan[]
  meaning: Meaning
  /** No word of the question is unknown or was guessed. */
  hasAllWords: boolean
  /** SQLite is synchronous: without this, nothing else would run until a long search is done. */
  pace: () => Promise<void> | undefined
}

const candidatesMin = 100
/** A filter can discard most candidates: then more are read, until enough pass it. */
const candidatesFiltered = 10_000
const alikeMax = 200
const alikeFiltered = 2_000

/** The passages and entities that may answer a question; undefined if there is nothing to look up. */
export async function gatherCandidates(
  ctx: Context,
  scope: Scope,
  question: Question,
  now: number,
): Promise<Candidates | undefined> {
  const pace = createPace()
  const isSlow = ctx.embeddings.current?.embedder.isSlow === true
  const asking = isSlow ? undefined : askVector(ctx, question)
  const space = await findSearchedSpace(ctx, scope)
  if (space === undefined || question.words.length === 0) return undefined
  const reading = readTypesInUse(ctx, space)
  const relationTerms = async () => new Set([...(await reading).relations.values()].flat())
  const [types, matched] = await Promise.all([reading, matchVocabulary(ctx, space, question, relationTerms)])
  const { words, guessed, unknown } = matched
  await pace()
  const subjects = await findSubjects(ctx, space, question, matched, types.relations)
  const wanted = Math.max(candidatesMin, Math.ceil(question.limit * 1.5))
  const [wantedMax, alike] = isFiltered(question) ? [candidatesFiltered, alikeFiltered] : [wanted, alikeMax]
  const ids = await pickPassages(ctx, space, matched, subjects, wantedMax)
  const named = namesOf(subjects)
  const terms = new Set(words.flatMap((word) => [...word.terms.keys()]))
  const asked = toAskedWords([...terms, ...[...named.values()].flat()])
  const reader = createPassageReader(ctx, space, question, asked)
  const best = await reader.find(ids, wanted + ownPassagesMax)
  const counter = countWordsOf(words)
  const hasUnread = isFiltered(question) && best.length < wanted && isAnyCut(matched)
  const found = hasUnread
    ? mergePassages(best, await findPassing(ctx, space, question, reader, counter))
    : best
  // Without some of the question's words, having all the others does not make a passage exact.
  const hasAllWords = unknown.length + guessed.size === 0
  const isExact = (passage: Passage) => counter.inPassage(passage).frequencies.every((count) => count > 0)
  const isAnswered = isSlow && hasAllWords && found.some(isExact)
  const meaning =
    ctx.embeddings.current === undefined || isAnswered
      ? await findAlike(ctx, space, question, {
          limit: alike,
          isFound: found.length > 0,
          ownOf: subjects.askedAbout,
        })
      : await findByMeaning(ctx, space, await (asking ?? askVector(ctx, question)), alike)
  const passages = mergePassages(found, await reader.find(meaning.alike))
  const isElsewhere = (meaning.lead ?? 0) > leadMin
  const names = yieldToAnswers(subjects, words, space, counter, passages, isElsewhere)
  return {
    ...{ question, space, types, words, counter, guessed, unknown, terms, names, named },
    askedAbout: subjects.askedAbout,
    subjects: new Map(subjects.names.map(({ id, score }) => [id, score])),
    fields: new Map(names.map(({ id, fields }) => [id, fields])),
    ...{ passages, reader, asked },
    times: askedTimesOf(question, now, passages),
    hasAllWords,
    meaning,
    pace,
  }
}

const askVector = ({ embeddings: { current } }: Context, { byMeaning, isBare, query }: Question) =>
  current !== undefined && byMeaning && !isBare ? askMeaning(current, query) : undefined

/** The names, as terms, of the entities that a question names. */
function namesOf({ names, askedAbout }: Subjects): Map<number, readonly string[]> {
  const named = names.filter(({ id, isNamed }) => isNamed || askedAbout.has(id))
  return new Map(named.map(({ id, fields }) => [id, fields.name]))
}

/** Whether the index has more passages of a word than were read. */
const isAnyCut = ({ lists }: MatchedWords) => [...lists.values()].some(({ isCut }) => isCut)

/** Facts that may pass a filter in which words are looked for that thousands of newer facts have. */
const passingMax = 2_000

/** The passages of facts that pass the filter and have a word of the question, however many newer facts have it. */
async function findPassing(
  { db }: Context,
  space: IndexedSpace,
  question: Question,
  reader: PassageReader,
  counter: WordCounter,
): Promise<Passage[]> {
  const passages = await reader.find(await listPassing(db, space, question, passingMax))
  return passages.filter((passage) => counter.inPassage(passage).frequencies.some((count) => count > 0))
}

/** Passages of frequent words that are read beyond the newest of each. Bounds query time for spaces of any size. */
const readOnMax = 6_000
/** Passages of entities named in full that are always candidates, in addition to the others. */
const ownPassagesMax = 50

/**
 * The passages with the highest weight of the question's words, their own or their subject's, best first; before them
 * those of the entities named in full, or else other passages that mention such an entity could leave out its own.
 */
export async function pickPassages(
  ctx: Context,
  space: IndexedSpace,
  { words, lists }: MatchedWords,
  subjects: Pick<Subjects, 'lists' | 'named'>,
  limit: number,
): Promise<number[]> {
  const asked = words.flatMap((word) =>
    [...word.terms].map(([term, weight]) => ({ term, weight: weight * weightOfWord(word, space.passages) })),
  )
  const terms = asked.map(({ term }) => term)
  await readOn(ctx, space, lists, terms, readOnMax)
  const weighted = asked
    .flatMap(({ term, weight }) => {
      const list = lists.get(term)
      return list === undefined ? [] : [{ ...list, weight }]
    })
    .sort((a, b) => a.count - b.count)
  const all = [...weighted, ...subjects.lists]
  const own = pickOwn(all, subjects.named)
  return [...new Set([...own, ...pickHeaviest(all, limit)])]
}

/** The passages of `named`, the heaviest if there are many. */
function pickOwn(lists: readonly WeightedList[], named: readonly Uint32Array[]): number[] {
  const own = new Set(named.flatMap((ids) => [...ids]))
  if (own.size <= ownPassagesMax) return [...own]
  const within = lists.map(({ ids, weight }) => ({ ids: ids.filter((id) => own.has(id)), weight }))
  return pickHeaviest(within, ownPassagesMax)
}

/** Types with their terms. */
export type TypeTerms = ReadonlyMap<string, readonly string[]>
type TypesInUse = { entities: TypeTerms; relations: TypeTerms }

const typesReadMax = 2_000

/** The types of a space's entities and relations in alphabetical order, up to a maximum. */
async function readTypesInUse({ db }: Context, space: IndexedSpace): Promise<TypesInUse> {
  const rows = await listTypesInUse(db, space, typesReadMax)
  const of = (wanted: string, toTerms: (type: string) => string[]) =>
    new Map(rows.filter(({ kind }) => kind === wanted).map(({ type }) => [type, toTerms(type)]))
  return { entities: of('entity', termsOf), relations: of('relation', familyOf) }
}

const doers = ['er', 'or']
const familyStemMin = 3

/** The terms of a relation's type, including the agent noun: "owner" matches "owns". */
function familyOf(type: string): string[] {
  const terms = termsOf(type)
  const long = terms.filter((term) => term.length >= familyStemMin)
  return [...new Set([...terms, ...long.flatMap((term) => doers.map((ending) => term + ending))])]
}

/** A passage of another entity that is so much more alike than all of the user's answers a question. */
const leadMin = 0.15
/** From this part of a question on, a passage answers it, whoever it is about. */
const answeredMin = 0.6
/** The score of the user as a subject of such a question. */
const answeredScore = 0.4

/**
 * The user's facts come first only where no other entity is asked about, no passage of another one means far more of
 * the question (`isElsewhere`: "What is my girl frightened of?"), and none has most of it ("Why did I choose
 * Postgres?"), alone or, if none of the user's does, with its entity ("How do I reach the bank?").
 */
function yieldToAnswers(
  { user, names, askedAbout }: Subjects,
  words: readonly QueryWord[],
  space: IndexedSpace,
  counter: WordCounter,
  passages: readonly Passage[],
  isElsewhere: boolean,
): NameMatch[] {
  if (user.length === 0) return names
  const ids = new Set(user.map(({ id }) => id))
  const idf = words.map((word) => weightOfWord(word, space.passages))
  const known = idf.map((weight, i) => (words[i]!.terms.size > 0 ? weight : 0))
  const covers = (passage: Passage, weights: readonly number[], ofEntity?: ReadonlySet<number>) => {
    const { frequencies } = counter.inPassage(passage)
    const told = weights.filter((_, word) => frequencies[word]! > 0 || ofEntity?.has(word))
    return sumOf(told) >= answeredMin * sumOf(weights)
  }
  const own = passages.filter(({ entityId }) => ids.has(entityId))
  const others = passages.filter(({ entityId }) => !ids.has(entityId))
  const wordsOf = new Map(names.map((name) => [name.id, name.words]))
  const isAnswered = () =>
    isElsewhere ||
    others.some((one) => covers(one, idf)) ||
    (known.some((weight) => weight > 0) &&
      others.some((one) => covers(one, known, wordsOf.get(one.entityId))) &&
      !own.some((one) => covers(one, known)))
  if (askedAbout.size === ids.size && !isAnswered()) return names
  for (const id of ids) askedAbout.delete(id)
  return names.map((name) => (ids.has(name.id) ? { ...name, score: answeredScore } : name))
}

const sumOf = (weights: readonly number[]) => weights.reduce((sum, weight) => sum + weight, 0)

/** "Last week" is relative to now, or to the newest passage found, since a memory may not have been used for long. */
export function askedTimesOf(
  { query, before }: Question,
  now: number,
  passages: readonly Passage[],
): TimeSpan[] {
  const spans = readTimeSpans(query, before ?? now)
  if (spans.length === 0 || passages.length === 0) return spans
  const newest = passages.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0)
  return [...spans, ...readTimeSpans(query, Math.min(newest, now))]
}

/** All passages, without duplicates. */
export function mergePassages(...some: readonly (readonly Passage[])[]): Passage[] {
  const byId = new Map<number, Passage>()
  for (const passages of some) for (const passage of passages) byId.set(passage.id, passage)
  return [...byId.values()]
}
