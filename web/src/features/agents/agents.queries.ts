import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const pollMs = 3_000
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
    refetchInterval: (query) => (query.state.data ? false : pollMs),
  })
}
