import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'
import { queryKeys } from './query-keys.ts'

const entitiesMax = '20'

/** The best entities for a text, or the newest for none. The pickers and the palette share what each has found. */
export const entitiesFound = (query: string) =>
  queryOptions({
    queryKey: queryKeys.entitiesFound(query),
    queryFn: async ({ signal }) =>
      (await api.listEntities({ query: { query, limit: entitiesMax }, signal })).entities,
    placeholderData: keepPreviousData,
  })
