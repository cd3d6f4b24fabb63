import { ApiError } from '@loci/client/call'
import { notifyManager, type Query } from '@tanstack/react-query'
import { Queries } from './queries.ts'
import { onReachability } from './reachability.ts'

const retriesMax = 2

// Buttons learn of the change they began before the next click, so that a double click begins one only.
notifyManager.setScheduler((tell) => {
  if (window.event === undefined) setTimeout(tell, 0)
  else queueMicrotask(tell)
})

export const queryClient = new Queries({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Retry only server errors and missing responses; any other response is final.
      retry: (failures, error) =>
        failures < retriesMax && !(error instanceof ApiError && error.status < 500) && navigator.onLine,
      retryDelay: (attempt) => 400 * 2 ** attempt,
    },
    // A change that cannot be sent fails at once and keeps its form, instead of waiting unseen and being sent
    // much later.
    mutations: { networkMode: 'always' },
  },
})

/** Refetches failed queries once the server is reachable again. Call it once. */
export function renewWhenReachable(): void {
  onReachability((now) => {
    if (now === 'reachable') void queryClient.refetchQueries({ type: 'active', predicate: hasFailed })
  })
}

const hasFailed = ({ state }: Query): boolean => state.status === 'error'
