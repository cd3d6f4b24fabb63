import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** How soon a recall lights up for those who have the graph open. */
const lookMs = 4_000

/** The last recall in this space, looked for while the window is visible. */
export function useLastRecall(enabled: boolean) {
  return useQuery({
    queryKey: queryKeys.lastRecall,
    queryFn: async ({ signal }) => (await api.analytics({ signal })).lastRecall,
    refetchInterval: lookMs,
    enabled,
  })
}
