import type { Space } from '@loci/contract/spaces'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const freshMs = 300_000

/** The account's spaces, oldest first; the counts are refetched when the menu opens. */
export function useSpaces() {
  return useQuery({
    queryKey: queryKeys.spaces,
    queryFn: async () => (await api.listSpaces()).spaces,
    staleTime: freshMs,
  })
}

/** Creates a space, or renames the one with this id. */
export function useSaveSpace() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, name }: { id: string | undefined; name: string }) =>
      (id
        ? await api.updateSpace({ params: { id }, body: { name } })
        : await api.createSpace({ body: { name } })
      ).space,
    onSuccess: (saved) => {
      client.setQueryData<Space[]>(queryKeys.spaces, (spaces = []) =>
        spaces.some(({ id }) => id === saved.id)
          ? spaces.map((space) => (space.id === saved.id ? saved : space))
          : [...spaces, saved],
      )
    },
  })
}

export function useDeleteSpace() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.deleteSpace({ params: { id } }),
    onSuccess: (_, id) => {
      client.setQueryData<Space[]>(queryKeys.spaces, (spaces = []) =>
        spaces.filter((space) => space.id !== id),
      )
    },
  })
}
