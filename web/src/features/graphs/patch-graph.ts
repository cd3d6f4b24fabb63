import type { GraphData } from '@loci/contract/graph'
import type { GraphEvent } from '@loci/contract/realtime'
import { type LiveGraph, liveGraphOf } from './live-graph.ts'

/**
 * Applies changes to a graph. `open` graphs add new entities unless they are truncated; the others show the
 * surroundings of something, and only the server knows what else belongs there.
 */
export function applyEvents(graph: LiveGraph, events: readonly GraphEvent[], open: boolean): void {
  for (const event of events) {
    if (event.type !== 'entity_created') apply(graph, event)
    else if (open && !graph.truncated && !graph.has(event.payload.id)) {
      const { timestamp } = event
      graph.setEntity({
        ...event.payload,
        observationsCount: 0,
        createdAt: timestamp,
        updatedAt: timestamp,
      })
    }
  }
  graph.tell()
}

/** The surroundings of something after changes; the same object if none concerns it. */
export function patchGraph(data: GraphData, events: readonly GraphEvent[]): GraphData {
  const graph = liveGraphOf(data)
  const { version } = graph
  applyEvents(graph, events, false)
  if (graph.version === version) return data
  return { ...data, entities: [...graph.entities()], relations: [...graph.relations()] }
}

function apply(graph: LiveGraph, event: Exclude<GraphEvent, { type: 'entity_created' }>): void {
  switch (event.type) {
    case 'entity_updated': {
      const entity = graph.findEntity(event.payload.id)
      if (entity) {
        const { name, type, observationsDeleted = [] } = event.payload
        const observationsCount = Math.max(0, entity.observationsCount - observationsDeleted.length)
        graph.setEntity({ ...entity, name, type, observationsCount, updatedAt: event.timestamp })
      }
      return
    }
    case 'observation_added': {
      const entity = graph.findEntity(event.payload.entityId)
      if (entity) {
        const observationsCount = entity.observationsCount + 1
        graph.setEntity({ ...entity, observationsCount, updatedAt: event.timestamp })
      }
      return
    }
    case 'entity_deleted':
      graph.removeEntity(event.payload.entityId)
      return
    case 'relation_created':
      graph.setRelation({ ...event.payload, createdAt: event.timestamp })
      return
    case 'relation_updated': {
      const relation = graph.findRelation(event.payload.id)
      if (!relation) return
      const { fromEntityId, toEntityId } = event.payload
      // A merge of entities moves the relation.
      const isMoved = relation.fromEntityId !== fromEntityId || relation.toEntityId !== toEntityId
      if (isMoved) graph.removeRelation(relation.id)
      graph.setRelation({ ...relation, ...event.payload })
      return
    }
    case 'relation_deleted':
      graph.removeRelation(event.payload.relationId)
  }
}
