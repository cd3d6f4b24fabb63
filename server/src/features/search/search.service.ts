import type { ChangeActor } from '@loci/contract/change-actor'
import type { Entity } from '@loci/contract/entities'
import type {
  ObservationHit,
  ObservationMatch,
  SearchObservationsQuery,
  SearchObservationsResponse,
  SearchQuery,
  SearchResponse,
} from '@loci/contract/search'
import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { findAuthors } from '../../graph/authors.repo.ts'
import { findEntitiesById, toShownEntity } from '../../graph/entities.repo.ts'
import { toId } from '../../lib/ids.ts'
import { fromIso } from '../../lib/time.ts'
import { findBareQuery } from './find-bare-query.ts'
import { findByExactName } from './find-by-exact-name.ts'
import { findObservationsFor } from './find-observations.ts'
import type { Findings, Inquiry } from './findings.ts'
import { groupByEntity } from './group-by-entity.ts'
import { createHighlighter } from './highlights.ts'
import type { RankedObservation } from './ranking.ts'
import { loadObservations, loadWithNeighbours, type ShownObservation } from './search-context.ts'
import { loadEntityHits, toRelationHits } from './subject-hits.ts'
import { understand } from './understand.ts'

/** Observations by relevance, each with its neighbours. An empty query returns nothing. */
export async function searchObservations(
  ctx: Context,
  actor: Actor,
  query: SearchObservationsQuery,
): Promise<SearchObservationsResponse> {
  const inquiry = toInquiry(query, false)
  const findings = await find(ctx, actor, inquiry)
  const hits = findings.ranked.slice(0, query.limit)
  const { observations, neighbours } = await loadWithNeighbours(ctx, actor, findings, hits, query.context)
  const authors = await authorsOf(ctx, actor, query, hits)
  const highlight = createHighlighter(findings.terms)
  return {
    observations: hits.flatMap((hit): ObservationHit[] => {
      const observation = observations.get(toId('obs', hit.passage.observationId))
      const entity = findings.labels.get(hit.passage.entityId)
      if (observation === undefined || entity === undefined) return []
      const { before, after } = neighbours.get(observation.id) ?? { before: [], after: [] }
      return [
        {
          id: observation.id,
          content: observation.content,
          createdAt: observation.createdAt,
          score: round(hit.score),
          highlights: highlight(observation.content),
          entity: { id: toId('ent', entity.id), name: entity.name, type: entity.type },
          before,
          after,
          ...by(authors, hit),
          ...explain(query, hit.parts),
        },
      ]
    }),
    relations: toRelationHits(findings, inquiry),
    entities: await loadEntityHits(ctx, actor, findings, inquiry),
    understood: understand(inquiry.query, findings),
    total: findings.ranked.length,
  }
}

/** Entities by relevance, each with its best observations. An empty query returns nothing. */
export async function search(ctx: Context, actor: Actor, query: SearchQuery): Promise<SearchResponse> {
  const inquiry = toInquiry(query, true)
  const findings = await find(ctx, actor, inquiry)
  const groups = groupByEntity(findings, inquiry)
  const page = groups.slice(0, query.limit)
  const [entities, observations] = await Promise.all([
    loadEntities(
      ctx,
      actor,
      page.map((group) => toId('ent', group.entityId)),
    ),
    loadObservations(
      ctx.db,
      actor,
      page.flatMap((group) => group.hits.map(({ passage }) => passage.observationId)),
      findings.observation,
    ),
  ])
  const authors = await authorsOf(
    ctx,
    actor,
    query,
    page.flatMap((group) => group.hits),
  )
  const highlight = createHighlighter(findings.terms)
  return {
    results: page.flatMap((group) => {
      const entity = entities.get(toId('ent', group.entityId))
      if (entity === undefined) return []
      const matches = group.hits.flatMap((hit) =>
        toMatch(observations, hit, highlight).map((match) => ({ ...match, ...by(authors, hit) })),
      )
      return [{ entity, score: round(group.score), matches, ...explain(query, group.parts) }]
    }),
    relations: toRelationHits(findings, inquiry),
    understood: understand(inquiry.query, findings),
    total: groups.length,
  }
}

/** The ids of the entities that match a query, best first, for the lists in the web app. */
export async function rankEntities(
  ctx: Context,
  actor: Actor,
  query: { query: string; types?: readonly string[] | undefined; limit: number; byMeaning?: boolean },
): Promise<string[]> {
  const inquiry = { byMeaning: false, ...query, expand: false, typing: true }
  const groups = groupByEntity(await find(ctx, actor, inquiry), inquiry)
  return groups.slice(0, query.limit).map((group) => toId('ent', group.entityId))
}

function toInquiry(query: SearchQuery, typing: boolean): Inquiry {
  return {
    query: query.query.trim(),
    types: query.types,
    after: query.after === undefined ? undefined : fromIso(query.after),
    before: query.before === undefined ? undefined : fromIso(query.before),
    limit: query.limit,
    expand: query.expand,
    typing,
    byMeaning: true,
  }
}

/** If the index finds nothing, texts are searched directly for function words, symbols and parts of words. */
async function find(ctx: Context, actor: Actor, inquiry: Inquiry): Promise<Findings> {
  const findings = await findObservationsFor(ctx, actor, inquiry)
  const isFound = findings.isBare
    ? findings.names.some(({ isNamed }) => isNamed)
    : findings.ranked.length > 0 || findings.names.some(({ score }) => score > 0)
  const isAnswered = findings.created.length + findings.times.length > 0
  if (isFound || isAnswered || inquiry.query.trim() === '') return findings
  const named = await findByExactName(ctx, actor, inquiry)
  if (named !== undefined) return { ...findings, ...named }
  const bare = await findBareQuery(ctx, actor, inquiry)
  return bare.ranked.length === 0 ? findings : { ...findings, ...bare }
}

async function loadEntities(
  ctx: Context,
  actor: Actor,
  ids: readonly string[],
): Promise<Map<string, Entity>> {
  const found = await findEntitiesById(ctx.db, actor, ids)
  return new Map(found.map((entity) => [entity.id, toShownEntity(entity)]))
}

function toMatch(
  observations: ReadonlyMap<string, ShownObservation>,
  { passage, score }: RankedObservation,
  highlight: (content: string) => [number, number][],
): ObservationMatch[] {
  const observation = observations.get(toId('obs', passage.observationId))
  if (observation === undefined) return []
  const { id, content, createdAt } = observation
  return [{ observationId: id, content, createdAt, score: round(score), highlights: highlight(content) }]
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
