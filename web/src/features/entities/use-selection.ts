import type { Entity } from '@loci/contract/entities'
import { bulkEntitiesMax } from '@loci/contract/entity-types'
import type { GraphEvent } from '@loci/contract/realtime'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { onLiveEvent } from '../../lib/live.ts'

export type Selected = Pick<Entity, 'id' | 'name' | 'type'>

/** Adds entities to a selection, up to the maximum of one call. */
export function addAll(
  now: ReadonlyMap<string, Selected>,
  entities: readonly Selected[],
): ReadonlyMap<string, Selected> {
  const next = new Map(now)
  for (const entity of entities) if (next.size < bulkEntitiesMax) next.set(entity.id, entity)
  return next
}

/** What remains selected after a change of the graph, under its present name and type. */
function afterEvent(now: ReadonlyMap<string, Selected>, { type, payload }: GraphEvent) {
  if (type === 'entity_deleted' && now.has(payload.entityId)) {
    return new Map([...now].filter(([id]) => id !== payload.entityId))
  }
  if (type === 'entity_updated' && now.has(payload.id)) {
    const { id, name, type: ofType } = payload
    return new Map(now).set(id, { id, name, type: ofType })
  }
  return now
}

/** The ticked items of a list, as long as they exist; `clear` unticks them all. */
export function useSelection() {
  const [selected, setSelected] = useState<ReadonlyMap<string, Selected>>(new Map())
  const toggle = useCallback((entity: Selected) => {
    setSelected((now) => {
      if (!now.has(entity.id)) return addAll(now, [entity])
      const next = new Map(now)
      next.delete(entity.id)
      return next
    })
  }, [])
  const add = useCallback((entities: readonly Selected[]) => setSelected((now) => addAll(now, entities)), [])
  const clear = useCallback(() => setSelected(new Map()), [])
  useEffect(() => onLiveEvent((event) => setSelected((now) => afterEvent(now, event))), [])
  return useMemo(() => ({ selected, toggle, add, clear }), [selected, toggle, add, clear])
}

export type Selection = ReturnType<typeof useSelection>
