import type { GraphData, GraphEntity, GraphRelation } from '@loci/contract/graph'

export type Expansion = { rootId: string; graph: GraphData }

/**
 * The graph with the neighbours of expanded entities and the entities of a path. An expansion reaches two steps far,
 * so that the relations of the newcomers with what is there are known; only its first step is shown.
 */
export function mergeGraphs(base: GraphData, expansions: readonly Expansion[], path?: GraphData): GraphData {
  if (expansions.length === 0 && !path) return base
  const entities = new Map<string, GraphEntity>()
  const add = (list: readonly GraphEntity[]) => {
    for (const entity of list) if (!entities.has(entity.id)) entities.set(entity.id, entity)
  }
  add(base.entities)
  for (const { rootId, graph } of expansions) {
    const near = neighboursOf(graph.relations, rootId)
    add(graph.entities.filter(({ id }) => id === rootId || near.has(id)))
  }
  if (path) add(path.entities)

  const relations = new Map<string, GraphRelation>()
  for (const part of [base, ...expansions.map(({ graph }) => graph), ...(path ? [path] : [])]) {
    for (const relation of part.relations) {
      if (entities.has(relation.fromEntityId) && entities.has(relation.toEntityId)) {
        relations.set(relation.id, relations.get(relation.id) ?? relation)
      }
    }
  }
  return { entities: [...entities.values()], relations: [...relations.values()], truncated: base.truncated }
}

function neighboursOf(relations: readonly GraphRelation[], id: string): Set<string> {
  return new Set(
    relations.flatMap(({ fromEntityId, toEntityId }) =>
      fromEntityId === id ? [toEntityId] : toEntityId === id ? [fromEntityId] : [],
    ),
  )
}
