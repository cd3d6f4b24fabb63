import type { GraphData, GraphEntity } from '@loci/contract/graph'

export type TypeCount = { type: string; count: number }
export type Connection = { id: string; relationType: string; outgoing: boolean; entity: GraphEntity }

/** The types of a graph's entities, the most frequent first. */
export function countTypes(entities: readonly GraphEntity[]): TypeCount[] {
  const counts = new Map<string, number>()
  for (const { type } of entities) counts.set(type, (counts.get(type) ?? 0) + 1)
  return [...counts]
    .map(([type, count]) => ({ type, count }))
    .sort((a, b) => b.count - a.count || a.type.localeCompare(b.type))
}

/** How many relations of the graph each entity is an end of. */
export function countRelations({ relations }: GraphData): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { fromEntityId, toEntityId } of relations) {
    counts.set(fromEntityId, (counts.get(fromEntityId) ?? 0) + 1)
    if (toEntityId !== fromEntityId) counts.set(toEntityId, (counts.get(toEntityId) ?? 0) + 1)
  }
  return counts
}

/** The relations of one entity, each with the entity at its other end. */
export function connectionsOf({ entities, relations }: GraphData, id: string): Connection[] {
  const own = relations.filter(({ fromEntityId, toEntityId }) => fromEntityId === id || toEntityId === id)
  const others = new Set(own.flatMap(({ fromEntityId, toEntityId }) => [fromEntityId, toEntityId]))
  const byId = new Map(
    entities.filter((entity) => others.has(entity.id)).map((entity) => [entity.id, entity]),
  )
  return own.flatMap((relation) => {
    const outgoing = relation.fromEntityId === id
    const entity = byId.get(outgoing ? relation.toEntityId : relation.fromEntityId)
    return entity ? [{ id: relation.id, relationType: relation.relationType, outgoing, entity }] : []
  })
}
