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

/** A part of the graph by names, with a sentence for the reader when something was left out. */
export type NamedGraph = { entities: NamedEntity[]; relations: NamedRelation[]; notice?: string }

/** About 25,000 tokens: what agents' programs take of one answer. */
const charactersMax = 100_000
const entitiesPerRead = 200
const entitiesFoundMax = 50

/** The graph in order of creation, from the entity after `after` on, as much as fits in one answer. */
export async function readGraph(ctx: Context, actor: Actor, after?: string): Promise<NamedGraph> {
  const start =
    after === undefined ? undefined : (await findEntitiesByName(ctx.db, ctx.dialect, actor, [after]))[0]
  const answer = newAnswer()
  let last = start?.id ?? ''
  for (;;) {
    const page = await listEntitiesInOrder(ctx.db, actor, last, entitiesPerRead)
    const taken = await takeEntities(ctx, actor, answer, page)
    if (taken < page.length) return { ...toGraph(answer), notice: await noticeOfRest(ctx, actor, answer) }
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
  const ids = await rankEntities(ctx, actor, { query, limit: entitiesFoundMax })
  const byId = new Map(
    (await findEntitiesById(ctx.db, ctx.dialect, actor, ids)).map((entity) => [entity.id, entity]),
  )
  return openEntities(
    ctx,
    actor,
    ids.flatMap((id) => byId.get(id) ?? []),
  )
}

/** These entities in the order given, each with its relations, as much as fits in one answer. */
export async function openEntities(
  ctx: Context,
  actor: Actor,
  entities: readonly StoredEntity[],
): Promise<NamedGraph> {
  const answer = newAnswer()
  const taken = await takeEntities(ctx, actor, answer, entities, 'both')
  if (taken === entities.length) return toGraph(answer)
  const rest = entities.slice(taken).map((entity) => entity.name)
  const shown = rest.slice(0, 50).map((name) => JSON.stringify(name.slice(0, 100)))
  const notice = `Too much for one answer: ${taken} of ${entities.length} entities are here. Open the others by name: ${shown.join(', ')}${rest.length > 50 ? ' ...' : ''}`
  return { ...toGraph(answer), notice }
}

type Answer = {
  entities: NamedEntity[]
  relations: Map<string, NamedRelation>
  characters: number
  cut: string[]
}

const newAnswer = (): Answer => ({ entities: [], relations: new Map(), characters: 0, cut: [] })

function toGraph({ entities, relations, cut }: Answer): NamedGraph {
  const graph = { entities, relations: [...relations.values()] }
  if (cut.length === 0) return graph
  return {
    ...graph,
    notice: `Only part of the observations is here of: ${cut.join(', ')}. Use recall to find the others.`,
  }
}

/** Adds entities with their relations until the answer is full; answers how many it took. */
async function takeEntities(
  ctx: Context,
  actor: Actor,
  answer: Answer,
  entities: readonly StoredEntity[],
  relationsOf: 'source' | 'both' = 'source',
): Promise<number> {
  for (let start = 0; start < entities.length; start += entitiesPerRead) {
    const page = entities.slice(start, start + entitiesPerRead)
    const ids = page.map((entity) => entity.id)
    const observations = Map.groupBy(
      await listObservations(ctx.db, ctx.dialect, actor, ids),
      (row) => row.entityId,
    )
    const relations = await listRelationsOf(ctx.db, ctx.dialect, actor, ids)
    for (const [index, entity] of page.entries()) {
      const texts = (observations.get(entity.id) ?? []).map((observation) => observation.content)
      if (!takeEntity(answer, entity, texts)) return start + index
      for (const relation of relations) {
        const touches =
          relation.fromEntityId === entity.id || (relationsOf === 'both' && relation.toEntityId === entity.id)
        if (touches)
          takeRelation(answer, relation.id, {
            from: relation.fromEntity.name,
            to: relation.toEntity.name,
            relationType: relation.type,
          })
      }
    }
  }
  return entities.length
}

/** The first entity always fits, if need be without some of its observations. */
function takeEntity(answer: Answer, entity: StoredEntity, texts: string[]): boolean {
  const named: NamedEntity = { name: entity.name, entityType: entity.type, observations: [] }
  let characters = JSON.stringify(named).length
  for (const text of texts) {
    characters += JSON.stringify(text).length + 8
    if (answer.characters + characters > charactersMax) break
    named.observations.push(text)
  }
  const whole = named.observations.length === texts.length
  if (!whole && answer.entities.length > 0) return false
  if (!whole) answer.cut.push(entity.name)
  answer.entities.push(named)
  answer.characters += characters
  return true
}

function takeRelation(answer: Answer, id: string, relation: NamedRelation): void {
  if (answer.relations.has(id) || answer.characters > 2 * charactersMax) return
  answer.relations.set(id, relation)
  answer.characters += JSON.stringify(relation).length
}
