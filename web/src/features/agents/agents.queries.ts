import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** Each look counts as an operation of the plan: not so many when nobody is setting up an agent any more. */
const pollMs = 3_000
const pollsAtFirst = 60
const pollLaterMs = 30_000

/** Whether an agent has ever called over MCP; asked again until one has. */
export function useAgentSeen() {
  return useQuery({
    queryKey: queryKeys.agentSeen,
    queryFn: async () => (await api.usage()).agentSeenAt !== null,
    refetchInterval: ({ state }) => {
      if (state.data) return false
      return state.dataUpdateCount < pollsAtFirst ? pollMs : pollLaterMs
    },
  })
}
