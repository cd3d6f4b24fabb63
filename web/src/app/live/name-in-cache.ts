import type { QueryClient } from '@tanstack/react-query'
import type { ListData } from '../../lib/pages.ts'
import { queryKeys } from '../../lib/query-keys.ts'

type Named = { id: string; name: string }

/** The name of an entity, if a screen has loaded it. */
export function nameInCache(client: QueryClient, entityId: string): string | undefined {
  const one = client.getQueryData<{ entity: Named }>(queryKeys.entity(entityId))
  if (one) return one.entity.name
  for (const [, list] of client.getQueriesData<ListData<Named>>({ queryKey: queryKeys.entityLists() })) {
    for (const { rows } of list?.pages ?? []) {
      const found = rows.find(({ id }) => id === entityId)
      if (found) return found.name
    }
  }
  return undefined
}
