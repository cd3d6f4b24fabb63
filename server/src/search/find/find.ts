import { compareIds } from '../../ground/lib/ids.ts'
import type { StoredEntity } from '../../rows/codec.ts'
import { countOfTypes } from '../../rows/counters.repo.ts'
import { listEntityRows } from '../../rows/entities.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { analyse } from '../analyse/analyser.ts'
import { type EntityFields, wholeMark } from '../analyse/passages.ts'
import { type Inquiry, readQuestion } from '../ask/question.ts'
import { readOnlyTime } from '../ask/question-times.ts'
import { writeOut } from '../ask/written-times.ts'
import { type Candidates, gatherCandidates } from '../match/candidates.ts'
import type { Passage } from '../match/count-words.ts'
import type { NameMatch } from '../match/subjects.ts'
import { rank, rankByWording } from '../rank/rank.ts'
import type { RankedObservation } from '../rank/ranking.ts'
import { findIndexedSpace } from '../store/search-index.repo.ts'
import { findBareQuery } from './find-bare-query.ts'
import { findByExactName } from './find-by-exact-name.ts'
import { findByTime } from './find-by-time.ts'
import { findRelations } from './find-relations.ts'
import type { Listed } from './findings.ts'
import { emptyFindings, type Findings } from './findings.ts'

/** What a space has to say to a query: by the index, or if that finds nothing, by the texts themselves. */
export async function find(ctx: Context, scope: Scope, inquiry: Inquiry): Promise<Findings> {
  const findings = await findInIndex(ctx, scope, inquiry)
  const isFound = findings.isBare
    ? findings.names.some(({ isNamed }) => isNamed)
    : findings.ranked.length > 0 || findings.names.some(({ score }) => score > 0)
  const isAnswered = findings.created.length + findings.times.length > 0
  if (isFound || isAnswered || inquiry.query.trim() === '') return findings
  const named = await findByExactName(ctx, scope, inquiry)
  if (named !== undefined) return { ...findings, ...named }
  // Function words, symbols and parts of words.
  const bare = await findBareQuery(ctx, scope, inquiry)
  return bare.ranked.length === 0 ? findings : { ...findings, ...bare }
}

/** A question about a time alone is answered by what was stored then. */
async function findInIndex(ctx: Context, scope: Scope, inquiry: Inquiry): Promise<Findings> {
  const now = ctx.now()
  const findings = await findByWords(ctx, scope, inquiry, now)
  const spans = inquiry.typing ? undefined : readOnlyTime(inquiry.query, now)
  const space = spans === undefined ? undefined : await findIndexedSpace(ctx.db, scope)
  if (spans === undefined || space === undefined || findings.names.some(isAllAsked)) return findings
  const stored = await findByTime(ctx, space, spans, inquiry)
  const seen = new Set(stored.ranked.map(({ passage }) => passage.observationId))
  // The other words of the question are not search words, but dates in texts, names and metadata count as matches.
  const written = [inquiry.query, ...writeOut(spans)]
  const found = await findByWords(ctx, scope, { ...inquiry, query: written.join(' ') }, now)
  const dates = written.flatMap(datesIn)
  const datedNames = found.names.filter(({ fields }) => isDated(fields, dates))
  const datedEntities = new Set(datedNames.map(({ id }) => id))
  const dated = found.ranked.filter(
    ({ passage }) =>
      !seen.has(passage.observationId) && (datedEntities.has(passage.entityId) || hasDateOf(passage, dates)),
  )
  return {
    ...found,
    ranked: [...stored.ranked, ...dated],
    names: datedNames.map((name) => ({ ...name, score: Math.max(name.score, datedScore) })),
    relations: stored.relations,
    created: stored.created,
    listed: undefined,
    labels: new Map([...found.labels, ...stored.labels]),
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

/** Ranks what matches the words of a question. */
async function findByWords(ctx: Context, scope: Scope, inquiry: Inquiry, now: number): Promise<Findings> {
  const candidates = await gatherCandidates(ctx, scope, readQuestion(inquiry, now), now)
  if (candidates === undefined) return emptyFindings
  const answer = await rank(ctx, candidates)
  const { question, space, names, times, terms, guessed, unknown, reader } = answer
  const relations = await findRelations(ctx, answer)
  const listed = await findListed(ctx, answer)
  const ranked = await rankByWording(ctx, answer)
  return {
    ranked: listed === undefined ? ranked : keepListed(ranked, listed, reader.labels),
    ...{ names, relations, listed, times, terms },
    created: [],
    unknown: listed === undefined ? unknown : [],
    guessed: listed === undefined ? guessed : new Map(),
    labels: reader.labels,
    around: reader.around,
    observation: reader.observation,
    memory: space.memory,
    isBare: question.isBare,
  }
}

const listedMax = 200
/** Stems of words that can accompany the type, as in "what kinds of projects exist at the moment?". */
const besides = new Set(
  (
    'list exist current store record save kind sort type mani differ total everi entiti name so far moment now make take ' +
    'know rememb note learn'
  ).split(' '),
)
/** Stems of other words that people use for a type. */
const otherWords = new Map(['peopl', 'folk', 'everyon'].map((word) => [word, 'person']))

/** Undefined unless the question only asks for the entities of some types ("list the decisions", "projects?"). */
async function findListed(
  { db }: Context,
  { question, space, types: { entities: types } }: Candidates,
): Promise<Listed | undefined> {
  if (question.isBare) return undefined
  const asked = new Set(
    question.words.filter(({ term }) => !besides.has(term)).map(({ term }) => otherWords.get(term) ?? term),
  )
  if (asked.size === 0) return undefined
  const wanted = [...types].filter(([, terms]) => isAsked(terms, asked)).map(([type]) => type)
  const covered = new Set(wanted.flatMap((type) => types.get(type) ?? []))
  if (wanted.length === 0 || ![...asked].every((term) => covered.has(term))) return undefined
  const pages: StoredEntity[] = []
  for (const type of wanted) {
    pages.push(...(await listEntityRows(db, space, { type, cursor: undefined, limit: listedMax })))
  }
  const newest = pages
    .sort((a, b) =>
      a.createdAt === b.createdAt ? compareIds(b.id, a.id) : a.createdAt < b.createdAt ? 1 : -1,
    )
    .slice(0, listedMax)
  return { types: wanted, entities: newest, total: await countOfTypes(db, space, 'entity', wanted) }
}

/**
 * Keeps observations of the listed types, and others whose text or name contains a word of the question. Those found
 * only through the graph or a neighbour do not belong in a list.
 */
function keepListed<T extends RankedObservation>(
  ranked: readonly T[],
  { types }: Listed,
  labels: Findings['labels'],
): T[] {
  const wanted = new Set<string | undefined>(types)
  return ranked.filter(
    ({ passage, parts }) => parts.words + parts.name > 0 || wanted.has(labels.get(passage.entityId)?.type),
  )
}

const isAsked = (terms: readonly string[], asked: ReadonlySet<string>) =>
  terms.length > 0 && terms.every((term) => asked.has(term))
