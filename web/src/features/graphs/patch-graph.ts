import type { GraphData, GraphEntity, GraphRelation } from '@loci/contract/graph'
import type { GraphEvent } from '@loci/contract/realtime'

/**
 * A graph after changes. `open` graphs take in new entities as long as nothing was cut off; the others show the
 * surroundings of something, and only the server knows what else belongs there.
 */
export function patchGraph(graph: GraphData, events: readonly GraphEvent[], open: boolean): GraphData {
  const entities = new Rows(graph.entities)
  const relations = new Rows(graph.relations)
  for (const event of events) {
    if (event.type === 'entity_created') {
      if (open && !graph.truncated) entities.add(newEntity(event))
    } else patch(entities, relations, event)
  }
  if (!entities.changed && !relations.changed) return graph
  return { ...graph, entities: entities.list, relations: relations.list }
}

type Created = Extract<GraphEvent, { type: 'entity_created' }>

function newEntity({ payload, timestamp }: Created): GraphEntity {
  return { ...payload, observationsCount: 0, createdAt: timestamp }
}

function patch(
  entities: Rows<GraphEntity>,
  relations: Rows<GraphRelation>,
  event: Exclude<GraphEvent, Created>,
): void {
  switch (event.type) {
    case 'entity_updated': {
      const { id, name, type } = event.payload
      entities.change(id, (entity) => ({ ...entity, name, type }))
      return
    }
    case 'observation_added':
      entities.change(event.payload.entityId, (entity) => ({
        ...entity,
        observationsCount: entity.observationsCount + 1,
      }))
      return
    case 'entity_deleted': {
      const { entityId } = event.payload
      if (!entities.remove(entityId)) return
      for (const { id, fromEntityId, toEntityId } of relations.list) {
        if (fromEntityId === entityId || toEntityId === entityId) relations.remove(id)
      }
      return
    }
    case 'relation_created': {
      const { payload, timestamp } = event
      if (entities.has(payload.fromEntityId) && entities.has(payload.toEntityId))
        relations.add({ ...payload, createdAt: timestamp })
      return
    }
    case 'relation_updated': {
      const { id, relationType } = event.payload
      relations.change(id, (relation) => ({ ...relation, relationType }))
      return
    }
    case 'relation_deleted':
      relations.remove(event.payload.relationId)
  }
}

/** Rows by id in their order; the look-up is made once for all events, and only if one asks. */
class Rows<Row extends { id: string }> {
  changed = false
  readonly #given: Row[]
  #byId: Map<string, Row> | undefined

  constructor(given: Row[]) {
    this.#given = given
  }

  get list(): Row[] {
    return this.changed ? [...this.#rows.values()] : this.#given
  }

  has(id: string): boolean {
    return this.#rows.has(id)
  }

  add(row: Row): void {
    if (this.has(row.id)) return
    this.#rows.set(row.id, row)
    this.changed = true
  }

  change(id: string, change: (row: Row) => Row): void {
    const row = this.#rows.get(id)
    if (row === undefined) return
    this.#rows.set(id, change(row))
    this.changed = true
  }

  remove(id: string): boolean {
    const found = this.#rows.delete(id)
    this.changed ||= found
    return found
  }

  get #rows(): Map<string, Row> {
    this.#byId ??= new Map(this.#given.map((row) => [row.id, row]))
    return this.#byId
  }
}
