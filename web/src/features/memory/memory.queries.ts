import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const learnedShown = 9

/** The newest observations in the change log, with their entities and writers; of one agent, or of all. */
export function useLearnedLately(agent = '') {
  return useQuery({
    queryKey: queryKeys.learnedBy(agent),
    queryFn: async ({ signal }) => {
      const client = agent === '' ? {} : { client: agent }
      const query = { operation: 'observation_added', limit: String(learnedShown), ...client }
      return (await api.listChanges({ query, signal })).changes
    },
  })
}
