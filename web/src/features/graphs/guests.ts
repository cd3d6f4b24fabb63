import type { GraphData, GraphRelation } from '@loci/contract/graph'

export type Expansion = { rootId: string; graph: GraphData }

/**
 * Nodes and relations shown in addition to a graph: the neighbours of expanded entities, and a path. An
 * expansion fetches two steps, to include relations between the new neighbours and existing nodes; only its
 * first step is shown.
 */
export function guestsOf(expansions: readonly Expansion[], path?: GraphData) {
  const near = expansions.map(({ rootId, graph }) => {
    const neighbours = neighboursOf(graph.relations, rootId)
    return graph.entities.filter(({ id }) => id === rootId || neighbours.has(id))
  })
  return {
    entities: [...near.flat(), ...(path?.entities ?? [])],
    relations: [...expansions.flatMap(({ graph }) => graph.relations), ...(path?.relations ?? [])],
  }
}

function neighboursOf(relations: readonly GraphRelation[], id: string): Set<string> {
  return new Set(
    relations.flatMap(({ fromEntityId, toEntityId }) =>
      fromEntityId === id ? [toEntityId] : toEntityId === id ? [fromEntityId] : [],
    ),
  )
}
