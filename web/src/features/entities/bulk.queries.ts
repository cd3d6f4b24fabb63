import type { Entity } from '@loci/contract/entities'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { download } from '../../lib/download.ts'
import { messageOf } from '../../lib/errors.ts'
import { countOf } from '../../lib/format.ts'
import { patchInLists, removeFromLists } from '../../lib/live-lists.ts'
import { notifyError } from '../../lib/notify.tsx'
import { markOwnBatch } from '../../lib/own-changes.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { refreshEntities } from './entities.updates.ts'
import type { Selected } from './use-selection.ts'

/** One change to all ticked entities. */
export type BulkChange =
  | { kind: 'delete'; ids: readonly string[] }
  | { kind: 'retype'; ids: readonly string[]; type: string }
  | { kind: 'merge'; ids: readonly string[]; into: Selected }

const entities = (count: number) => countOf(count, 'entity', 'entities')

const said = {
  delete: (changed: number) => `${entities(changed)} deleted`,
  retype: (changed: number, change: BulkChange) =>
    `${entities(changed)} changed to ${change.kind === 'retype' ? change.type : ''}`,
  merge: (changed: number, change: BulkChange) =>
    `${entities(changed)} merged into ${change.kind === 'merge' ? change.into.name : ''}`,
} as const

const failed = {
  delete: 'Failed to delete entities',
  retype: 'Failed to change the type',
  merge: 'Failed to merge entities',
} as const

function send(change: BulkChange) {
  markOwnBatch()
  const ids = [...change.ids]
  switch (change.kind) {
    case 'delete':
      return api.deleteEntities({ body: { ids } })
    case 'retype':
      return api.retypeEntities({ body: { ids, type: change.type } })
    case 'merge':
      return api.mergeEntities({ body: { ids, into: change.into.id } })
  }
}

/** Changes several entities at once, reports it and offers an undo. */
export function useBulkChange() {
  const client = useQueryClient()
  const notifyUndoable = useNotifyUndoable()
  return useMutation({
    mutationFn: send,
    onSuccess: ({ changed, setId }, change) => {
      const gone =
        change.kind === 'retype'
          ? []
          : change.ids.filter((id) => change.kind === 'delete' || id !== change.into.id)
      for (const id of gone) removeFromLists(client, queryKeys.entityLists(), id)
      if (change.kind === 'retype') {
        for (const id of change.ids)
          patchInLists<Entity>(client, queryKeys.entityLists(), id, (entity) => ({
            ...entity,
            type: change.type,
          }))
      }
      refreshEntities(client)
      void client.invalidateQueries({ queryKey: queryKeys.relations() })
      notifyUndoable(said[change.kind](changed, change), setId ?? undefined)
    },
    onError: (error, { kind }) => notifyError(failed[kind], messageOf(error, '')),
  })
}

/** The ticked entities and the relations between them, as a file. */
export function useExportSelected() {
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const response = await api.export({ query: { ids: ids.join(',') } })
      download(await response.blob(), 'loci-selection.jsonl')
    },
    onError: (error) => notifyError('Failed to export', messageOf(error, '')),
  })
}
