import { changeSetHeader } from '@loci/contract/changes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from './api.ts'
import { messageOf } from './errors.ts'
import { notifyError, notifySuccess } from './notify.tsx'

type OnHeaders = (headers: Headers) => void

/** What a call answers, and the set of what it changed. */
export async function withChangeSet<T>(
  call: (onHeaders: OnHeaders) => Promise<T>,
): Promise<{ answer: T; setId: string | undefined }> {
  let setId: string | undefined
  const answer = await call((headers) => {
    setId = headers.get(changeSetHeader) ?? undefined
  })
  return { answer, setId }
}

/** Takes back all that one call changed, and says so; of several sets the last one first. */
export function useUndo() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (sets: string | readonly string[]) => {
      for (const setId of [sets].flat().toReversed()) await api.undoChangeSet({ params: { setId } })
    },
    onSuccess: () => notifySuccess('Undone'),
    onError: (error) => notifyError('Failed to undo', messageOf(error, '')),
    onSettled: () => client.invalidateQueries(),
  })
}

/** A function that tells of a change, and offers to take it back where its set is known. */
export function useNotifyUndoable(): (message: string, sets: string | readonly string[] | undefined) => void {
  // The toast outlives the screen that showed it.
  const { mutate } = useUndo()
  return (message, sets) => notifySuccess(message, sets?.length ? () => mutate(sets) : undefined)
}
