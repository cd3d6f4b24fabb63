import type { Relation } from '@loci/contract/relations'

/** An entity's relations of one type in one direction. */
export type RelationshipGroup = {
  key: string
  type: string
  isOutgoing: boolean
  items: { relation: Relation; otherId: string; other: Relation['toEntity'] }[]
}

/** Relations by type and direction, outgoing ones first, the largest groups first. */
export function groupRelationships(relations: readonly Relation[], entityId: string): RelationshipGroup[] {
  const groups = new Map<string, RelationshipGroup>()
  for (const relation of relations) {
    const isOutgoing = relation.fromEntityId === entityId
    const key = `${isOutgoing ? 'out' : 'in'} ${relation.type}`
    const group = groups.get(key) ?? { key, type: relation.type, isOutgoing, items: [] }
    groups.set(key, group)
    group.items.push({
      relation,
      otherId: isOutgoing ? relation.toEntityId : relation.fromEntityId,
      other: isOutgoing ? relation.toEntity : relation.fromEntity,
    })
  }
  return [...groups.values()].sort(
    (a, b) => Number(b.isOutgoing) - Number(a.isOutgoing) || b.items.length - a.items.length,
  )
}
