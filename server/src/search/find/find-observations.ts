import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { analyse } from '../analyse/analyser.ts'
import { toAskedWords } from '../analyse/asked-words.ts'
import { asksInFirstPerson } from '../analyse/first-person.ts'
import { type EntityFields, wholeMark } from '../analyse/passages.ts'
import type { TimeSpan } from '../analyse/times/spans.ts'
import { readAnswerKind, readQuestion, subjectOf, termsOfKind } from '../ask/question.ts'
import { readOnlyTime, readTimeSpans } from '../ask/question-times.ts'
import { countWordsOf, type Passage } from '../match/count-words.ts'
import { type NameMatch, findSubjects } from '../match/subjects.ts'
import { ownPassagesMax, pickCandidates } from '../match/pick-candidates.ts'
import { readTypesInUse } from '../match/types-in-use.ts'
import { matchVocabulary } from '../match/vocabulary-match.ts'
import { alikeIn, askMeaning, findByMeaning, type Meaning } from '../meaning/find-by-meaning.ts'
import { createPassageBook } from '../match/passage-reader.ts'
import { rankByWording } from '../rank/rank-by-wording.ts'
import { mergePassages, rankWithGraph, rankWithNeighbours } from '../rank/rank-with-neighbours.ts'
import { rerank } from '../rank/rerank.ts'
import { isFiltered } from '../store/search.repo.ts'
import { findIndexedSpace } from '../store/search-index.repo.ts'
import { findByTime } from './find-by-time.ts'
import { findListed, keepListed } from './find-listed.ts'
import { findOwnEntities, yieldToAnswers } from './find-own-entities.ts'
import { findRelations } from './find-relations.ts'
import { emptyFindings, type Findings, type Inquiry } from './findings.ts'

const candidatesMin = 100
/** Filters discard candidates, so more are taken. */
const candidatesFiltered = 2_000
const alikeMax = 200

/** Ranks the observations of a space for a query. */
export async function findObservationsFor(ctx: Context, scope: Scope, inquiry: Inquiry): Promise<Findings> {
  const now = ctx.now()
  const findings = await findByWords(ctx, scope, inquiry, now)
  const spans = inquiry.typing ? undefined : readOnlyTime(inquiry.query, now)
  const space = spans === undefined ? undefined : await findIndexedSpace(ctx.db, scope)
  if (spans === undefined || space === undefined || findings.names.some(isAllAsked)) return findings
  const stored = await findByTime(ctx, space, spans, inquiry)
  const seen = new Set(stored.ranked.map(({ passage }) => passage.observationId))
  // The other words of the question are not search words, but dates in texts, names and metadata count as matches.
  const dates = datesIn(inquiry.query)
  const datedNames = findings.names.filter(({ fields }) => isDated(fields, dates))
  const datedEntities = new Set(datedNames.map(({ id }) => id))
  const dated = findings.ranked.filter(
    ({ passage }) =>
      !seen.has(passage.observationId) && (datedEntities.has(passage.entityId) || hasDateOf(passage, dates)),
  )
  return {
    ...findings,
    ranked: [...stored.ranked, ...dated],
    names: datedNames.map((name) => ({ ...name, score: Math.max(name.score, datedScore) })),
    relations: stored.relations,
    created: stored.created,
    listed: undefined,
    labels: new Map([...findings.labels, ...stored.labels]),
    times: spans,
    unknown: [],
    guessed: new Map(),
    isBare: false,
  }
}

/** The question is just an entity's name, such as "News" or "Today". */
const isAllAsked = ({ isNamed, score }: NameMatch) => isNamed && score >= 0.9

const datedScore = 0.5
const year = /^(?:19|20)\d\d$/

/** The terms of the dates that a question names, or else of its years. */
function datesIn(query: string): string[] {
  const { tokens, wholes } = analyse(query)
  const dates = wholes.filter(({ asked }) => asked !== undefined)
  if (dates.length > 0) return dates.flatMap(({ asked = [] }) => asked)
  return tokens.map(({ term }) => term).filter((term) => year.test(term))
}

const hasDateOf = ({ terms }: Passage, dates: readonly string[]) =>
  dates.some((date) => ` ${terms} `.includes(` ${year.test(date) ? '' : wholeMark}${date} `))

const isDated = ({ name, nameWholes, metadata }: EntityFields, dates: readonly string[]) =>
  [...name, ...nameWholes, ...metadata].some((term) => dates.includes(term))

/** Ranks the observations that match the words of a question. */
async function findByWords(ctx: Context, scope: Scope, inquiry: Inquiry, now: number): Promise<Findings> {
  const question = readQuestion(subjectOf(inquiry.query), inquiry)
  const vector = inquiry.byMeaning && !question.isBare ? askMeaning(ctx, inquiry.query) : undefined
  const space = await findIndexedSpace(ctx.db, scope)
  if (space === undefined || question.words.length === 0) return emptyFindings
  const reading = readTypesInUse(ctx, space)
  const relationTerms = async () => new Set([...(await reading).relations.values()].flat())
  const [types, matched] = await Promise.all([reading, matchVocabulary(ctx, space, question, relationTerms)])
  const { words } = matched
  await nextTurn()
  const user = question.isBare ? [] : await findOwnEntities(ctx, space, inquiry)
  const subjects = await findSubjects(ctx, space, question, matched, user)
  const wanted = Math.max(candidatesMin, Math.ceil(inquiry.limit * 1.5))
  const ids = await pickCandidates(
    ctx,
    space,
    matched,
    subjects,
    isFiltered(inquiry) ? candidatesFiltered : wanted,
  )
  const named = new Map(
    subjects.names
      .filter(({ id, isNamed }) => isNamed || subjects.askedAbout.has(id))
      .map(({ id, fields }) => [id, fields.name]),
  )
  const kind = readAnswerKind(inquiry.query)
  const terms = new Set(words.flatMap((word) => [...word.terms.keys()]))
  const asked = toAskedWords([...terms, ...[...named.values()].flat(), ...(kind ? termsOfKind(kind) : [])])
  const book = createPassageBook(ctx, space, inquiry, asked)
  const found = await book.find(ids, wanted + ownPassagesMax)
  const meaning = await findByMeaning(
    ctx,
    space,
    await vector,
    isFiltered(inquiry) ? candidatesFiltered : alikeMax,
  )
  const passages = mergePassages(found, await book.find(alikeIn(meaning)))
  const basis = { words, statistics: space, counter: countWordsOf(words) }
  const names = yieldToAnswers(user, subjects, basis, passages)
  const input = {
    ...basis,
    book,
    asked,
    fields: new Map(names.map(({ id, fields }) => [id, fields])),
    named,
    askedAbout: subjects.askedAbout,
    subjects: new Map(subjects.names.map(({ id, score }) => [id, score])),
    times: timesOf(inquiry, now, passages),
    kind,
    meaning: weigh(meaning, ctx.embeddings.current?.weight ?? 0),
  }
  let ranking = await rankWithNeighbours(input, passages)
  if (inquiry.expand) ranking = await rankWithGraph(ctx, space, input, ranking)
  const isFirstPerson = asksInFirstPerson(inquiry.query)
  const rerankInput = { words, statistics: space, passages: ranking.passages, isFirstPerson }
  ranking.ranked = rerank(ranking.ranked, rerankInput, input.counter)
  const hits = ranking.ranked.slice(0, inquiry.limit).map(({ passage }) => passage.entityId)
  const relations = await findRelations(ctx, space, types.relations, { question, words, names, hits })
  const listed = await findListed(ctx, space, question, types.entities)
  const ranked = await rankByWording(ctx, space, question, ranking.ranked)
  return {
    ranked: listed === undefined ? ranked : keepListed(ranked, listed, book.labels),
    around: book.around,
    observation: book.observation,
    names,
    relations,
    created: [],
    listed,
    times: input.times,
    unknown: listed === undefined ? matched.unknown : [],
    guessed: listed === undefined ? matched.guessed : new Map(),
    labels: book.labels,
    terms,
    isBare: question.isBare,
  }
}

/** "Last week" is relative to now, or to the newest passage found, since a memory may not have been used for long. */
function timesOf({ query, before }: Inquiry, now: number, passages: readonly Passage[]): TimeSpan[] {
  const spans = readTimeSpans(query, before ?? now)
  if (spans.length === 0 || passages.length === 0) return spans
  const newest = passages.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0)
  return [...spans, ...readTimeSpans(query, Math.min(newest, now))]
}

const weigh = (meaning: Meaning, weight: number) =>
  new Map([...meaning].map(([passage, likeness]) => [passage, likeness * weight]))
