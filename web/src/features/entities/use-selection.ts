import type { Entity } from '@loci/contract/entities'
import { bulkEntitiesMax } from '@loci/contract/entity-types'
import { useCallback, useMemo, useState } from 'react'

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

/** The ticked items of a list; `clear` unticks them all. */
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
  return useMemo(() => ({ selected, toggle, add, clear }), [selected, toggle, add, clear])
}

export type Selection = ReturnType<typeof useSelection>
