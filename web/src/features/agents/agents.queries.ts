import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** Each look counts as an operation of the plan: after so many, only whoever comes back to the page asks again. */
const pollMs = 3_000
const pollsMax = 60

/** Whether an agent has ever called over MCP; asked again until one has. */
export function useAgentSeen() {
  return useQuery({
    queryKey: queryKeys.agentSeen,
    queryFn: async () => (await api.usage()).agentSeenAt !== null,
    refetchInterval: ({ state }) => (state.data || state.dataUpdateCount >= pollsMax ? false : pollMs),
    refetchOnWindowFocus: ({ state }) => !state.data,
  })
}
