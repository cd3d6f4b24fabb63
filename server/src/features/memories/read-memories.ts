import type { Relation } from '@loci/contract/relations'
import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { getCounters } from '../../graph/counters.repo.ts'
import {
  findEntitiesById,
  findEntitiesByName,
  listEntitiesInOrder,
  type StoredEntity,
} from '../../graph/entities.repo.ts'
import { listObservations } from '../../graph/observations.repo.ts'
import { listRelationsOf } from '../../graph/relations.repo.ts'
import { rankEntities } from '../search/search.service.ts'
import type { NamedEntity, NamedRelation } from './memories.service.ts'
import { advice, entityNotFound } from './not-found.ts'

/** A part of the graph by names, with a sentence for the reader when something was left out. */
export type NamedGraph = { entities: NamedEntity[]; relations: NamedRelation[]; notice?: string }

/** About 25,000 tokens: what agents' programs take of one answer. */
const charactersMax = 100_000
const entitiesPerRead = 200
/** More observations and relations than this do not fit in an answer, or nearly so. */
const rowsPerRead = 2_500
const entitiesFoundMax = 50
const restNamesCharactersMax = 5_000

/** Throws `entity_not_found`. */
export async function getNamedEntity(ctx: Context, actor: Actor, name: string): Promise<StoredEntity> {
  const [entity] = await findEntitiesByName(ctx.db, ctx.dialect, actor, [name])
  if (entity === undefined) throw await entityNotFound(ctx, actor, [name], advice.read)
  return entity
}

/**
 * The graph in order of creation, from the entity after `after` on, as much as fits in one answer.
 * Throws `entity_not_found`.
 */
export async function readGraph(ctx: Context, actor: Actor, after?: string): Promise<NamedGraph> {
  const answer = newAnswer()
  let last = after === undefined ? '' : (await getNamedEntity(ctx, actor, after)).id
  for (;;) {
    const page = await listEntitiesInOrder(ctx.db, actor, last, entitiesPerRead)
    const taken = await takeEntities(ctx, actor, answer, page)
    if (taken < page.length) return toGraph(answer, await noticeOfRest(ctx, actor, answer))
    if (page.length < entitiesPerRead) return toGraph(answer)
    last = page.at(-1)!.id
  }
}

async function noticeOfRest(ctx: Context, actor: Actor, answer: Answer): Promise<string> {
  const { entities, observations, relations } = await getCounters(ctx.db, actor)
  const lastName = answer.entities.at(-1)?.name
  return (
    `This is part of the graph: ${answer.entities.length} entities of ${entities} ` +
    `(${observations} observations, ${relations} relations in all). ` +
    `Go on with read_graph {"after": ${JSON.stringify(lastName)}}, or ask for what you need with recall, search_nodes or open_nodes.`
  )
}

/** The entities of these exact names in order of creation; unknown names are skipped. */
export async function openNodes(ctx: Context, actor: Actor, names: readonly string[]): Promise<NamedGraph> {
  return openEntities(ctx, actor, await findEntitiesByName(ctx.db, ctx.dialect, actor, names))
}

/** The entities that fit a query best, best first; an empty query is the whole graph. */
export async function searchNodes(ctx: Context, actor: Actor, query: string): Promise<NamedGraph> {
  if (query.trim() === '') return readGraph(ctx, actor)
  const ids = await rankEntities(ctx, actor, { query, limit: entitiesFoundMax, byMeaning: true })
  const byId = new Map(
    (await findEntitiesById(ctx.db, ctx.dialect, actor, ids)).map((entity) => [entity.id, entity]),
  )
  const found = ids.flatMap((id) => byId.get(id) ?? [])
  const notices =
    ids.length < entitiesFoundMax
      ? []
      : [
          `These are the ${entitiesFoundMax} best matches; there may be more. Ask more precisely to see others.`,
        ]
  return openEntities(ctx, actor, found, notices)
}

/** These entities in the order given, each with its relations, as much as fits in one answer. */
export async function openEntities(
  ctx: Context,
  actor: Actor,
  entities: readonly StoredEntity[],
  notices: readonly string[] = [],
): Promise<NamedGraph> {
  const answer = newAnswer()
  const taken = await takeEntities(ctx, actor, answer, entities, 'both')
  if (taken === entities.length) return toGraph(answer, ...notices)
  const rest = entities.slice(taken).map((entity) => entity.name)
  const named = takeFitting(rest, restNamesCharactersMax).taken.map((name) => JSON.stringify(name))
  const notice =
    `Too much for one answer: ${taken} of ${entities.length} entities are here. ` +
    `Open the others with open_nodes: ${named.join(', ')}${named.length < rest.length ? ' ...' : ''}`
  return toGraph(answer, notice, ...notices)
}

type Answer = {
  entities: NamedEntity[]
  /** By id; ids grow in the order of creation. */
  relations: Map<string, NamedRelation>
  characters: number
  /** The entity of which not everything is here. */
  cut?: string
}

const newAnswer = (): Answer => ({ entities: [], relations: new Map(), characters: 0 })

function toGraph({ entities, relations, cut }: Answer, ...notices: string[]): NamedGraph {
  const inOrder = [...relations].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, relation]) => relation)
  if (cut !== undefined) notices.unshift(noticeOfCut(cut))
  const graph = { entities, relations: inOrder }
  return notices.length === 0 ? graph : { ...graph, notice: notices.join(' ') }
}

const noticeOfCut = (name: string) =>
  `Only part of what is known about ${JSON.stringify(name)} fits here. ` +
  'Find its other observations with recall, what surrounds it with explore_entity.'

/** Adds entities with their relations until the answer is full; answers how many it took. */
async function takeEntities(
  ctx: Context,
  actor: Actor,
  answer: Answer,
  entities: readonly StoredEntity[],
  relationsOf: 'source' | 'both' = 'source',
): Promise<number> {
  let taken = 0
  for (const part of partsToRead(entities)) {
    const ids = part.map((entity) => entity.id)
    // Only an entity that is alone may have more.
    const limit = part.length === 1 ? rowsPerRead : undefined
    const observations = Map.groupBy(
      await listObservations(ctx.db, ctx.dialect, actor, ids, limit),
      (row) => row.entityId,
    )
    const relations = await listRelationsOf(ctx.db, ctx.dialect, actor, ids, limit)
    const bySource = Map.groupBy(relations, (relation) => relation.fromEntityId)
    const byTarget = Map.groupBy(relations, (relation) => relation.toEntityId)
    for (const entity of part) {
      const texts = (observations.get(entity.id) ?? []).map((observation) => observation.content)
      const incoming = relationsOf === 'both' ? (byTarget.get(entity.id) ?? []) : []
      const touching = [...(bySource.get(entity.id) ?? []), ...incoming]
      if (!takeEntity(answer, entity, texts, touching)) return taken
      taken++
    }
  }
  return taken
}

/** Entities to read at once: no more than have so many rows together, but for one that has more all by itself. */
function* partsToRead(entities: readonly StoredEntity[]): Generator<StoredEntity[], void> {
  let part: StoredEntity[] = []
  let rows = 0
  for (const entity of entities) {
    if (part.length > 0 && rows + rowsOf(entity) > rowsPerRead) {
      yield part
      part = []
      rows = 0
    }
    part.push(entity)
    rows += rowsOf(entity)
  }
  if (part.length > 0) yield part
}

/** With one for the entity itself. */
const rowsOf = ({ observationsCount, degree }: StoredEntity) => 1 + observationsCount + degree

/** Takes an entity with its observations and relations, or nothing of it. The first fits always, if need be in part. */
function takeEntity(
  answer: Answer,
  entity: StoredEntity,
  texts: readonly string[],
  touching: readonly Relation[],
): boolean {
  const named: NamedEntity = { name: entity.name, entityType: entity.type, observations: [] }
  const fresh = touching
    .filter((relation) => !answer.relations.has(relation.id))
    .map((relation): [string, NamedRelation] => [relation.id, toNamedRelation(relation)])
  const room = charactersMax - answer.characters - sizeOf(named)
  const observations = takeFitting(texts, room)
  const relations = takeFitting(fresh, room - observations.size)
  const whole =
    entity.observationsCount <= rowsPerRead &&
    touching.length < rowsPerRead &&
    room >= 0 &&
    observations.taken.length === texts.length &&
    relations.taken.length === fresh.length
  if (!whole && answer.entities.length > 0) return false
  if (!whole) answer.cut = entity.name
  answer.entities.push({ ...named, observations: observations.taken })
  for (const [id, relation] of relations.taken) answer.relations.set(id, relation)
  answer.characters += sizeOf(named) + observations.size + relations.size
  return true
}

const toNamedRelation = ({ fromEntity, toEntity, type }: Relation): NamedRelation => ({
  from: fromEntity.name,
  to: toEntity.name,
  relationType: type,
})

/** About how long something is in the answer, its indentation included. */
const sizeOf = (value: unknown) => JSON.stringify(value).length + 8

function takeFitting<T>(items: readonly T[], room: number): { taken: T[]; size: number } {
  let size = 0
  const taken: T[] = []
  for (const item of items) {
    if (size + sizeOf(item) > room) break
    size += sizeOf(item)
    taken.push(item)
  }
  return { taken, size }
}
