import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { markOwnChange } from '../../lib/own-changes.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { withChangeSet } from '../../lib/use-undo.ts'

/** The writes of one entity's observations; each answers with the set of what it changed. */
export function useAddObservation(entityId: string) {
  const renew = useRenewal(entityId)
  return useMutation({
    mutationFn: (content: string) => {
      markOwnChange(entityId)
      return withChangeSet((onHeaders) =>
        api.createObservations({ params: { id: entityId }, body: { content }, onHeaders }),
      )
    },
    onSuccess: renew,
  })
}

export function useUpdateObservation(entityId: string) {
  const renew = useRenewal(entityId)
  return useMutation({
    mutationFn: ({ id, content }: { id: string; content: string }) => {
      markOwnChange(entityId)
      return withChangeSet((onHeaders) =>
        api.updateObservation({
          params: { id: entityId, observationId: id },
          body: { content },
          onHeaders,
        }),
      )
    },
    onSuccess: renew,
  })
}

export function useDeleteObservation(entityId: string) {
  const renew = useRenewal(entityId)
  return useMutation({
    mutationFn: (observationId: string) => {
      markOwnChange(entityId)
      return withChangeSet((onHeaders) =>
        api.deleteObservation({ params: { id: entityId, observationId }, onHeaders }),
      )
    },
    onSuccess: renew,
  })
}

function useRenewal(entityId: string) {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: queryKeys.history })
    return client.invalidateQueries({ queryKey: queryKeys.entity(entityId) })
  }
}
