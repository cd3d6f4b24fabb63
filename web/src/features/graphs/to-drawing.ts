import type { GraphData } from '@loci/contract/graph'
import type { GraphData as Drawing } from '../../graph-engine/types.ts'

/** The graph as the engine takes it. */
export function toDrawing({ entities, relations }: GraphData): Drawing {
  return {
    nodes: entities.map(({ id, name, type, observationsCount }) => ({
      id,
      label: name,
      type,
      observationsCount,
    })),
    edges: relations.map(({ id, fromEntityId, toEntityId, relationType }) => ({
      id,
      source: fromEntityId,
      target: toEntityId,
      type: relationType,
    })),
  }
}
