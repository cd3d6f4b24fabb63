import type { CreateView, SavedView, UpdateView } from '@loci/contract/views'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'

/** The saved views of the space, oldest first. */
export function useViews() {
  return useQuery({
    queryKey: queryKeys.views(),
    queryFn: async ({ signal }) => (await api.listViews({ signal })).views,
  })
}

type Change = { id: string; body: UpdateView }

/** Saves, changes and deletes views, then updates the list. */
export function useViewChanges() {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: queryKeys.views() })
  const save = useMutation({ mutationFn: (body: CreateView) => api.createView({ body }), onSuccess })
  const change = useMutation({
    mutationFn: ({ id, body }: Change) => api.updateView({ params: { id }, body }),
    onSuccess,
  })
  const remove = useMutation({ mutationFn: (id: string) => api.deleteView({ params: { id } }), onSuccess })
  return { save, change, remove }
}

/** The input that restores a deleted view. */
export function toNewView({ name, search, camera, pins }: SavedView): CreateView {
  return { name, search, ...(camera && { camera }), ...(pins && { pins }) }
}

/** Names a region; an empty name removes its name. */
export const useNameRegion = () =>
  useChange(queryKeys.graphMap(), async ({ entityId, name }: { entityId: string; name: string }) => {
    if (name === '') await api.unnameRegion({ params: { entityId } })
    else await api.nameRegion({ params: { entityId }, body: { name } })
  })
