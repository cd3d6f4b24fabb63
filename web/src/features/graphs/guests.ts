import type { GraphData, GraphRelation } from '@loci/contract/graph'

export type Expansion = { rootId: string; graph: GraphData }

/**
 * What is shown beside a graph: the neighbours of expanded entities, and a path. An expansion reaches two steps far, so
 * that the relations of the newcomers with what is there are known; only its first step is shown.
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
