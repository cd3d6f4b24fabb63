import type { Space } from '@loci/contract/spaces'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

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
