import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { whileLive } from './live.ts'
import { queryKeys } from './query-keys.ts'

export const entityTypesOptions = () =>
  queryOptions({
    queryKey: queryKeys.entityTypes(),
    queryFn: async ({ signal }) => (await api.listEntityTypes({ signal })).types,
    staleTime: whileLive,
  })

/** The current space's entity types, most frequent first, each with its colour. */
export function useEntityTypes() {
  return useQuery(entityTypesOptions())
}
