import type { MovedResponse } from '@loci/contract/entity-bulk'
import { spaceHeader } from '@loci/contract/spaces'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { messageOf } from '../../lib/errors.ts'
import { countOf } from '../../lib/format.ts'
import { removeFromLists } from '../../lib/live-lists.ts'
import { notifyError, notifySuccess, offerUndo } from '../../lib/notify.tsx'
import { markOwnBatch } from '../../lib/own-changes.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** Another space to move entities to. */
export type OtherSpace = { id: string; name: string }
type Move = { ids: readonly string[]; to: OtherSpace }

/** Moves entities to another space, reports it and offers an undo. */
export function useMoveSelected() {
  const client = useQueryClient()
  const undo = useUndoMove()
  return useMutation({
    mutationFn: ({ ids, to }: Move) => {
      markOwnBatch()
      return api.moveEntities({ body: { ids: [...ids], space: to.id } })
    },
    onSuccess: (moved, { ids, to }) => {
      for (const id of ids) removeFromLists(client, queryKeys.entityLists(), id)
      void client.invalidateQueries()
      offerUndo(wordsOf(moved, to), () => undo.mutate(moved), [moved.setId])
    },
    onError: (error) => notifyError('Failed to move entities', messageOf(error, '')),
  })
}

function wordsOf({ entities, relationsDeleted }: MovedResponse, to: OtherSpace): string {
  const moved = `${countOf(entities, 'entity', 'entities')} moved to ${to.name}`
  if (relationsDeleted === 0) return moved
  return `${moved}; ${countOf(relationsDeleted, 'relation', 'relations')} to others deleted`
}

/** Removes them from the other space before restoring them in this one. */
function useUndoMove() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ space, setId }: MovedResponse) => {
      await api.undoChangeSet({ params: { setId: space.setId }, headers: { [spaceHeader]: space.id } })
      await api.undoChangeSet({ params: { setId } })
    },
    onSuccess: () => notifySuccess('Undone'),
    onError: (error) => notifyError('Failed to undo', messageOf(error, '')),
    onSettled: () => client.invalidateQueries(),
  })
}
