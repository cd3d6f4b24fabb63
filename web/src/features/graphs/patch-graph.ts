import type { GraphData, GraphEntity } from '@loci/contract/graph'
import type { GraphEvent } from '@loci/contract/realtime'

/**
 * A graph after a change. `open` graphs take in new entities as long as nothing was cut off; the others show the
 * surroundings of something, and only the server knows what else belongs there.
 */
export function patchGraph(graph: GraphData, event: GraphEvent, open: boolean): GraphData {
  switch (event.type) {
    case 'entity_created': {
      const { payload, timestamp } = event
      if (!open || graph.truncated || hasEntity(graph, payload.id)) return graph
      const entity = { ...payload, observationsCount: 0, createdAt: timestamp }
      return { ...graph, entities: [...graph.entities, entity] }
    }
    case 'entity_updated': {
      const { id, name, type } = event.payload
      return changeEntity(graph, id, (entity) => ({ ...entity, name, type }))
    }
    case 'observation_added':
      return changeEntity(graph, event.payload.entityId, (entity) => ({
        ...entity,
        observationsCount: entity.observationsCount + 1,
      }))
    case 'entity_deleted':
      return removeEntity(graph, event.payload.entityId)
    case 'relation_created': {
      const { payload, timestamp } = event
      const { fromEntityId, toEntityId } = payload
      if (!hasEntity(graph, fromEntityId) || !hasEntity(graph, toEntityId)) return graph
      if (graph.relations.some(({ id }) => id === payload.id)) return graph
      return { ...graph, relations: [...graph.relations, { ...payload, createdAt: timestamp }] }
    }
    case 'relation_updated': {
      const { id, relationType } = event.payload
      if (!graph.relations.some((relation) => relation.id === id)) return graph
      return {
        ...graph,
        relations: graph.relations.map((relation) =>
          relation.id === id ? { ...relation, relationType } : relation,
        ),
      }
    }
    case 'relation_deleted': {
      const { relationId } = event.payload
      if (!graph.relations.some(({ id }) => id === relationId)) return graph
      return { ...graph, relations: graph.relations.filter(({ id }) => id !== relationId) }
    }
  }
}

const hasEntity = ({ entities }: GraphData, id: string) => entities.some((entity) => entity.id === id)

function changeEntity(graph: GraphData, id: string, change: (entity: GraphEntity) => GraphEntity): GraphData {
  if (!hasEntity(graph, id)) return graph
  return { ...graph, entities: graph.entities.map((entity) => (entity.id === id ? change(entity) : entity)) }
}

function removeEntity(graph: GraphData, id: string): GraphData {
  if (!hasEntity(graph, id)) return graph
  return {
    ...graph,
    entities: graph.entities.filter((entity) => entity.id !== id),
    relations: graph.relations.filter(
      ({ fromEntityId, toEntityId }) => fromEntityId !== id && toEntityId !== id,
    ),
  }
}
