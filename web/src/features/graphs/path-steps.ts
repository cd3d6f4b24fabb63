import type { GraphData, GraphEntity } from '@loci/contract/graph'

/** A node on a path, and the relation to the next one; `forward` if it points that way. */
export type PathStep = { entity: GraphEntity; relation?: { type: string; forward: boolean } }

export function pathSteps({ entities, relations }: GraphData): PathStep[] {
  return entities.map((entity, index) => {
    const next = entities[index + 1]
    if (!next) return { entity }
    const forward = relations.find((it) => it.fromEntityId === entity.id && it.toEntityId === next.id)
    const back = relations.find((it) => it.fromEntityId === next.id && it.toEntityId === entity.id)
    const relation = forward ?? back
    return relation
      ? { entity, relation: { type: relation.relationType, forward: forward !== undefined } }
      : { entity }
  })
}
