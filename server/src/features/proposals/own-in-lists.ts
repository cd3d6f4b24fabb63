import type { EntitiesResponse, Entity, ListEntitiesQuery } from '@loci/contract/entities'
import type { Observation, ObservationState } from '@loci/contract/observations'
import type { ListRelationsQuery, Relation, RelationsResponse } from '@loci/contract/relations'
import {
  NeighbourObservation,
  type SearchObservationsQuery,
  type SearchObservationsResponse,
  type SearchQuery,
  type SearchResponse,
} from '@loci/contract/search'
import { createPace } from '../../ground/lib/pace.ts'
import { listOwnChanges } from '../../memory/write/proposals/own-changes.ts'
import { toShownEntity } from '../../rows/codec.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { openingTermsOf } from '../memories/own-proposed.ts'
import { isInRelation, toAsked } from '../relations/relation-search.rules.ts'

/** A list or search as for anybody else, whose own proposals come first on its first page. */
type Read<Query, Answer> = (query: Query) => Promise<Answer>

/** The list with the new entities that the caller proposed, marked. */
export async function listWithProposed(
  ctx: Context,
  actor: Actor,
  query: ListEntitiesQuery,
  list: Read<ListEntitiesQuery, EntitiesResponse>,
): Promise<EntitiesResponse> {
  const { created, facts } = await readOwn(ctx, actor)
  const withFacts = [...created.values()].map((entity) => ({
    entity,
    observations: facts.flatMap((fact) => (fact.entity.id === entity.id ? fact.observation : [])),
  }))
  const found = await select(withFacts, query, ({ entity, observations }) => [
    ...[entity.name, entity.type],
    ...observations.map(({ content }) => content),
  ])
  const isIncluding = query.include?.some((one) => one === 'observations' || one === 'latest')
  const own = found.map(({ entity, observations }) => (isIncluding ? { ...entity, observations } : entity))
  const { shown, rest } = share(own, query)
  const stored = await list(rest)
  return { ...stored, entities: [...shown, ...stored.entities], total: stored.total + own.length }
}

/** The list with the new relations that the caller proposed, marked, newest first. */
export async function listRelationsWithProposed(
  ctx: Context,
  actor: Actor,
  query: ListRelationsQuery,
  list: Read<ListRelationsQuery, RelationsResponse>,
): Promise<RelationsResponse> {
  const { entityId, relationTypes = [] } = query
  const asked = toAsked(query.query)
  const own = (await listOwnChanges(ctx.db, actor)).reverse().flatMap(({ operation, after }): Relation[] => {
    if (operation !== 'relation_created') return []
    const relation = { ...(after as unknown as Relation), proposed: true as const }
    const isOfEntity = [undefined, relation.fromEntityId, relation.toEntityId].includes(entityId)
    const isOfType = relationTypes.length === 0 || relationTypes.includes(relation.type)
    return isOfEntity && isOfType && isInRelation(asked, relation) ? [relation] : []
  })
  const { shown, rest } = share(own, query)
  const stored = await list(rest)
  return { ...stored, relations: [...shown, ...stored.relations], total: stored.total + own.length }
}

/** The answer with the facts that the caller proposed, as the state `proposed`. */
export async function searchObservationsWithProposed(
  ctx: Context,
  actor: Actor,
  query: SearchObservationsQuery,
  search: Read<SearchObservationsQuery, SearchObservationsResponse>,
): Promise<SearchObservationsResponse> {
  const own = await findFacts(ctx, actor, query)
  const { shown, rest } = share(own, query)
  const stored = await search(rest)
  const hits = shown.map(({ observation, entity: { id, name, type } }) => ({
    ...NeighbourObservation.parse(observation),
    ...{ score: 1, highlights: [], entity: { id, name, type }, before: [], after: [] },
  }))
  return { ...stored, observations: [...hits, ...stored.observations], total: stored.total + own.length }
}

/** The same for entities: a proposed fact is a match of its entity. */
export async function searchWithProposed(
  ctx: Context,
  actor: Actor,
  query: SearchQuery,
  search: Read<SearchQuery, SearchResponse>,
): Promise<SearchResponse> {
  const own = Map.groupBy(await findFacts(ctx, actor, query), ({ entity }) => entity)
  const { shown, rest } = share([...own], query)
  const stored = await search(rest)
  const groups = shown.map(([entity, facts]) => {
    const before = stored.results.find((result) => result.entity.id === entity.id)
    const matches = facts.map(({ observation }) => {
      const { id, ...told } = NeighbourObservation.parse(observation)
      return { observationId: id, ...told, score: 1, highlights: [] }
    })
    return { score: 1, ...before, entity, matches: [...matches, ...(before?.matches ?? [])] }
  })
  const ids = new Set(groups.map(({ entity }) => entity.id))
  const others = stored.results.filter(({ entity }) => !ids.has(entity.id))
  const added = own.size - (stored.results.length - others.length)
  return { ...stored, results: [...groups, ...others], total: stored.total + added }
}

type Asked = { query: string; types?: string[] | undefined; states?: ObservationState[] | undefined }
type Page = { cursor?: string | undefined; limit: number }

/** What waits takes at most half of a page. */
function share<T, Query extends Page>(own: readonly T[], query: Query): { shown: T[]; rest: Query } {
  const shown = query.cursor === undefined ? own.slice(0, Math.floor(query.limit / 2)) : []
  return { shown, rest: { ...query, limit: query.limit - shown.length } }
}

type Fact = { observation: Observation; entity: Entity }

/** New entities by their ids, and facts, newest first, each with its entity as it is stored or proposed. */
async function readOwn(ctx: Context, actor: Actor): Promise<{ created: Map<string, Entity>; facts: Fact[] }> {
  const changes = (await listOwnChanges(ctx.db, actor)).reverse()
  const created = new Map<string, Entity>()
  for (const { operation, subject, after } of changes)
    if (operation === 'entity_created') created.set(subject.id, { ...(after as Entity), proposed: true })
  const told = changes.filter(({ operation, after }) => operation.startsWith('observation') && after !== null)
  const owners = [...new Set(told.flatMap(({ subject }) => subject.entityId ?? []))]
  const stored = await findEntitiesById(
    ctx.db,
    actor,
    owners.filter((id) => !created.has(id)),
  )
  const entities = new Map([...created, ...stored.map((one) => [one.id, toShownEntity(one)] as const)])
  const facts = told.flatMap(({ subject, after }): Fact[] => {
    const entity = entities.get(subject.entityId ?? '')
    const observation = { ...(after as unknown as Observation), state: 'proposed' as const }
    return entity === undefined ? [] : [{ entity, observation }]
  })
  return { created, facts }
}

/** Those that fit the question; one that asks for other states, or for a time, finds none. */
async function findFacts(ctx: Context, actor: Actor, query: SearchQuery): Promise<Fact[]> {
  if (query.query.trim() === '' || query.states?.includes('proposed') === false) return []
  if (query.after ?? query.before ?? query.storedAfter ?? query.storedBefore) return []
  const { facts } = await readOwn(ctx, actor)
  return select(facts, query, ({ entity, observation }) => [entity.name, observation.content])
}

/** Those of the types, in their order, that tell at least half of the words of the question. */
async function select<T extends { entity: Entity }>(
  own: readonly T[],
  { query, types = [] }: Asked,
  textsOf: (one: T) => string[],
): Promise<T[]> {
  const asked = openingTermsOf(query)
  const pace = createPace()
  const found: T[] = []
  for (const one of own) {
    await pace()
    if (types.length > 0 && !types.includes(one.entity.type)) continue
    const told = asked.size === 0 ? 0 : openingTermsOf(textsOf(one).join(' ')).intersection(asked).size
    if (2 * told >= asked.size) found.push(one)
  }
  return found
}
