import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** Each look counts as an operation of the plan: not so many when nobody is setting up an agent any more. */
const pollMs = 3_000
const pollsAtFirst = 60
const pollLaterMs = 30_000
const mcpResource = 'mcp'

/** Whether an agent has called over MCP this month; asked again until one has. */
export function useAgentSeen() {
  return useQuery({
    queryKey: queryKeys.agentSeen,
    queryFn: async () => {
      const { details } = await api.monthlySummary()
      return details.some(
        (detail) => detail.resource_type.startsWith(mcpResource) && detail.request_count > 0,
      )
    },
    refetchInterval: ({ state }) => {
      if (state.data) return false
      return state.dataUpdateCount < pollsAtFirst ? pollMs : pollLaterMs
    },
  })
}
