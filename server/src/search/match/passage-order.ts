import type { OfEntity } from '../store/index-rows.ts'
import type { Passage } from './count-words.ts'
import { weights } from './weights.ts'

/** Puts the passages of each entity in the order in which they were stored. */
export type PassageOrder = {
  /** Adds consecutive observations of an entity, in order. */
  add: (entityId: number, observationIds: readonly number[]) => void
  /** The passages' observations whose distance to the next of them is unknown. */
  listUnknown: (passages: readonly Passage[]) => OfEntity[]
  /** Sets the position of each passage of `texts`. */
  settle: () => void
}

/** Distance of observations with unknown ones between them; too far for neighbours. */
const gap = 1_000

type Chains = { ids: Set<number>; next: Map<number, number> }

/** `texts`: passages by observation number; `further`: for other observations, the passages beyond the first. */
export function createPassageOrder(
  texts: ReadonlyMap<number, readonly Passage[]>,
  further: ReadonlyMap<number, number>,
): PassageOrder {
  const entities = new Map<number, Chains>()
  const changed = new Set<Chains>()

  function add(entityId: number, observationIds: readonly number[]): void {
    let entity = entities.get(entityId)
    if (entity === undefined) {
      entity = { ids: new Set(), next: new Map() }
      entities.set(entityId, entity)
    }
    for (let i = 0; i < observationIds.length; i += 1) {
      const id = observationIds[i]!
      entity.ids.add(id)
      const next = observationIds[i + 1]
      if (next !== undefined) entity.next.set(id, next)
    }
    changed.add(entity)
  }

  return {
    add,
    listUnknown(passages) {
      const unknown: OfEntity[] = []
      for (const [entityId, ids] of sortByEntity(passages)) {
        for (let i = 0; i + 1 < ids.length; i += 1) {
          const [id, later] = [ids[i]!, ids[i + 1]!]
          // Consecutive numbers leave no room for another observation.
          if (later === id + 1) add(entityId, [id, later])
          else if (!isKnown(entities.get(entityId), id, later)) unknown.push({ id, entityId })
        }
      }
      return unknown
    },
    settle() {
      for (const entity of changed) settleEntity(entity, texts, further)
      changed.clear()
    },
  }
}

function sortByEntity(passages: readonly Passage[]): [entityId: number, ids: Uint32Array][] {
  const groups = new Map<number, Set<number>>()
  for (const { entityId, observationId } of passages) {
    const group = groups.get(entityId)
    if (group === undefined) groups.set(entityId, new Set([observationId]))
    else group.add(observationId)
  }
  return [...groups].map(([entityId, ids]) => [entityId, Uint32Array.from(ids).sort()])
}

/** Whether it is known if the later one is close enough to be a neighbour. */
function isKnown(chains: Chains | undefined, id: number, later: number): boolean {
  let reached: number | undefined = id
  for (let step = 0; step < weights.neighboursMax; step += 1) {
    reached = chains?.next.get(reached)
    if (reached === undefined) return false
    if (reached >= later) return true
  }
  return true
}

function settleEntity(
  { ids, next }: Chains,
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
