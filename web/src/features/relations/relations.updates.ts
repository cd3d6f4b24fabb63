import type { GraphEvent } from '@loci/contract/realtime'
import type { Relation } from '@loci/contract/relations'
import type { QueryClient } from '@tanstack/react-query'
import { calm } from '../../lib/calm.ts'
import { patchInLists, refreshHeads, removeFromLists } from '../../lib/live-lists.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { fetchRelations } from './fetch-relations.ts'

const intervalMs = 300

/** Refreshes relation lists, type counts and the relations of the open entity. */
export function refreshRelations(client: QueryClient): void {
  // A failed refresh keeps the current data; the next refresh corrects it.
  void refreshHeads(client, queryKeys.relationLists(), fetchRelations).catch(() => {})
  void client.invalidateQueries({ queryKey: queryKeys.relationTypes() })
  void client.invalidateQueries({ queryKey: queryKeys.relationsOfEntities() })
}

/** Applies changes of relations, and of the entities at their ends, to the lists. */
export function createRelationUpdates(client: QueryClient): (event: GraphEvent) => void {
  const refresh = calm(() => refreshRelations(client), intervalMs)

  return (event) => {
    switch (event.type) {
      case 'relation_updated': {
        const { id, relationType } = event.payload
        patchInLists<Relation>(client, queryKeys.relationLists(), id, (relation) => ({
          ...relation,
          type: relationType,
          relationType,
        }))
        return refresh()
      }
      case 'relation_deleted':
        removeFromLists(client, queryKeys.relationLists(), event.payload.relationId)
        return refresh()
      case 'relation_created':
      case 'entity_updated':
      case 'entity_deleted':
        return refresh()
    }
  }
}
