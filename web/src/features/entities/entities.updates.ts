import type { Entity } from '@loci/contract/entities'
import type { GraphEvent } from '@loci/contract/realtime'
import type { QueryClient } from '@tanstack/react-query'
import { calm } from '../../lib/calm.ts'
import { patchInLists, refreshHeads, removeFromLists } from '../../lib/live-lists.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { fetchEntities } from './fetch-entities.ts'

const intervalMs = 300

/** Brings lists and type counts of entities up to date after a change of our own. */
export function refreshEntities(client: QueryClient): void {
  // A failed refresh leaves what is shown; the next one mends it.
  void refreshHeads(client, queryKeys.entityLists, fetchEntities).catch(() => {})
  void client.invalidateQueries({ queryKey: queryKeys.entityTypes })
}

/** Carries changes of entities into the lists and the open entity. */
export function createEntityUpdates(client: QueryClient): (event: GraphEvent) => void {
  const refresh = calm(() => refreshEntities(client), intervalMs)
  const renewEntity = (id: string) => void client.invalidateQueries({ queryKey: queryKeys.entity(id) })

  return (event) => {
    switch (event.type) {
      case 'entity_created':
        return refresh()
      case 'entity_updated': {
        const { id, name, type } = event.payload
        patchInLists<Entity>(client, queryKeys.entityLists, id, (entity) => ({ ...entity, name, type }))
        renewEntity(id)
        return refresh()
      }
      case 'entity_deleted':
        removeFromLists(client, queryKeys.entityLists, event.payload.entityId)
        renewEntity(event.payload.entityId)
        return refresh()
      case 'observation_added': {
        const { entityId } = event.payload
        patchInLists<Entity>(client, queryKeys.entityLists, entityId, (entity) => ({
          ...entity,
          observationsCount: entity.observationsCount + 1,
        }))
        renewEntity(entityId)
        return refresh()
      }
    }
  }
}
