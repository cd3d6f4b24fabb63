import type { UsageResponse } from '@loci/contract/analytics'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** Polling stops after this many; coming back to the page polls again. */
const pollMs = 3_000
const pollsMax = 60
/** Once an agent has called, the list is refetched at most this often. */
const freshMs = 60_000
const dayMs = 24 * 60 * 60_000

const agentsQuery = <Selected>(select: (usage: UsageResponse) => Selected) => ({
  queryKey: queryKeys.agents(),
  queryFn: () => api.usage(),
  select,
})

/** Whether an agent has ever called this space over MCP; polls until one has. */
export function useAgentSeen() {
  return useQuery({
    ...agentsQuery(({ agentSeenAt }) => agentSeenAt !== null),
    refetchInterval: ({ state }) =>
      state.data?.agentSeenAt || state.dataUpdateCount >= pollsMax ? false : pollMs,
    refetchOnWindowFocus: ({ state }) => !state.data?.agentSeenAt,
  })
}

/** The named agents that have called over MCP, most recent first, and whether any, named or not, has called this space. */
export function useAgents() {
  return useQuery({
    ...agentsQuery(({ agents, agentSeenAt }) => ({ agents, hasCalled: agentSeenAt !== null })),
    staleTime: freshMs,
  })
}

/** Names of the agents that called in the last 24 hours. */
export function recentAgents(agents: UsageResponse['agents'], now = Date.now()): string[] {
  return agents.filter(({ lastSeenAt }) => now - Date.parse(lastSeenAt) < dayMs).map(({ name }) => name)
}
