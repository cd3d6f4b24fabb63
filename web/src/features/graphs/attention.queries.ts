import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const recallsRead = '500'

/** The latest recalls that the person may see, and how long they are kept. */
export function useLatestRecalls(enabled: boolean) {
  return useQuery({
    queryKey: queryKeys.recallsOfGraph(),
    queryFn: ({ signal }) => api.listRecalls({ query: { limit: recallsRead }, signal }),
    enabled,
  })
}
