import type { ChangeActor } from '@loci/contract/change-actor'
import type { Entity } from '@loci/contract/entities'
import {
  type ObservationHit,
  type ObservationMatch,
  type SearchObservationsQuery,
  type SearchObservationsResponse,
  type SearchQuery,
  type SearchResponse,
  searchLimitMax,
} from '@loci/contract/search'
import { decodeCursor, encodeCursor } from '../../ground/lib/cursors.ts'
import { toId } from '../../ground/lib/ids.ts'
import { createAnswerRoom, jsonSize } from '../../ground/lib/json-size.ts'
import { createPace } from '../../ground/lib/pace.ts'
import { boundsOf, fromIso } from '../../ground/lib/time.ts'
import { findAuthors } from '../../memory/history/authors.repo.ts'
import { toShownEntity } from '../../rows/codec.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import type { Inquiry } from '../../search/ask/question.ts'
import { find } from '../../search/find/find.ts'
import type { Findings } from '../../search/find/findings.ts'
import {
  createHighlighter,
  groupByEntity,
  type Highlight,
  loadEntityHits,
  loadObservations,
  loadWithNeighbours,
  matchesPerEntity,
  type ShownObservation,
  toRelationHits,
} from '../../search/find/hits.ts'
import { toUnderstanding } from '../../search/find/understanding.ts'
import type { RankedObservation } from '../../search/rank/ranking.ts'
import type { PassageFilter } from '../../search/store/search.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'

/** Observations by relevance, each with its neighbours. An empty query returns nothing. */
export const searchObservations = async (
  ctx: Context,
  actor: Actor,
  query: SearchObservationsQuery,
): Promise<SearchObservationsResponse> => (await askObservations(ctx, actor, query)).found

/** What `askObservations` tells, with what is needed to tell more of it. */
type Asked = {
  found: SearchObservationsResponse
  /** Finds the words of the question in a text. */
  highlight: Highlight
  memory: Findings['memory']
}

/**
 * The same with the memory of the space, for what is read beside it. With `isAbridged`, for a caller that tells a part in its
 * own form: no words are highlighted, the parts of a score are not rounded, and the answer may be of any size.
 */
export async function askObservations(
  ctx: Context,
  actor: Actor,
  query: SearchObservationsQuery,
  { isAbridged = false } = {},
): Promise<Asked> {
  const place = toRankingPlace('found facts', query)
  const inquiry = toInquiry(query, false, place)
  const findings = await find(ctx, actor, inquiry)
  const highlight = createHighlighter(findings.terms)
  const sizeOf = isAbridged ? () => 0 : jsonSize
  const page = await showPage(
    { ...findings, place, textsEach: 1 + 2 * query.context, sizeOf },
    async (hits) => {
      const { observations, neighboursOf } = await loadWithNeighbours(
        ctx,
        actor,
        findings,
        hits,
        query.context,
      )
      const authors = await authorsOf(ctx, actor, query, hits)
      return async (hit): Promise<ObservationHit | undefined> => {
        const observation = observations.get(hit.passage.observationId)
        const entity = findings.labels.get(hit.passage.entityId)
        if (observation === undefined || entity === undefined) return undefined
        return {
          ...observation,
          score: round(hit.score),
          highlights: isAbridged ? [] : await highlight(observation.content),
          entity: { id: toId('ent', entity.id), name: entity.name, type: entity.type },
          ...neighboursOf(hit.passage.observationId),
          ...by(authors, hit),
          ...(isAbridged ? { explain: hit.parts } : explain(query, hit.parts)),
        }
      }
    },
  )
  const found = {
    observations: page.shown,
    relations: toRelationHits(findings, inquiry),
    entities: await loadEntityHits(ctx, actor, findings, inquiry),
    understood: toUnderstanding(inquiry.query, findings),
    total: findings.ranked.length,
    nextCursor: page.nextCursor,
  }
  return { found, highlight, memory: findings.memory }
}

/** Entities by relevance, each with its best observations. An empty query returns nothing. */
export async function search(ctx: Context, actor: Actor, query: SearchQuery): Promise<SearchResponse> {
  const place = toRankingPlace('found', query)
  const inquiry = toInquiry(query, true, place)
  const findings = await find(ctx, actor, inquiry)
  const groups = groupByEntity(findings, inquiry)
  const highlight = createHighlighter(findings.terms)
  const pages = { ranked: groups, place, textsEach: matchesPerEntity, sizeOf: jsonSize }
  const page = await showPage(pages, async (part) => {
    const ids = part.map((group) => toId('ent', group.entityId))
    const hits = part.flatMap((group) => group.hits)
    const numbers = hits.map(({ passage }) => passage.observationId)
    const [entities, observations, authors] = await Promise.all([
      loadEntities(ctx, actor, ids),
      loadObservations(ctx, { ...actor, memory: findings.memory }, numbers, findings.observation),
      authorsOf(ctx, actor, query, hits),
    ])
    return async (group) => {
      const entity = entities.get(toId('ent', group.entityId))
      if (entity === undefined) return undefined
      const matches: ObservationMatch[] = []
      for (const hit of group.hits) {
        const match = await toMatch(observations, hit, highlight)
        if (match !== undefined) matches.push({ ...match, ...by(authors, hit) })
      }
      return { entity, score: round(group.score), matches, ...explain(query, group.parts) }
    }
  })
  return {
    results: page.shown,
    relations: toRelationHits(findings, inquiry),
    understood: toUnderstanding(inquiry.query, findings),
    total: groups.length,
    nextCursor: page.nextCursor,
  }
}

/** The ids of the entities that match a query, best first, for the lists in the web app. */
export async function rankEntities(
  ctx: Context,
  actor: Actor,
  {
    query,
    limit,
    byMeaning = false,
    ...filter
  }: Partial<Filter> & {
    query: string
    limit: number
    byMeaning?: boolean
  },
): Promise<string[]> {
  const inquiry = { query, limit, byMeaning, ...toPassageFilter(filter), expand: false, typing: true }
  const groups = groupByEntity(await find(ctx, actor, inquiry), inquiry)
  return groups.slice(0, limit).map((group) => toId('ent', group.entityId))
}

function toInquiry(query: SearchQuery, typing: boolean, { wanted }: RankingPlace): Inquiry {
  return {
    query: query.query.trim(),
    ...toPassageFilter(query),
    limit: Math.min(wanted, searchLimitMax),
    expand: query.expand,
    typing,
    byMeaning: true,
  }
}

type Filter = Pick<SearchQuery, 'types' | 'states' | 'after' | 'before' | 'storedAfter' | 'storedBefore'>

const toPassageFilter = ({
  types,
  states,
  storedAfter,
  storedBefore,
  ...bounds
}: Partial<Filter>): PassageFilter => ({
  types,
  states,
  ...boundsOf(bounds),
  storedAfter: toTime(storedAfter),
  storedBefore: toTime(storedBefore),
})

const toTime = (moment: string | undefined) => (moment === undefined ? undefined : fromIso(moment))

async function loadEntities(
  ctx: Context,
  actor: Actor,
  ids: readonly string[],
): Promise<Map<string, Entity>> {
  const found = await findEntitiesById(ctx.db, actor, ids)
  return new Map(found.map((entity) => [entity.id, toShownEntity(entity)]))
}

async function toMatch(
  observations: ReadonlyMap<number, ShownObservation>,
  { passage, score }: RankedObservation,
  highlight: Highlight,
): Promise<ObservationMatch | undefined> {
  const observation = observations.get(passage.observationId)
  if (observation === undefined) return undefined
  const { id, ...shown } = observation
  const highlights = await highlight(shown.content)
  return { observationId: id, ...shown, score: round(score), highlights }
}

/** The authors of the hits, for `include=by`. */
async function authorsOf(
  { db }: Context,
  actor: Actor,
  { include }: Pick<SearchQuery, 'include'>,
  hits: readonly RankedObservation[],
): Promise<Authors> {
  if (!include?.includes('by')) return new Map()
  const numbers = hits.map(({ passage }) => passage.observationId)
  return findAuthors(db, actor, 'observations', numbers)
}

type Authors = ReadonlyMap<number, ChangeActor>

function by(authors: Authors, { passage }: RankedObservation) {
  const author = authors.get(passage.observationId)
  return author === undefined ? {} : { by: author }
}

function explain(query: { explain: boolean }, parts: Record<string, number>) {
  if (!query.explain) return {}
  const told = Object.entries(parts).filter(([, part]) => part !== 0)
  return { explain: Object.fromEntries(told.map(([name, part]) => [name, round(part)])) }
}

const round = (score: number) => Math.round(score * 10_000) / 10_000

/** Texts read by one statement. */
const textsPerRead = 100

/** A page of a ranking: the cursor keeps the number of results that the first page ranked. */
type RankingPlace = { list: string; start: number; limit: number; wanted: number }

function toRankingPlace(
  list: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): RankingPlace {
  const place = decodeCursor(list, cursor)
  return { list, start: place?.at ?? 0, limit, wanted: place?.id ?? limit }
}

type Paging<Hit> = {
  ranked: readonly Hit[]
  place: RankingPlace
  /** Texts shown for a hit, at most. */
  textsEach: number
  /** How much of the answer's room one takes. */
  sizeOf: (shown: unknown) => number
}

/**
 * Shows the hits of a page, which ends early if the answer is full. Yields to other work in between.
 * @param load reads what several hits need, and returns what shows each of them
 */
async function showPage<Hit, Shown>(
  { ranked, place: { list, start, limit, wanted }, textsEach, sizeOf }: Paging<Hit>,
  load: (hits: readonly Hit[]) => Promise<(hit: Hit) => Promise<Shown | undefined>>,
): Promise<{ shown: Shown[]; nextCursor: string | null }> {
  const [pace, room] = [createPace(), createAnswerRoom()]
  const hits = ranked.slice(start, start + limit)
  const hitsPerRead = Math.ceil(textsPerRead / textsEach)
  const shown: Shown[] = []
  let show: (hit: Hit) => Promise<Shown | undefined> = async () => undefined
  let end = 0
  for (; end < hits.length && !room.isFull; end++) {
    if (end % hitsPerRead === 0) show = await load(hits.slice(end, end + hitsPerRead))
    await pace()
    const one = await show(hits[end]!)
    if (one === undefined) continue
    shown.push(one)
    room.take(sizeOf(one))
  }
  await pace()
  const next = start + end
  return { shown, nextCursor: next < ranked.length ? encodeCursor(list, { at: next, id: wanted }) : null }
}
