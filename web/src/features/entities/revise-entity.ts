import type { EntityWithObservations, UpdateEntity } from '@loci/contract/entities'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { isApiError, messageOf } from '../../lib/errors.ts'
import { markOwnChange } from '../../lib/own-changes.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useNotifyUndoable, withChangeSet } from '../../lib/use-undo.ts'
import { refreshEntities } from './entities.updates.ts'

type Revision = Partial<Pick<UpdateEntity, 'name' | 'aliases'>>

/** Edits a field of an entity in place, unless the entity has changed since `version`. */
export function useReviseEntity(entity: EntityWithObservations, version: string | null) {
  const client = useQueryClient()
  const notifyUndoable = useNotifyUndoable()
  return useMutation({
    mutationFn: ({ revision }: { revision: Revision; told: string }) => {
      markOwnChange(entity.id)
      const { name, type } = entity
      return withChangeSet((onHeaders) =>
        api.updateEntity({
          params: { id: entity.id },
          body: { name, type, ...revision },
          headers: version ? { 'if-match': version } : undefined,
          onHeaders,
        }),
      )
    },
    onSuccess: async ({ setId }, { told }) => {
      notifyUndoable(told, setId)
      refreshEntities(client)
    },
    // After somebody else's write, the next attempt starts from their version.
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.entity(entity.id) }),
  })
}

/** Why a revision failed, in words that fit the field. */
export function revisionProblem(error: unknown): string | undefined {
  if (!error) return undefined
  if (isApiError(error, 'stale_write')) return 'This was changed elsewhere. Save again to overwrite it.'
  return messageOf(error, 'Failed to save entity')
}
