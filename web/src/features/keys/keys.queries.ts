import type { CreateApiKey } from '@loci/contract/keys'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'

export function useKeys() {
  return useQuery({ queryKey: queryKeys.keys(), queryFn: async () => (await api.listKeys()).apiKeys })
}

/** Whole keys created in this session, by id; kept until the page is left, never stored. */
export function useKeySecrets() {
  const client = useQueryClient()
  const { data: secrets } = useQuery<Record<string, string>>({
    queryKey: queryKeys.keySecrets(),
    queryFn: () => ({}),
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
  })
  function remember(id: string, apiKey: string) {
    client.setQueryData<Record<string, string>>(queryKeys.keySecrets(), (known) => ({
      ...known,
      [id]: apiKey,
    }))
  }
  return { secrets: secrets ?? {}, remember }
}

export const useCreateKey = () => useChange(queryKeys.keys(), (body: CreateApiKey) => api.createKey({ body }))

export const useRollKey = () =>
  useChange(queryKeys.keys(), async (id: string) => (await api.rollKey({ params: { id } })).newKey)

export const useDeleteKey = () =>
  useChange(queryKeys.keys(), (id: string) => api.deleteKey({ params: { id } }))
