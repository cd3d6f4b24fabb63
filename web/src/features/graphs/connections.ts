import type { GraphEntity } from '@loci/contract/graph'
import type { LiveGraph } from './live-graph.ts'

export type Connection = { id: string; relationType: string; outgoing: boolean; entity: GraphEntity }

/** The relations of one entity, each with the entity at its other end. */
export function connectionsOf(graph: LiveGraph, id: string): Connection[] {
  return graph.relationsAt(id).flatMap((relation) => {
    const outgoing = relation.fromEntityId === id
    const entity = graph.findEntity(outgoing ? relation.toEntityId : relation.fromEntityId)
    return entity ? [{ id: relation.id, relationType: relation.relationType, outgoing, entity }] : []
  })
}
