import type { EntityWithObservations } from '@loci/contract/entities'
import type { Observation } from '@loci/contract/observations'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { markOwnChange } from '../../lib/own-changes.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { withChangeSet } from '../../lib/use-undo.ts'
import { withAdded, withoutOne, withRevised } from './observation-changes.ts'

/** The writes to one entity's observations; each returns its change set. */
export function useAddObservation(entityId: string) {
  const show = useShown(entityId)
  return useMutation({
    mutationFn: (content: string) => {
      markOwnChange(entityId)
      return withChangeSet((onHeaders) =>
        api.createObservations({ params: { id: entityId }, body: { content }, onHeaders }),
      )
    },
    onSuccess: ({ answer }) => show((now) => withAdded(now, answer.observations)),
  })
}

export function useUpdateObservation(entityId: string) {
  const show = useShown(entityId)
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
    onSuccess: ({ answer }) => show((now) => withRevised(now, answer.observation)),
  })
}

export function useDeleteObservation(entityId: string) {
  const show = useShown(entityId)
  return useMutation({
    mutationFn: (observationId: string) => {
      markOwnChange(entityId)
      return withChangeSet((onHeaders) =>
        api.deleteObservation({ params: { id: entityId, observationId }, onHeaders }),
      )
    },
    onSuccess: (_, observationId) => show((now) => withoutOne(now, observationId)),
  })
}

/** Shows a change at once; refetches the entity in the background, which takes a while for large ones. */
function useShown(entityId: string) {
  const client = useQueryClient()
  return (change: (observations: Observation[]) => Observation[]) => {
    const queryKey = queryKeys.entity(entityId)
    client.setQueryData<{ entity: EntityWithObservations; version: string | null }>(
      queryKey,
      (now) => now && { ...now, entity: { ...now.entity, observations: change(now.entity.observations) } },
    )
    void client.invalidateQueries({ queryKey: queryKeys.history })
    void client.invalidateQueries({ queryKey })
  }
}
