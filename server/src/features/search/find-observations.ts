import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Relation } from '@loci/contract/relations'
import type { Scope } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { alikeIn, askMeaning, findByMeaning } from '../../embeddings/find-by-meaning.ts'
import { asksInFirstPerson } from '../../search-index/first-person.ts'
import { type EntityFields, noFields } from '../../search-index/passages.ts'
import { pickHeaviest, readOn } from '../../search-index/posting-lists.ts'
import { findIndexedSpace, type IndexedSpace } from '../../search-index/search-index.repo.ts'
import { readAnswerKind } from './answer-kind.ts'
import { subjectOf } from './asking.ts'
import type { Passage, QueryWord } from './count-words.ts'
import { countWordsOf, type WordCounter } from './count-words.ts'
import { expandOverGraph, seedHits } from './expand-over-graph.ts'
import { findByTime } from './find-by-time.ts'
import { findConnection } from './find-connection.ts'
import { findListed, type Listed } from './find-listed.ts'
import { type NameMatch, termsOf } from './find-names.ts'
import { findRelations, type RankedRelation } from './find-relations.ts'
import { findSubjects, type Subjects } from './find-subjects.ts'
import { readOnlyTime } from './only-time.ts'
import { type Question, readQuestion } from './question.ts'
import { rankByWording } from './rank-by-wording.ts'
import {
  inverseFrequency,
  type RankedObservation,
  type RankingInput,
  rankObservations,
  weights,
} from './ranking.ts'
import { type RerankedObservation, rerank } from './rerank.ts'
import {
  type EntityLabel,
  findEntityLabels,
  findPassages,
  findPassagesAt,
  isFiltered,
  type PassageFilter,
  type PassageRange,
} from './search.repo.ts'
import { readTimeSpans, type TimeSpan } from './time-expressions.ts'
import { readTypesInUse } from './types-in-use.ts'
import { type MatchedWords, matchVocabulary } from './vocabulary-match.ts'

/** What is asked of the index. */
export type Inquiry = PassageFilter & {
  query: string
  /** How many results are wanted. */
  limit: number
  expand: boolean
  /** The last word may be incomplete. */
  typing: boolean
  /** Also what is alike in meaning, where there is an embedder. */
  byMeaning: boolean
}

export type Findings = {
  ranked: RerankedObservation[]
  names: NameMatch[]
  relations: RankedRelation[]
  /** Where the question only asks what there is of some types. */
  listed: Listed | undefined
  /** Stretches of time that the question names. */
  times: TimeSpan[]
  /** Words of the question for which nothing was found. */
  unknown: readonly string[]
  /** What was taken in place of words that nothing stored has. */
  guessed: ReadonlyMap<string, readonly string[]>
  /** Of the entities of what was ranked. */
  labels: ReadonlyMap<string, EntityLabel>
  /** All passages that were ranked. */
  passages: readonly Passage[]
  /** Ids of passages whose neighbours, up to `weights.neighboursMax` away, are among these, if there are any. */
  surrounded: ReadonlySet<number>
  /** The terms by which the query was matched. */
  terms: Set<string>
  /** True when there was nothing to look up: function words or signs only. */
  isBare: boolean
}

const candidatesMin = 200
/** Filters throw candidates away, so more are taken. */
const candidatesFiltered = 2_000
/** Passages read of frequent words, beyond the newest of each: what bounds a query's time in a space of any size. */
const readOnMax = 6_000
const seedsMax = 24
const openingPassages = 5
const alikeMax = 200

/** Ranks the observations of a space for a query. */
export async function findObservationsFor(ctx: Context, scope: Scope, inquiry: Inquiry): Promise<Findings> {
  const findings = await findByWords(ctx, scope, inquiry)
  const spans = inquiry.typing ? undefined : readOnlyTime(inquiry.query, ctx.now())
  const space = spans === undefined ? undefined : await findIndexedSpace(ctx.db, scope)
  if (spans === undefined || space === undefined) return findings
  const stored = await findByTime(ctx, space, spans, inquiry)
  if (stored.ranked.length === 0) return findings
  const isNew = ({ passage }: RankedObservation) =>
    stored.ranked.every((other) => other.passage.observationId !== passage.observationId)
  const ids = new Set(stored.relations.map(({ relation }) => relation.id))
  return {
    ...findings,
    ranked: [...stored.ranked, ...findings.ranked.filter(isNew)],
    relations: [...stored.relations, ...findings.relations.filter(({ relation }) => !ids.has(relation.id))],
    passages: merge(stored.passages, findings.passages),
    labels: new Map([...findings.labels, ...stored.labels.map((label) => [label.id, label] as const)]),
    times: spans,
    unknown: [],
    guessed: new Map(),
    isBare: false,
  }
}

/** Ranks what the words of a question find. */
async function findByWords(ctx: Context, scope: Scope, inquiry: Inquiry): Promise<Findings> {
  const question = readQuestion(subjectOf(inquiry.query), inquiry)
  const vector = inquiry.byMeaning && !question.isBare ? askMeaning(ctx, inquiry.query) : undefined
  const space = await findIndexedSpace(ctx.db, scope)
  if (space === undefined || question.words.length === 0) return emptyFindings
  const types = await readTypesInUse(ctx, space)
  const matched = await matchVocabulary(ctx, space, question, new Set([...types.relations.values()].flat()))
  const { words } = matched
  await nextTurn()
  const subjects = await findSubjects(ctx, space, question, matched)
  const { names } = subjects
  const wanted = Math.max(candidatesMin, Math.ceil(inquiry.limit * 1.5))
  const ids = await pickCandidates(
    ctx,
    space,
    matched,
    subjects,
    isFiltered(inquiry) ? candidatesFiltered : wanted,
  )
  const found = await findPassages(ctx.db, ctx.dialect, space, ids, inquiry)
  const meaning = await findByMeaning(
    ctx,
    space,
    await vector,
    isFiltered(inquiry) ? candidatesFiltered : alikeMax,
  )
  const alike = await findPassages(ctx.db, ctx.dialect, space, alikeIn(meaning), inquiry)
  const passages = merge(inOrder(found.passages, ids).slice(0, wanted), alike.passages)
  const input = {
    words,
    statistics: space,
    counter: countWordsOf(words),
    labels: new Map([...found.labels, ...alike.labels]),
    fields: new Map(names.map(({ id, fields }) => [id, fields])),
    named: new Map(names.filter((name) => name.isNamed).map(({ id, fields }) => [id, fields.name])),
    askedAbout: subjects.askedAbout,
    subjects: new Map(names.map(({ id, score }) => [id, score])),
    times: timesOf(inquiry, ctx.now(), passages),
    kind: readAnswerKind(inquiry.query),
    meaning,
  }
  let ranking = await rankWithNeighbours(ctx, space, input, passages, inquiry)
  if (inquiry.expand) {
    const nearness = await expandOverGraph(ctx, space, ranking.ranked, [...input.named.keys()])
    const near = [...nearness].sort((a, b) => b[1] - a[1]).slice(0, seedsMax)
    const nearRanges = near.map(([entityId]) => ({ entityId, from: 0, to: openingPassages - 1 }))
    const reached = await findPassagesAt(ctx.db, ctx.dialect, space, nearRanges, inquiry)
    const all = merge(ranking.passages, reached)
    const origins = new Set(ranking.ranked.slice(0, seedHits).map(({ passage }) => passage.id))
    ranking = await rankWithNeighbours(ctx, space, { ...input, nearness, origins }, all, inquiry)
  }
  const isFirstPerson = asksInFirstPerson(inquiry.query)
  const rerankInput = { words, statistics: space, passages: ranking.passages, isFirstPerson }
  ranking.ranked = rerank(ranking.ranked, rerankInput, input.counter)
  const terms = new Set(words.flatMap((word) => [...word.terms.keys()]))
  const hitEntityIds = [
    ...new Set(ranking.ranked.slice(0, inquiry.limit).map(({ passage }) => passage.entityId)),
  ]
  const connection = await findConnection(ctx, space, question, names)
  const relations = await findRelations(
    ctx,
    space,
    types.relations,
    withVerbs(words, question),
    names,
    hitEntityIds,
  )
  const listed = await findListed(ctx, space, question, types.entities)
  return {
    ...ranking,
    ranked: await rankByWording(ctx, space, question, ranking.ranked),
    names,
    relations: withConnection(connection, relations),
    listed,
    times: input.times,
    unknown: listed === undefined ? matched.unknown : [],
    guessed: listed === undefined ? matched.guessed : new Map(),
    labels: input.labels,
    terms,
    isBare: question.isBare,
  }
}

/** What connects the entities that were asked about is the answer. */
function withConnection(connection: readonly Relation[], relations: RankedRelation[]): RankedRelation[] {
  const ids = new Set(connection.map(({ id }) => id))
  const first = connection.map((relation) => ({ relation, score: 1, isOfAskedType: true }))
  return [...first, ...relations.filter(({ relation }) => !ids.has(relation.id))]
}

/** The one function word by which relations are asked for: "What does Ada own?" */
const ownership: QueryWord = { own: 'own', terms: new Map([['own', 1]]), count: 0 }
const withVerbs = (words: readonly QueryWord[], { terms }: Question) =>
  terms.has(ownership.own) ? [...words, ownership] : words

/** "Last week" is meant from now, or from the newest that was found: a memory may have been at rest for long. */
function timesOf({ query, before }: Inquiry, now: number, passages: readonly Passage[]): TimeSpan[] {
  const spans = readTimeSpans(query, before ?? now)
  if (spans.length === 0) return []
  const newest = passages.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0)
  return [...spans, ...readTimeSpans(query, Math.min(newest, now))]
}

const emptyFindings: Findings = {
  ranked: [],
  names: [],
  relations: [],
  listed: undefined,
  times: [],
  unknown: [],
  guessed: new Map(),
  labels: new Map(),
  passages: [],
  surrounded: new Set(),
  terms: new Set(),
  isBare: true,
}

/** The passages in which the words of a question weigh most, their own and those of their subjects, best first. */
async function pickCandidates(
  ctx: Context,
  space: IndexedSpace,
  { words, lists }: MatchedWords,
  subjects: Subjects,
  limit: number,
): Promise<number[]> {
  const asked = words.flatMap(({ terms, count }) =>
    [...terms].map(([term, weight]) => ({ term, weight: weight * inverseFrequency(count, space.passages) })),
  )
  const terms = asked.map(({ term }) => term)
  await readOn(ctx, space, lists, terms, readOnMax)
  const weighted = asked
    .flatMap(({ term, weight }) => {
      const list = lists.get(term)
      return list === undefined ? [] : [{ ...list, weight }]
    })
    .sort((a, b) => a.count - b.count)
  return pickHeaviest([...weighted, ...subjects.lists], limit)
}

function inOrder(passages: Passage[], ids: readonly number[]): Passage[] {
  const rankOf = new Map(ids.map((id, rank) => [id, rank]))
  return passages.sort((a, b) => rankOf.get(a.id)! - rankOf.get(b.id)!)
}

type Unranked = Omit<RankingInput, 'passages'> & {
  counter: WordCounter
  labels: Map<string, EntityLabel>
  fields: Map<string, EntityFields>
}

/** Ranks twice: what comes first alone is ranked again with its neighbours, which may be the better answers. */
async function rankWithNeighbours(
  ctx: Context,
  space: IndexedSpace,
  input: Unranked,
  passages: readonly Passage[],
  filter: PassageFilter,
): Promise<Pick<Findings, 'ranked' | 'passages' | 'surrounded'>> {
  const unlabelled = new Set(
    passages.map((passage) => passage.entityId).filter((id) => !input.labels.has(id)),
  )
  for (const label of await findEntityLabels(ctx.db, ctx.dialect, space, [...unlabelled])) {
    input.labels.set(label.id, label)
  }
  for (const { id, name, type } of input.labels.values()) {
    if (!input.fields.has(id)) input.fields.set(id, { ...noFields, name: termsOf(name), type: termsOf(type) })
  }
  // SQLite answers at once: without this nothing else would have its turn until the search is through.
  await nextTurn()
  const first = rankObservations({ ...input, passages }, input.counter).slice(0, seedsMax)
  const ranges = first.map(({ passage }) => ({
    entityId: passage.entityId,
    from: passage.position - weights.neighboursMax,
    to: passage.position + weights.neighboursMax,
  }))
  const neighbours = await findPassagesAt(ctx.db, ctx.dialect, space, joinRanges(ranges), filter)
  const all = merge(passages, neighbours)
  await nextTurn()
  return {
    ranked: rankObservations({ ...input, passages: all }, input.counter),
    passages: all,
    surrounded: new Set(isFiltered(filter) ? [] : first.map(({ passage }) => passage.id)),
  }
}

function joinRanges(ranges: readonly PassageRange[]): PassageRange[] {
  const joined: PassageRange[] = []
  const sorted = [...ranges].sort((a, b) =>
    a.entityId < b.entityId ? -1 : a.entityId > b.entityId ? 1 : a.from - b.from,
  )
  for (const range of sorted) {
    const last = joined.at(-1)
    if (last?.entityId === range.entityId && range.from <= last.to + 1) last.to = Math.max(last.to, range.to)
    else joined.push({ ...range })
  }
  return joined
}

function merge(...some: readonly (readonly Passage[])[]): Passage[] {
  return [...new Map(some.flat().map((passage) => [passage.id, passage])).values()]
}
