import type { GraphEvent } from '@loci/contract/realtime'

const rememberedMs = 10_000
const relationsGoMs = 3_000
const ids = new Set<string>()
let relationsGoUntil = 0

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

export function isOwnChange(event: GraphEvent): boolean {
  return ids.has(subjectOf(event)) || (event.type === 'relation_deleted' && Date.now() < relationsGoUntil)
}

/** The id of what an event is about. */
function subjectOf({ payload }: GraphEvent): string {
  if ('id' in payload) return payload.id
  return 'relationId' in payload ? payload.relationId : payload.entityId
}
