import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { alikeIn, askMeaning, findByMeaning, type Meaning } from '../../embeddings/find-by-meaning.ts'
import type { Scope } from '../../scope.ts'
import { toAskedWords } from '../../search-index/asked-words.ts'
import { asksInFirstPerson } from '../../search-index/first-person.ts'
import { findIndexedSpace } from '../../search-index/search-index.repo.ts'
import { readAnswerKind, termsOfKind } from './answer-kind.ts'
import { subjectOf } from './asking.ts'
import { countWordsOf, type Passage } from './count-words.ts'
import { findByTime } from './find-by-time.ts'
import { findListed, keepListed } from './find-listed.ts'
import type { NameMatch } from './find-names.ts'
import { findRelations } from './find-relations.ts'
import { findSubjects } from './find-subjects.ts'
import { emptyFindings, type Findings, type Inquiry } from './findings.ts'
import { readOnlyTime } from './only-time.ts'
import { createPassageBook } from './passage-book.ts'
import { pickCandidates } from './pick-candidates.ts'
import { readQuestion } from './question.ts'
import { rankByWording } from './rank-by-wording.ts'
import { mergePassages, rankWithGraph, rankWithNeighbours } from './rank-with-neighbours.ts'
import { rerank } from './rerank.ts'
import { isFiltered } from './search.repo.ts'
import { readTimeSpans, type TimeSpan } from './time-expressions.ts'
import { readTypesInUse } from './types-in-use.ts'
import { matchVocabulary } from './vocabulary-match.ts'

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
  // The other words of the question are not search words, but dates in texts count as matches.
  const dated = findings.ranked.filter(
    ({ passage }) => !seen.has(passage.observationId) && hasDateOf(passage, findings.terms),
  )
  return {
    ...findings,
    ranked: [...stored.ranked, ...dated],
    names: [],
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

const hasDateOf = ({ terms }: Passage, asked: ReadonlySet<string>) =>
  [...asked].some((term) => term.startsWith(':') && ` ${terms} `.includes(` +${term} `))

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
  const named = new Map(
    names
      .filter(({ id, isNamed }) => isNamed || subjects.askedAbout.has(id))
      .map(({ id, fields }) => [id, fields.name]),
  )
  const kind = readAnswerKind(inquiry.query)
  const terms = new Set(words.flatMap((word) => [...word.terms.keys()]))
  const asked = toAskedWords([...terms, ...[...named.values()].flat(), ...(kind ? termsOfKind(kind) : [])])
  const book = createPassageBook(ctx, space, inquiry, asked)
  const found = await book.find(ids, wanted)
  const meaning = await findByMeaning(
    ctx,
    space,
    await vector,
    isFiltered(inquiry) ? candidatesFiltered : alikeMax,
  )
  const passages = mergePassages(found, await book.find(alikeIn(meaning)))
  const input = {
    words,
    statistics: space,
    counter: countWordsOf(words),
    book,
    asked,
    fields: new Map(names.map(({ id, fields }) => [id, fields])),
    named,
    askedAbout: subjects.askedAbout,
    subjects: new Map(names.map(({ id, score }) => [id, score])),
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
