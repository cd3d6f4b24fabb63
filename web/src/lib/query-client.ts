import { ApiError } from '@loci/client/call'
import { type Query, QueryClient } from '@tanstack/react-query'
import { onReachability } from './reachability.ts'

const retriesMax = 2

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // An answer is an answer; only a server in trouble, or none at all, is worth asking again.
      retry: (failures, error) =>
        failures < retriesMax && !(error instanceof ApiError && error.status < 500) && navigator.onLine,
      retryDelay: (attempt) => 400 * 2 ** attempt,
    },
    // A change that cannot be sent fails at once and keeps its form, rather than wait unseen and be sent much later.
    mutations: { networkMode: 'always' },
  },
})

/** What failed while the server was away is asked for again once it is back; called once. */
export function renewWhenReachable(): void {
  onReachability((now) => {
    if (now === 'reachable') void queryClient.refetchQueries({ type: 'active', predicate: hasFailed })
  })
}

const hasFailed = ({ state }: Query): boolean => state.status === 'error'
