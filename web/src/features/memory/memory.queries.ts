import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const learnedShown = 9

/** The newest observations as the log has them, with their entities and who wrote them. */
export function useLearnedLately() {
  return useQuery({
    queryKey: queryKeys.learned,
    queryFn: async ({ signal }) => {
      const query = { operation: 'observation_added', limit: String(learnedShown) }
      return (await api.listChanges({ query, signal })).changes
    },
  })
}
