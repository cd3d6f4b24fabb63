import type { CreateApiKey } from '@loci/contract/keys'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

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

export function useCreateKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: CreateApiKey) => api.createKey({ body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.keys() }),
  })
}

export function useRollKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (id: string) => (await api.rollKey({ params: { id } })).newKey,
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.keys() }),
  })
}

export function useDeleteKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.deleteKey({ params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.keys() }),
  })
}
