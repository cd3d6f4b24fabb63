import type { GraphData, GraphRelation } from '@loci/contract/graph'
import { jsonSize, takeFitting } from '../../ground/lib/json-size.ts'
import type { NamedRelation } from './graph-part.ts'

export type NamedNode = { name: string; entityType: string; observationsCount: number }
export type NamedPart = { entities: NamedNode[]; relations: NamedRelation[] }

/** A part of the graph by names. */
export function toNamedPart({ entities, relations }: GraphData): NamedPart {
  const nameOf = new Map(entities.map((entity) => [entity.id, entity.name]))
  return {
    entities: entities.map(({ name, type, observationsCount }) => ({
      name,
      entityType: type,
      observationsCount,
    })),
    relations: relations.map(({ fromEntityId, toEntityId, relationType }) => ({
      from: nameOf.get(fromEntityId) ?? '',
      to: nameOf.get(toEntityId) ?? '',
      relationType,
    })),
  }
}

/**
 * The surroundings of the first entity of a part, nearest first: each entity with its relations to earlier ones, as far
 * as they fit. Adds a notice about what did not fit.
 */
export function takeSurroundings(around: GraphData, room: number, notices: string[]): NamedPart {
  const named = toNamedPart(around)
  const placeOf = new Map(around.entities.map((entity, place) => [entity.id, place]))
  const lastPlace = ({ fromEntityId, toEntityId }: GraphRelation) =>
    Math.max(placeOf.get(fromEntityId) ?? 0, placeOf.get(toEntityId) ?? 0)
  const relationsOf = Map.groupBy(named.relations, (_, index) => lastPlace(around.relations[index]!))
  const part: NamedPart = { entities: [], relations: [] }
  let left = room
  for (const [place, node] of named.entities.entries()) {
    const isRoot = place === 0
    if (!isRoot && jsonSize(node) > left) break
    if (!isRoot) {
      part.entities.push(node)
      left -= jsonSize(node)
    }
    const mine = relationsOf.get(place) ?? []
    const { taken, size } = takeFitting(mine, left)
    part.relations.push(...taken)
    left -= size
    if (taken.length < mine.length) break
  }
  notices.push(...noticesOfRest(around, named, part))
  return part
}

function noticesOfRest(
  { truncated }: GraphData,
  all: NamedPart,
  { entities, relations }: NamedPart,
): string[] {
  const found = all.entities.length - 1
  if (entities.length < found || relations.length < all.relations.length) {
    return [
      `Of what is around it ${entities.length} of ${found} entities and ${relations.length} of ` +
        `${all.relations.length} relations fit here; ask for less depth, or explore from one of these.`,
    ]
  }
  return truncated
    ? ['There is more around it: raise limit (at most 200), or explore from one of these.']
    : []
}
