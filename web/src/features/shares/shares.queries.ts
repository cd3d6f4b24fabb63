import type { CreateShare } from '@loci/contract/shares'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'

/** The shared pages of the space, newest first. */
export function useShares() {
  return useQuery({
    queryKey: queryKeys.shares(),
    queryFn: async ({ signal }) => (await api.listShares({ signal })).shares,
  })
}

export const useCreateShare = () =>
  useChange(queryKeys.shares(), (body: CreateShare) => api.createShare({ body }))

export const useEndShare = () =>
  useChange(queryKeys.shares(), (id: string) => api.deleteShare({ params: { id } }))
