import type { UsageResponse } from '@loci/contract/analytics'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** Each look counts as an operation of the plan: after so many, only whoever comes back to the page asks again. */
const pollMs = 3_000
const pollsMax = 60
/** Agents come and go; who is not waiting for the first looks this often at most. */
const freshMs = 60_000
const dayMs = 24 * 60 * 60_000

const agentsQuery = <Selected>(select: (usage: UsageResponse) => Selected) => ({
  queryKey: queryKeys.agents,
  queryFn: () => api.usage(),
  select,
})

/** Whether an agent has ever called over MCP; asked again until one has. */
export function useAgentSeen() {
  return useQuery({
    ...agentsQuery(({ agentSeenAt }) => agentSeenAt !== null),
    refetchInterval: ({ state }) =>
      state.data?.agentSeenAt || state.dataUpdateCount >= pollsMax ? false : pollMs,
    refetchOnWindowFocus: ({ state }) => !state.data?.agentSeenAt,
  })
}

/** Those that called over MCP by their names, the last first, and whether any has called, with a name or without. */
export function useAgents() {
  return useQuery({
    ...agentsQuery(({ agents, agentSeenAt }) => ({ agents, hasCalled: agentSeenAt !== null })),
    staleTime: freshMs,
  })
}

/** Names of those that called in the last 24 hours. */
export function recentAgents(agents: UsageResponse['agents'], now = Date.now()): string[] {
  return agents.filter(({ lastSeenAt }) => now - Date.parse(lastSeenAt) < dayMs).map(({ name }) => name)
}
