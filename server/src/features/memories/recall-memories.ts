import type {
  EntityHit,
  ObservationHit,
  RelationHit,
  SearchObservationsResponse,
} from '@loci/contract/search'
import { listTypeCounts } from '../../rows/counters.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { keepRecall, type ToldAnswer } from '../../tenancy/usage/keep-recall.ts'
import { askObservations } from '../search/search.service.ts'
import { countAnswering } from './count-answering.ts'
import { statesAskedAbout, withoutOthers } from './held-then.ts'
import { entityWithMetadata, relationInLine } from './in-line.ts'
import { favourNear } from './near-facts.ts'
import { toPast } from './past-graph.ts'
import { recallPast } from './past-recall.ts'
import { type Budget, costOf, takeWithinBudget } from './recall-budget.ts'
import { asksForDrafts, takeDrafts } from './recall-drafts.ts'
import { type RecalledEntity, takeListed, toEntity } from './recall-entities.ts'
import { findNewer, markLong, takeFacts, tellTimes } from './recall-facts.ts'
import { sentenceOfTypes, sentencesOfAnswer, sentencesOfReading } from './recall-notice.ts'
import { takeRules } from './recall-rules.ts'
import { findSaid, type RecalledTurn, takeTurns, turnsPart } from './recall-turns.ts'
import type { Recalled, RecalledRelation, RecallQuery } from './recalled.ts'
import { asksForSource, findReceipts } from './receipts.ts'
import { toTold } from './told-answer.ts'

export type RecallAnswer = { recalled: Recalled; notice: string | undefined; told: ToldAnswer }

/** Facts that are looked for where the caller sets no limit. */
const limitDefault = 50
/** An answer of nothing but the facts that answer, with what belongs to them; more for many facts. */
const shortTokens = 400
const tokensOfShort = 50
/** 44,000 characters, which is what agents' programs show of one answer. */
const tokensMax = 11_000
/** Reserved for the outer braces, keys and the notice about the answer. */
const tokensAround = 60
/** Relations with at least this score are taken before the facts. */
const answerMin = 0.3
/** A relation with at least this score is the answer, and is listed first. */
const answeredMin = 0.9
const answeringPart = 0.2
const nearPart = 0.08
const entitiesPart = 0.3
/** Facts per entity in a list. */
const factsOfListed = 2

/**
 * The best answer to a question that fits the budget: facts, the relations among and around them, and entities without
 * a fact in the answer. The notice says how the question was read and what was left out.
 */
export async function recallMemories(
  ctx: Context,
  actor: Actor,
  { maxTokens, isPreview = false, asOf, with: parts, ...query }: RecallQuery,
): Promise<RecallAnswer> {
  const asked = { question: query.query, maxTokens, startedAt: performance.now() }
  if (asOf !== undefined) {
    const budget: Budget = { left: Math.min(maxTokens, tokensMax) - 2 * tokensAround }
    const past = await toPast(ctx, actor, asOf)
    const { found, ...answer } = await recallPast(
      ctx,
      actor,
      { ...query, limit: query.limit ?? limitDefault, maxTokens, with: parts },
      { past, budget },
    )
    const told = toTold(asked, answer.recalled, found)
    if (!isPreview) keepRecall(ctx, actor, told)
    return { ...answer, told }
  }
  if (asksForDrafts(query))
    return toSaidAnswer(await takeDrafts(ctx, actor, query), asked, 'Nothing waits to be saved.')
  const turns = await findSaid(ctx, actor, query)
  if (query.conversations === 'only') {
    const said = takeTurns({ left: Math.min(maxTokens, tokensMax) - tokensAround }, turns)
    return toSaidAnswer(said, asked, 'Nothing was said about this; ask in other words.')
  }
  const { limit = limitDefault } = query
  const states = statesAskedAbout(query, ctx.now())
  const asking = { ...query, limit, states, explain: true }
  const { found: all, highlight, memory } = await askObservations(ctx, actor, asking, { isAbridged: true })
  const held = states === undefined ? all : withoutOthers(all, query, ctx.now())
  const isList = held.understood.listed !== undefined
  const inOrder = isList ? held.observations : await favourNear(ctx, actor, held.observations, query.about)
  const found = { ...held, observations: inOrder }
  const reading = sentencesOfReading(found.understood)
  const told = query.limit === undefined && !isList ? takeAnswering(found) : found.observations
  const isShort = told.length < found.observations.length
  const room = Math.min(maxTokens, isShort ? Math.max(shortTokens, told.length * tokensOfShort) : tokensMax)
  const budget: Budget = { left: room - tokensAround - costOf(reading) }
  const ofTurns: Budget = { left: turns.length === 0 ? 0 : Math.floor(budget.left * turnsPart) }
  budget.left -= ofTurns.left
  const { rules, isSure } = await takeRules(ctx, { ...actor, memory }, budget, query)
  const ruleIds = new Set(rules.map(({ id }) => id))
  const hits = told.filter(({ id }) => !ruleIds.has(id))
  const receipts = await findReceipts(
    ctx,
    actor,
    hits.map(({ id }) => id),
    asksForSource(parts),
  )
  const listed = isList ? takeListed(budget, found.entities, limit, entitiesPart) : []
  const answering = found.relations.filter(({ score }) => score >= answerMin)
  const relations = takeWithinBudget(budget, answering.map(toRelation), answeringPart, relationInLine)
  const marked = await markLong(budget, hits, highlight)
  const { facts, left } = takeFacts(budget, marked, {
    perEntityMax: isList ? factsOfListed : limit,
    isFirstForced: listed.length + rules.length === 0,
    ...receipts,
    newer: findNewer(hits),
  })
  tellTimes(facts, hits)
  const names = new Set(facts.map(({ entity }) => entity.name))
  const among = found.relations
    .filter(({ score, from, to }) => score < answerMin && names.has(from.name) && names.has(to.name))
    .map(toRelation)
  relations.push(...takeWithinBudget(budget, among, nearPart, relationInLine))
  const entities = isList
    ? listed
    : takeWithinBudget(budget, unseen(found.entities, names, relations), entitiesPart, entityWithMetadata)
  const ofFacts = facts.length === 0 ? {} : { observations: facts }
  if (facts.length + rules.length + relations.length + entities.length === 0) ofTurns.left += budget.left
  const said = takeTurns(ofTurns, turns)
  const answeredByRelation = (found.relations[0]?.score ?? 0) >= answeredMin
  const ofRules = rules.length === 0 ? {} : { rules }
  const areRulesFirst = isSure || rules.some(({ id }) => id === told[0]?.id)
  const recalled: Recalled = {
    ...(areRulesFirst ? ofRules : {}),
    ...(answeredByRelation ? {} : ofFacts),
    ...(relations.length === 0 ? {} : { relations }),
    ...(answeredByRelation ? ofFacts : {}),
    ...(entities.length === 0 ? {} : { entities }),
    ...(said.length === 0 ? {} : { said }),
    ...(areRulesFirst ? {} : ofRules),
    ...(left === 0 && found.total <= told.length ? {} : { total: found.total }),
  }
  const kept = toTold(asked, recalled, found)
  if (!isPreview) keepRecall(ctx, actor, kept)
  const isAny = rules.length + facts.length + relations.length + entities.length > 0
  const ofTypes =
    isAny || query.types === undefined ? undefined : await findTypesSentence(ctx, actor, query.types)
  const sentences = [
    ...(ofTypes === undefined ? [] : [ofTypes]),
    ...sentencesOfAnswer(found.understood, recalled, {
      isShort,
      isFiltered: isFiltered(query),
      isWordless: !hasWords.test(query.query),
      now: ctx.now(),
    }),
    ...reading,
  ]
  return { recalled, told: kept, notice: sentences.length === 0 ? undefined : sentences.join(' ') }
}

const findTypesSentence = async ({ db }: Context, actor: Actor, types: readonly string[]) =>
  sentenceOfTypes(types, await listTypeCounts(db, actor, 'entity'))

const hasWords = /[\p{L}\p{N}]/u

const isFiltered = ({
  types = [],
  after,
  before,
  storedAfter,
  storedBefore,
}: Omit<RecallQuery, 'maxTokens'>) =>
  [types[0], after, before, storedAfter, storedBefore].some((bound) => bound !== undefined)

/** The hits that may answer, without what stands around them if others are left out. */
function takeAnswering({ observations }: SearchObservationsResponse): ObservationHit[] {
  const count = countAnswering(observations)
  if (count === observations.length) return observations
  return observations.slice(0, count).map((hit) => ({ ...hit, before: [], after: [] }))
}

/** An answer of nothing but what was said. Nothing of the graph is told, so the recall is not kept. */
function toSaidAnswer(
  said: RecalledTurn[],
  asked: Parameters<typeof toTold>[0],
  ifNone: string,
): RecallAnswer {
  const recalled = said.length === 0 ? {} : { said }
  return {
    recalled,
    told: toTold(asked, recalled, nothingFound),
    notice: said.length === 0 ? ifNone : undefined,
  }
}

const nothingFound = { observations: [], relations: [], entities: [], understood: {} }

/** Entities that are in no fact or relation of the answer, or that have metadata. */
function unseen(
  hits: readonly EntityHit[],
  names: ReadonlySet<string>,
  relations: readonly RecalledRelation[],
): RecalledEntity[] {
  const told = new Set([...names, ...relations.flatMap(({ from, to }) => [from, to])])
  return hits.map(toEntity).filter(({ name, metadata }) => !told.has(name) || metadata !== undefined)
}

const toRelation = ({ from, relationType, to }: RelationHit): RecalledRelation => ({
  from: from.name,
  relationType,
  to: to.name,
})
