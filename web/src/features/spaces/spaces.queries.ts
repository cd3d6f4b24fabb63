import type { Space, UpdateSpace } from '@loci/contract/spaces'
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
      client.setQueryData<Space[]>(queryKeys.spaces(), (spaces = []) =>
        spaces.some(({ id }) => id === saved.id)
          ? spaces.map((space) => (space.id === saved.id ? saved : space))
          : [...spaces, saved],
      )
    },
  })
}

/** Changes the current space; what was loaded under the key is then out of date. */
function useChangeSpace(stale: readonly unknown[]) {
  const client = useQueryClient()
  const { space: named } = useScope()
  const space = spaceOf(useSpaces().data ?? [], named)
  const change = useMutation({
    mutationFn: async (body: UpdateSpace) =>
      (await api.updateSpace({ params: { id: space!.id }, body })).space,
    onSuccess: (saved) => {
      client.setQueryData<Space[]>(queryKeys.spaces(), (spaces = []) =>
        spaces.map((one) => (one.id === saved.id ? saved : one)),
      )
      void client.invalidateQueries({ queryKey: stale })
    },
  })
  return { space, change }
}

/** Whether the recalls of the current space are kept; undefined until that is known. */
export function useKeepRecalls() {
  const { space, change } = useChangeSpace(queryKeys.recalls())
  return { isKept: space?.keepsRecalls, change }
}

/** For how many days the conversations of the current space are kept; undefined until that is known. */
export function useKeepConversations() {
  const { space, change } = useChangeSpace(queryKeys.conversations())
  return { days: space?.conversationDays, change }
}

export function useDeleteSpace() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.deleteSpace({ params: { id } }),
    onSuccess: (_, id) => {
      client.setQueryData<Space[]>(queryKeys.spaces(), (spaces = []) =>
        spaces.filter((space) => space.id !== id),
      )
    },
  })
}
