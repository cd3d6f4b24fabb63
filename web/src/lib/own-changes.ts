import type { GraphEvent } from '@loci/contract/realtime'

const rememberedMs = 10_000
const relationsGoMs = 3_000
const batchMs = 3_000
const ids = new Set<string>()
let relationsGoUntil = 0
let quietUntil = 0

/** Remembers this tab's own changes, so that it is not notified of them. */
export function markOwnChange(id: string): void {
  ids.add(id)
  setTimeout(() => ids.delete(id), rememberedMs)
}

/**
 * The same for an entity that this tab deletes: its relations are deleted with it, and the client does not
 * know their ids.
 */
export function markOwnDeletion(entityId: string): void {
  markOwnChange(entityId)
  relationsGoUntil = Date.now() + relationsGoMs
}

/** The same for a bulk change: its ids come with the response, which events can overtake. */
export function markOwnBatch(): void {
  quietUntil = Date.now() + batchMs
}

export function isOwnChange(event: GraphEvent): boolean {
  if (Date.now() < quietUntil) return true
  return ids.has(subjectOf(event)) || (event.type === 'relation_deleted' && Date.now() < relationsGoUntil)
}

/** The id of an event's subject. */
function subjectOf({ payload }: GraphEvent): string {
  if ('id' in payload) return payload.id
  return 'relationId' in payload ? payload.relationId : payload.entityId
}
