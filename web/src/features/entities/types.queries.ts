import type { UpdateEntityType } from '@loci/contract/entities'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { messageOf } from '../../lib/errors.ts'
import { notifyError } from '../../lib/notify.tsx'
import { markOwnBatch } from '../../lib/own-changes.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useNotifyUndoable } from '../../lib/use-undo.ts'

/** Renames or recolours a type. */
export function useUpdateType() {
  const client = useQueryClient()
  const notifyUndoable = useNotifyUndoable()
  return useMutation({
    mutationFn: ({ type, change }: { type: string; change: UpdateEntityType }) => {
      markOwnBatch()
      return api.updateEntityType({ params: { type }, body: change })
    },
    onSuccess: ({ setIds }, { type, change }) => {
      if (change.type !== undefined) notifyUndoable(`Type "${type}" renamed to "${change.type}"`, setIds)
      return client.invalidateQueries({
        queryKey: change.type === undefined ? queryKeys.entityTypes() : queryKeys.space(),
      })
    },
    onError: (error) => notifyError('Failed to change the type', messageOf(error, '')),
  })
}
