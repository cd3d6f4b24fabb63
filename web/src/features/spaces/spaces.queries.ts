import type { Space } from '@loci/contract/spaces'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useScope } from '../../lib/scope.ts'
import { spaceOf } from '../../lib/space-of.ts'
import { useSpaces } from '../../lib/spaces.ts'

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

/** Whether the recalls of the current space are kept; undefined until that is known. */
export function useKeepRecalls() {
  const client = useQueryClient()
  const { space: named } = useScope()
  const space = spaceOf(useSpaces().data ?? [], named)
  const change = useMutation({
    mutationFn: async (keepsRecalls: boolean) =>
      (await api.updateSpace({ params: { id: space!.id }, body: { keepsRecalls } })).space,
    onSuccess: (saved) => {
      client.setQueryData<Space[]>(queryKeys.spaces, (spaces = []) =>
        spaces.map((one) => (one.id === saved.id ? saved : one)),
      )
      void client.invalidateQueries({ queryKey: queryKeys.recalls })
    },
  })
  return { isKept: space?.keepsRecalls, change }
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
