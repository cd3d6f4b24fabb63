import type { Change } from '@loci/contract/changes'
import { type GraphEvent, graphEventPayloads as payloads } from '@loci/contract/realtime'
import { z } from 'zod'

/** An event and the entities that it touches. */
export type TouchingEvent = { event: GraphEvent; entityIds: string[] }

export type NamedEntity = { id: string; name: string; type: string }

const RelationEnds = z.object({ fromEntityId: z.string(), toEntityId: z.string() })
const OfEntity = z.object({ entityId: z.string() })

/** Entities of which observations were deleted, each with the number of the last such change. */
export function lastDeletions(changes: readonly Change[]): Map<string, number> {
  return new Map(
    changes
      .filter((change) => change.operation === 'observation_deleted')
      .map((change) => [OfEntity.parse(change.before).entityId, change.seq]),
  )
}

/**
 * What subscribers are told of changes. Deleted observations are told as one update of their entity, unless it is
 * gone; `entities` has those that {@link lastDeletions} names and that are still there.
 */
export function toGraphEvents(
  changes: readonly Change[],
  entities: ReadonlyMap<string, NamedEntity>,
): TouchingEvent[] {
  const deletions = lastDeletions(changes)
  return changes.flatMap((change) => {
    if (change.operation !== 'observation_deleted') return [toEvent(change, change.operation)]
    const entity = entities.get(OfEntity.parse(change.before).entityId)
    if (entity === undefined || deletions.get(entity.id) !== change.seq) return []
    const payload = payloads.entity_updated.parse(entity)
    return [{ event: { ...stampOf(change), type: 'entity_updated', payload }, entityIds: [entity.id] }]
  })
}

const stampOf = (change: Change) => ({ id: `evt_${change.seq}`, timestamp: change.at, seq: change.seq })

function toEvent(change: Change, type: Exclude<Change['operation'], 'observation_deleted'>): TouchingEvent {
  const stamp = stampOf(change)
  const { subjectId, before, after } = change
  switch (type) {
    case 'entity_created':
    case 'entity_updated':
      return { event: { ...stamp, type, payload: payloads[type].parse(after) }, entityIds: [subjectId] }
    case 'entity_deleted': {
      const payload = payloads.entity_deleted.parse({ ...before, entityId: subjectId })
      return { event: { ...stamp, type, payload }, entityIds: [subjectId] }
    }
    case 'relation_created':
    case 'relation_updated':
      return { event: { ...stamp, type, payload: payloads[type].parse(after) }, entityIds: endsOf(after) }
    case 'relation_deleted':
      return { event: { ...stamp, type, payload: { relationId: subjectId } }, entityIds: endsOf(before) }
    case 'observation_added': {
      const { entityId } = OfEntity.parse(after)
      return {
        event: { ...stamp, type, payload: { entityId, observationId: subjectId } },
        entityIds: [entityId],
      }
    }
  }
}

function endsOf(relation: Change['after']): string[] {
  const { fromEntityId, toEntityId } = RelationEnds.parse(relation)
  return [fromEntityId, toEntityId]
}
