import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { queryKeys } from './query-keys.ts'

const freshMs = 300_000

/** The account's spaces, oldest first; the counts are refetched when the menu opens. */
export function useSpaces() {
  return useQuery({
    queryKey: queryKeys.spaces(),
    queryFn: async () => (await api.listSpaces()).spaces,
    staleTime: freshMs,
  })
}
