import { compareIds } from '../../ground/lib/ids.ts'
import { takeFitting } from '../../ground/lib/json-size.ts'
import type { StoredEntity } from '../../rows/codec.ts'
import { getCounters } from '../../rows/counters.repo.ts'
import { findEntitiesById, listEntitiesInOrder } from '../../rows/entities.repo.ts'
import { findNearNames } from '../../search/find/find-near-names.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { countOpened, keepRecall } from '../../tenancy/usage/keep-recall.ts'
import { rankEntities } from '../search/search.service.ts'
import { describeDeleted } from './describe-deleted.ts'
import { noticeOfEnded, noticeOfStale } from './fact-remarks.ts'
import { findCalled } from './find-called.ts'
import type { NamedRelation, NewNamedEntity } from './graph-part.ts'
import { type GraphPart, newPart } from './graph-part.ts'
import { advice, entityNotFound, listNames, suggest } from './not-found.ts'
import { findPlace, type Place } from './reading-position.ts'
import { costOf } from './recall-budget.ts'
import { asksForSource } from './receipts.ts'
import { listSources, type SourceOfFact } from './sources.ts'
import { takeEntities } from './take-entities.ts'
import { takePiece } from './take-piece.ts'
import { noticeOfWriters } from './writers-notice.ts'

/** A part of the graph, by names, with a notice for the reader if something was left out. */
export type NamedGraph = {
  notice?: string
  /** True if there is more than fits or was requested. */
  isPart?: boolean
  entities: NewNamedEntity[]
  relations: NamedRelation[]
  /** Who wrote the observations and where they are from, if the caller asked for it. */
  sources?: SourceOfFact[]
}

const entitiesPerRead = 200
const restNamesCharactersMax = 2_500

/** Throws `entity_not_found`. */
export async function getNamedEntity(ctx: Context, actor: Actor, name: string): Promise<StoredEntity> {
  const entity = (await findCalled(ctx, actor, [name])).get(name)
  if (entity === undefined) throw await entityNotFound(ctx, actor, [name], advice.read)
  return entity
}

/**
 * The graph in order of creation, from the place `after`, as much as fits in one answer.
 * Throws `entity_not_found`.
 */
export async function readGraph(ctx: Context, actor: Actor, after?: string): Promise<NamedGraph> {
  const part = newPart()
  const place = after === undefined ? undefined : await findPlace(ctx, actor, after)
  if (place !== undefined && isWithin(place)) await takePiece(ctx, actor, part, place, {})
  let last = place?.entity.id
  while (part.next === undefined) {
    const page = await listEntitiesInOrder(ctx.db, actor, last, entitiesPerRead)
    await takeEntities(ctx, actor, part, page)
    if (page.length < entitiesPerRead) break
    last = page.at(-1)!.id
  }
  const notices = part.next === undefined ? [] : [await noticeOfRest(ctx, actor, part, part.next)]
  return toGraph(ctx, actor, part, notices)
}

const isWithin = ({ observation, relation }: Place) => observation !== undefined || relation !== undefined

async function noticeOfRest(ctx: Context, actor: Actor, part: GraphPart, next: string): Promise<string> {
  const { entities, observations, relations } = await getCounters(ctx.db, actor)
  return (
    `This is part of the graph: ${part.entities.length} of ${entities} entities ` +
    `(${observations} observations, ${relations} relations in all). ` +
    `Continue with read_graph ${JSON.stringify({ after: next })}, or ask for what you need with recall, search_nodes or open_nodes.` +
    sentenceOfCut(part)
  )
}

const sentenceOfCut = ({ cut }: GraphPart) =>
  cut === undefined ? '' : ` Only a part of ${JSON.stringify(cut)} is here; the rest comes next.`

/**
 * The entities with these exact names in order of creation, from the place `after`; at most `limit`, and as much as
 * fits in one answer. Throws `entity_not_found` if there is no such place.
 */
export async function openNodes(
  ctx: Context,
  actor: Actor,
  names: readonly string[],
  {
    after,
    limit,
    with: parts,
  }: { after?: string | undefined; limit?: number | undefined; with?: string[] | undefined } = {},
): Promise<NamedGraph> {
  const named = await findCalled(ctx, actor, names)
  const byId = new Map([...named.values()].map((entity) => [entity.id, entity]))
  const found = [...byId.values()].sort((a, b) => compareIds(a.id, b.id))
  const read = new Set(found.map((entity) => entity.id))
  const place = after === undefined ? undefined : await findPlace(ctx, actor, after, (id) => read.has(id))
  const rest = found.filter(({ id }) => place === undefined || compareIds(id, place.entity.id) > 0)
  const part = newPart()
  if (place !== undefined && isWithin(place) && read.has(place.entity.id))
    await takePiece(ctx, actor, part, place, { read })
  const asked = rest.slice(0, limit)
  const taken = part.next === undefined ? await takeEntities(ctx, actor, part, asked, { read }) : 0
  const notices: string[] = []
  const next = part.next ?? (taken < rest.length ? part.entities.at(-1)?.name : undefined)
  if (next !== undefined)
    notices.push(
      `Here are ${part.entities.length} of ${found.length} entities. ` +
        `For the rest call open_nodes with the same names and ${JSON.stringify({ after: next }).slice(1, -1)}.${sentenceOfCut(part)}`,
    )
  if (place === undefined) notices.push(...(await noticeOfMissing(ctx, actor, names, named)))
  const sources = await listSources(ctx, actor, part, asksForSource(parts))
  countOpened(ctx, actor, [...part.ids.values()].flat())
  return { ...(await toGraph(ctx, actor, part, notices, next !== undefined)), ...sources }
}

async function noticeOfMissing(
  ctx: Context,
  actor: Actor,
  names: readonly string[],
  known: ReadonlyMap<string, StoredEntity>,
): Promise<string[]> {
  const missing = [...new Set(names)].filter((name) => !known.has(name))
  if (missing.length === 0) return []
  const near = suggest(await findNearNames(ctx, actor, missing), missing)
  const deleted = await describeDeleted(ctx, actor, missing)
  return [`Not found: ${listNames(missing)}.${deleted}${near}`]
}

/** The entities that match a query, best first, at most `limit`; an empty query returns the whole graph. */
export async function searchNodes(
  ctx: Context,
  actor: Actor,
  query: string,
  limit: number,
): Promise<NamedGraph> {
  if (query.trim() === '') return readGraph(ctx, actor)
  const startedAt = performance.now()
  const ids = await rankEntities(ctx, actor, { query, limit: limit + 1, byMeaning: true })
  const shown = ids.slice(0, limit)
  const byId = new Map((await findEntitiesById(ctx.db, actor, shown)).map((entity) => [entity.id, entity]))
  const found = shown.flatMap((id) => byId.get(id) ?? [])
  const part = newPart()
  const taken = await takeEntities(ctx, actor, part, found, { read: new Set(shown) })
  const notices = noticesOfUnopened(part, found.slice(taken))
  if (ids.length > limit) {
    const these = limit === 1 ? 'This is the best match' : `These are the ${limit} best matches`
    notices.push(`${these}; there are more. Ask more precisely, or raise limit (at most 50).`)
  }
  const graph = await toGraph(ctx, actor, part, notices)
  const answer = {
    ...{ question: query, understood: {}, told: [], missed: [], entities: shown, maxTokens: 0 },
    tokens: costOf(graph),
    ms: performance.now() - startedAt,
  }
  keepRecall(ctx, actor, answer, [...part.ids.values()].flat())
  return graph
}

/** Says which of the entities found did not fit, and how to open them. */
function noticesOfUnopened(part: GraphPart, rest: readonly StoredEntity[]): string[] {
  const notices: string[] = []
  if (part.cut !== undefined) {
    const call = JSON.stringify({ names: [part.cut], after: part.next })
    notices.push(`Only a part of ${JSON.stringify(part.cut)} is here; for the rest call open_nodes ${call}.`)
  }
  if (rest.length > 0) {
    const names = rest.map((entity) => entity.name)
    const named = takeFitting(names, restNamesCharactersMax).taken
    const others = named.length < names.length ? ` and ask for the ${names.length - named.length} others` : ''
    notices.push(
      `Too much for one answer: for the rest call open_nodes ${JSON.stringify({ names: named })}${others}.`,
    )
  }
  return notices
}

async function toGraph(
  ctx: Context,
  actor: Actor,
  part: GraphPart,
  about: readonly string[],
  isPart = about.length > 0,
): Promise<NamedGraph> {
  const { entities, relations } = part
  const inOrder = [...relations].sort(([a], [b]) => compareIds(a, b)).map(([, relation]) => relation)
  const graph = { entities, relations: inOrder }
  const notices = [
    ...about,
    ...noticeOfEnded(part, ctx.now()),
    ...noticeOfStale(part),
    ...(await noticeOfWriters(ctx, actor, part)),
  ]
  return notices.length === 0 ? graph : { notice: notices.join(' '), isPart, ...graph }
}
