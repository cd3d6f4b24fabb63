import type { Change, ChangeOperation } from '@loci/contract/changes'
import { type GraphEvent, graphEventPayloads as payloads } from '@loci/contract/realtime'
import { z } from 'zod'

/** An event and the entities that it concerns. */
export type TouchingEvent = { event: GraphEvent; entityIds: string[] }

export type NamedEntity = { id: string; name: string; type: string }

const RelationEnds = z.object({ fromEntityId: z.string(), toEntityId: z.string() })

const corrections: readonly ChangeOperation[] = ['observation_deleted', 'observation_updated']

/** Entities whose observations were deleted or corrected, each with the number of the last such change. */
export function lastCorrections(changes: readonly Change[]): Map<string, number> {
  return new Map(
    changes.flatMap(({ operation, subject, seq }) =>
      corrections.includes(operation) && subject.entityId !== undefined ? [[subject.entityId, seq]] : [],
    ),
  )
}

/**
 * Converts changes to events for subscribers. Deleted and corrected observations become one update of their entity,
 * unless it was deleted; `entities` has those of {@link lastCorrections} that still exist. Erased changes are omitted.
 */
export function toGraphEvents(
  changes: readonly Change[],
  entities: ReadonlyMap<string, NamedEntity>,
): TouchingEvent[] {
  const last = lastCorrections(changes)
  return changes.flatMap((change) => {
    if (!corrections.includes(change.operation)) return toEvent(change)
    const entity = entities.get(change.subject.entityId ?? '')
    if (entity === undefined || last.get(entity.id) !== change.seq) return []
    const payload = payloads.entity_updated.parse(entity)
    return [{ event: { ...stampOf(change), type: 'entity_updated', payload }, entityIds: [entity.id] }]
  })
}

const stampOf = (change: Change) => ({ id: `evt_${change.seq}`, timestamp: change.at, seq: change.seq })

function toEvent(change: Change): TouchingEvent[] {
  const stamp = stampOf(change)
  const { operation: type, subject, before, after } = change
  switch (type) {
    case 'entity_created':
    case 'entity_updated': {
      if (after === null) return []
      return [{ event: { ...stamp, type, payload: payloads[type].parse(after) }, entityIds: [subject.id] }]
    }
    case 'entity_deleted':
    case 'entity_merged': {
      const payload = { entityId: subject.id, name: before === null ? '' : z.string().parse(before.name) }
      return [{ event: { ...stamp, type: 'entity_deleted', payload }, entityIds: [subject.id] }]
    }
    case 'relation_created':
    case 'relation_updated': {
      if (after === null) return []
      const entityIds = [...new Set([...endsOf(after), ...endsOf(before)])]
      return [{ event: { ...stamp, type, payload: payloads[type].parse(after) }, entityIds }]
    }
    case 'relation_deleted':
      return [{ event: { ...stamp, type, payload: { relationId: subject.id } }, entityIds: endsOf(before) }]
    case 'observation_added': {
      const { entityId } = subject
      if (entityId === undefined) return []
      const payload = { entityId, observationId: subject.id }
      return [{ event: { ...stamp, type, payload }, entityIds: [entityId] }]
    }
    default:
      return []
  }
}

function endsOf(relation: Change['after']): string[] {
  if (relation === null) return []
  const { fromEntityId, toEntityId } = RelationEnds.parse(relation)
  return [fromEntityId, toEntityId]
}
