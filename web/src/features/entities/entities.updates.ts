import type { Entity } from '@loci/contract/entities'
import type { GraphEvent } from '@loci/contract/realtime'
import type { QueryClient } from '@tanstack/react-query'
import { calm } from '../../lib/calm.ts'
import { patchInLists, refreshHeads, refreshRows, removeFromLists } from '../../lib/live-lists.ts'
import { type EntityFilter, queryKeys } from '../../lib/query-keys.ts'
import { createSpacedRuns } from '../../lib/spaced-runs.ts'
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
  let changed = new Set<string>()
  const refresh = calm(() => {
    const ids = changed
    changed = new Set()
    refreshEntities(client)
    void refreshRows<Entity, EntityFilter>(client, queryKeys.entityLists, ids, fetchEntities).catch(() => {})
  }, intervalMs)
  // One entity may have thousands of observations: a stream of events must not have it read without end.
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
