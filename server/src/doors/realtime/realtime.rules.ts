import type { Change, ChangeOperation } from '@loci/contract/changes'
import { type GraphEvent, graphEventPayloads as payloads } from '@loci/contract/realtime'
import { z } from 'zod'

/** An event and the entities that it concerns. */
export type TouchingEvent = { event: GraphEvent; entityIds: string[] }

export type TouchedEntity = { id: string; name: string; type: string }

const RelationEnds = z.object({ fromEntityId: z.string(), toEntityId: z.string() })

const corrections: readonly ChangeOperation[] = ['observation_deleted', 'observation_updated']

type Corrections = {
  /** The number of the last such change. */
  lastSeq: number
  updated: Set<string>
  deleted: Set<string>
}

/** Observations that were deleted or corrected, by entity. */
export function correctionsOf(changes: readonly Change[]): Map<string, Corrections> {
  const found = new Map<string, Corrections>()
  for (const { operation, subject, seq } of changes) {
    if (!corrections.includes(operation) || subject.entityId === undefined) continue
    const of = found.get(subject.entityId) ?? { lastSeq: seq, updated: new Set(), deleted: new Set() }
    found.set(subject.entityId, of)
    of.lastSeq = seq
    if (operation === 'observation_updated') of.updated.add(subject.id)
    else of.deleted.add(subject.id)
  }
  return found
}

/**
 * Converts changes to events for subscribers. Deleted and corrected observations become one update of their entity,
 * unless it was deleted; `entities` has those of {@link correctionsOf} that still exist. Erased changes are omitted.
 */
export function toGraphEvents(
  changes: readonly Change[],
  entities: ReadonlyMap<string, TouchedEntity>,
): TouchingEvent[] {
  const corrected = correctionsOf(changes)
  return changes.flatMap((change) => {
    if (isToldAlready(change, changes)) return []
    if (!corrections.includes(change.operation)) return toEvent(change)
    const entity = entities.get(change.subject.entityId ?? '')
    const of = entity && corrected.get(entity.id)
    if (entity === undefined || of?.lastSeq !== change.seq) return []
    const payload = {
      ...payloads.entity_updated.parse(entity),
      ...(of.updated.size > 0 && { observationsUpdated: [...of.updated] }),
      ...(of.deleted.size > 0 && { observationsDeleted: [...of.deleted] }),
    }
    return [{ event: { ...stampOf(change), type: 'entity_updated', payload }, entityIds: [entity.id] }]
  })
}

/** Erasing an entity that still exists deletes it first. */
function isToldAlready({ operation, subject, setId }: Change, changes: readonly Change[]): boolean {
  if (operation !== 'entity_erased') return false
  return changes.some(
    (other) =>
      other.operation === 'entity_deleted' && other.subject.id === subject.id && other.setId === setId,
  )
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
    case 'entity_merged':
    case 'entity_erased': {
      const name = before === null ? '' : z.string().parse(before.name)
      const payload = {
        entityId: subject.id,
        name,
        ...(type === 'entity_merged' && { merged: true as const }),
      }
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
