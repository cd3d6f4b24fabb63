import type { CreateShare } from '@loci/contract/shares'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** The shared pages of the space, newest first. */
export function useShares() {
  return useQuery({
    queryKey: queryKeys.shares(),
    queryFn: async ({ signal }) => (await api.listShares({ signal })).shares,
  })
}

export function useCreateShare() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: CreateShare) => api.createShare({ body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.shares() }),
  })
}

export function useEndShare() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.deleteShare({ params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.shares() }),
  })
}
