import { ApiError } from '@loci/client/call'
import { QueryClient } from '@tanstack/react-query'

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
  },
})
