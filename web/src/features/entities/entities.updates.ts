import type { Entity } from '@loci/contract/entities'
import type { GraphEvent } from '@loci/contract/realtime'
import type { QueryClient } from '@tanstack/react-query'
import { calm } from '../../lib/calm.ts'
import type { EntityFilter } from '../../lib/filters.ts'
import { patchInLists, refreshHeads, refreshRows, removeFromLists } from '../../lib/live-lists.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { createSpacedRuns } from '../../lib/spaced-runs.ts'
import { fetchEntities } from './fetch-entities.ts'

const intervalMs = 300

/** Refreshes entity lists and type counts after our own change. */
export function refreshEntities(client: QueryClient): void {
  // A failed refresh keeps the current data; the next refresh corrects it.
  void refreshHeads(client, queryKeys.entityLists(), fetchEntities).catch(() => {})
  void client.invalidateQueries({ queryKey: queryKeys.entityTypes() })
}

/** Applies entity changes to the lists and the open entity. */
export function createEntityUpdates(client: QueryClient): (event: GraphEvent) => void {
  let changed = new Set<string>()
  const refresh = calm(() => {
    const ids = changed
    changed = new Set()
    refreshEntities(client)
    void refreshRows<Entity, EntityFilter>(client, queryKeys.entityLists(), ids, fetchEntities).catch(
      () => {},
    )
  }, intervalMs)
  // An entity can have thousands of observations: do not refetch it for every event of a stream.
  const readAgain = createSpacedRuns((id) => client.invalidateQueries({ queryKey: queryKeys.entity(id) }))
  const renewEntity = (id: string) => {
    changed.add(id)
    readAgain(id)
  }

  return (event) => {
    switch (event.type) {
      case 'entity_created':
        return refresh()
      case 'entity_updated': {
        const { id, name, type, observationsDeleted = [] } = event.payload
        patchInLists<Entity>(client, queryKeys.entityLists(), id, (entity) => ({
          ...entity,
          name,
          type,
          observationsCount: Math.max(0, entity.observationsCount - observationsDeleted.length),
        }))
        renewEntity(id)
        return refresh()
      }
      case 'entity_deleted':
        removeFromLists(client, queryKeys.entityLists(), event.payload.entityId)
        renewEntity(event.payload.entityId)
        return refresh()
      case 'observation_added': {
        const { entityId } = event.payload
        patchInLists<Entity>(client, queryKeys.entityLists(), entityId, (entity) => ({
          ...entity,
          observationsCount: entity.observationsCount + 1,
        }))
        renewEntity(entityId)
        return refresh()
      }
    }
  }
}
