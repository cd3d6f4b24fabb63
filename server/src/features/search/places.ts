import type { Passage } from './count-words.ts'

/** Puts passages in the order in which they were told of their entity. */
export type Places = {
  /** Observations of an entity that follow one another without a gap, in order. */
  add: (entityId: number, observationIds: readonly number[]) => void
  /** Gives each passage of `texts` its position. */
  settle: () => void
}

/** Between observations of which it is not known what stands between them: too far for neighbours. */
const gap = 1_000

type OfEntity = { ids: Set<number>; next: Map<number, number> }

/** `texts` are the passages of observations by their numbers, `further` how many more than one those of others are. */
export function createPlaces(
  texts: ReadonlyMap<number, readonly Passage[]>,
  further: ReadonlyMap<number, number>,
): Places {
  const entities = new Map<number, OfEntity>()
  const changed = new Set<OfEntity>()
  return {
    add(entityId, observationIds) {
      let entity = entities.get(entityId)
      if (entity === undefined) {
        entity = { ids: new Set(), next: new Map() }
        entities.set(entityId, entity)
      }
      for (const [i, id] of observationIds.entries()) {
        entity.ids.add(id)
        const next = observationIds[i + 1]
        if (next !== undefined) entity.next.set(id, next)
      }
      changed.add(entity)
    },
    settle() {
      for (const entity of changed) settleEntity(entity, texts, further)
      changed.clear()
    },
  }
}

function settleEntity(
  { ids, next }: OfEntity,
  texts: ReadonlyMap<number, readonly Passage[]>,
  further: ReadonlyMap<number, number>,
): void {
  let position = 0
  let following: number | undefined
  for (const id of Uint32Array.from(ids).sort()) {
    if (following !== undefined && following !== id) position += gap
    const passages = texts.get(id) ?? []
    for (const [part, passage] of passages.entries()) passage.position = position + part
    position += Math.max(passages.length, 1 + (further.get(id) ?? 0))
    following = next.get(id) ?? -1
  }
}
