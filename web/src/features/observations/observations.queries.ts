import type { EntityWithObservations } from '@loci/contract/entities'
import type { Observation, ObservationFields } from '@loci/contract/observations'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { markOwnChange } from '../../lib/own-changes.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { withChangeSet } from '../../lib/use-undo.ts'
import { withAdded, withoutOne, withReplaced, withRevised } from './observation-changes.ts'

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
    mutationFn: ({ id, ...body }: { id: string; content: string } & Evidence) => {
      markOwnChange(entityId)
      return withChangeSet((onHeaders) =>
        api.updateObservation({
          params: { id: entityId, observationId: id },
          body,
          onHeaders,
        }),
      )
    },
    onSuccess: ({ answer }) => show((now) => withRevised(now, answer.observation)),
  })
}

type Evidence = {
  files?: NonNullable<ObservationFields['files']>
  source?: NonNullable<ObservationFields['source']> | null
}
type Replacing = { content: string; at: string; replaces: string[] } & Pick<
  ObservationFields,
  'until' | 'files' | 'source'
>

/** Without the hashes of what the old fact rested on: they are taken anew. */
const withoutEmpty = ({ until, files, source, ...fact }: Replacing) => ({
  ...fact,
  ...(until && { until }),
  ...(files?.length && { files: files.map(({ hash: _, ...file }) => file) }),
  ...(source && { source }),
})

/** Adds a fact that takes the place of others, which end when it begins. */
export function useReplaceObservation(entityId: string) {
  const show = useShown(entityId)
  return useMutation({
    mutationFn: (fact: Replacing) => {
      markOwnChange(entityId)
      return withChangeSet((onHeaders) =>
        api.createObservations({
          params: { id: entityId },
          body: withoutEmpty(fact),
          onHeaders,
        }),
      )
    },
    onSuccess: ({ answer }, { replaces }) =>
      show((now) =>
        replaces.reduce(
          (shown, id) => withReplaced(shown, id, answer.observations[0]?.id),
          withAdded(now, answer.observations),
        ),
      ),
  })
}

/** Says that a fact is true although the files it rests on have changed. */
export function useConfirmObservation(entityId: string) {
  const show = useShown(entityId)
  return useMutation({
    mutationFn: (id: string) => {
      markOwnChange(entityId)
      return withChangeSet((onHeaders) => api.confirmObservation({ params: { id }, onHeaders }))
    },
    onSuccess: ({ answer: { observation } }) =>
      show((now) => now.map((one) => (one.id === observation.id ? withBy(observation, one) : one))),
  })
}

const withBy = (observation: Observation, { by }: Observation): Observation => ({
  ...observation,
  ...(by && { by }),
})

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
    void client.invalidateQueries({ queryKey: queryKeys.history() })
    void client.invalidateQueries({ queryKey })
  }
}
