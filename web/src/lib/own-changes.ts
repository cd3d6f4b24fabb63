import type { GraphEvent } from '@loci/contract/realtime'

const rememberedMs = 10_000
const relationsGoMs = 3_000
const batchMs = 3_000
const ids = new Set<string>()
let relationsGoUntil = 0
let quietUntil = 0

/** Remembers what this tab itself changed, so that it is not told of it a second time. */
export function markOwnChange(id: string): void {
  ids.add(id)
  setTimeout(() => ids.delete(id), rememberedMs)
}

/** The same for an entity that this tab deletes: its relations go with it, and nobody here knows their ids. */
export function markOwnDeletion(entityId: string): void {
  markOwnChange(entityId)
  relationsGoUntil = Date.now() + relationsGoMs
}

/** The same for much at once, whose ids come with the answer: the events may be quicker. */
export function markOwnBatch(): void {
  quietUntil = Date.now() + batchMs
}

export function isOwnChange(event: GraphEvent): boolean {
  if (Date.now() < quietUntil) return true
  return ids.has(subjectOf(event)) || (event.type === 'relation_deleted' && Date.now() < relationsGoUntil)
}

/** The id of what an event is about. */
function subjectOf({ payload }: GraphEvent): string {
  if ('id' in payload) return payload.id
  return 'relationId' in payload ? payload.relationId : payload.entityId
}
