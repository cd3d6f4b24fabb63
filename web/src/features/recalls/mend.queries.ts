import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { markOwnChange } from '../../lib/own-changes.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useNotifyUndoable, withChangeSet } from '../../lib/use-undo.ts'

/** A change of the memory where an answer showed it to be wrong. */
export type Mend =
  | { kind: 'correct'; entityId: string; observationId: string; content: string }
  | { kind: 'forget'; entityId: string; observationId: string }
  | { kind: 'replace'; entityId: string; observationId: string; content: string; at?: string }
  | { kind: 'add'; entityId: string; content: string }
  | { kind: 'alias'; entityId: string; alias: string }

const told: Record<Mend['kind'], string> = {
  correct: 'Observation updated',
  forget: 'Observation deleted',
  replace: 'Observation replaced',
  add: 'Observation added',
  alias: 'Alias added',
}

/** Mends the memory and offers to undo it. */
export function useMend() {
  const client = useQueryClient()
  const notifyUndoable = useNotifyUndoable()
  return useMutation({
    mutationFn: (mend: Mend) => {
      markOwnChange(mend.entityId)
      return withChangeSet((onHeaders) => send(mend, onHeaders))
    },
    onSuccess: ({ setId }, { kind, entityId }) => {
      notifyUndoable(told[kind], setId)
      for (const queryKey of [queryKeys.recalls(), queryKeys.history(), queryKeys.entity(entityId)])
        void client.invalidateQueries({ queryKey })
    },
  })
}

type OnHeaders = (headers: Headers) => void

async function send(mend: Mend, onHeaders: OnHeaders): Promise<unknown> {
  const params = { id: mend.entityId }
  if (mend.kind === 'alias') return addAlias(mend, onHeaders)
  if (mend.kind === 'add')
    return api.createObservations({ params, body: { content: mend.content }, onHeaders })
  if (mend.kind === 'replace') {
    const { content, at, observationId } = mend
    return api.createObservations({
      params,
      body: { content, replaces: [observationId], ...(at && { at }) },
      onHeaders,
    })
  }
  const ofOne = { ...params, observationId: mend.observationId }
  if (mend.kind === 'forget') return api.deleteObservation({ params: ofOne, onHeaders })
  return api.updateObservation({ params: ofOne, body: { content: mend.content }, onHeaders })
}

async function addAlias(
  { entityId, alias }: { entityId: string; alias: string },
  onHeaders: OnHeaders,
): Promise<unknown> {
  const { entity } = await api.getEntity({ params: { id: entityId } })
  const { name, type, aliases = [] } = entity
  return api.updateEntity({
    params: { id: entityId },
    body: { name, type, aliases: [...aliases, alias] },
    onHeaders,
  })
}

export type NewFact = { about: string; content: string }

/** Stores a fact under the entity of this name, which is created if there is none. */
export function useTell() {
  const client = useQueryClient()
  const notifyUndoable = useNotifyUndoable()
  return useMutation({
    mutationFn: async ({ about, content }: NewFact) => {
      const name = about.trim()
      const { entities } = await api.listEntities({ query: { query: name, limit: '20' } })
      const known = entities.find((entity) => entity.name === name)
      if (known !== undefined) markOwnChange(known.id)
      return withChangeSet<unknown>((onHeaders) =>
        known === undefined
          ? api.createEntity({ body: { name, type: 'concept', observations: [content] }, onHeaders })
          : api.createObservations({ params: { id: known.id }, body: { content }, onHeaders }),
      )
    },
    onSuccess: ({ setId }) => {
      notifyUndoable('Added to memory', setId)
      for (const queryKey of [queryKeys.recalls(), queryKeys.history(), queryKeys.entities()])
        void client.invalidateQueries({ queryKey })
    },
  })
}
