import { changeSetHeader } from '@loci/contract/changes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from './api.ts'
import { messageOf } from './errors.ts'
import { notifyError, notifySuccess, offerUndo } from './notify.tsx'
import { withdrawOvertaken } from './overtaken-offers.ts'
import { dropOffersFor } from './undo-offers.ts'

type OnHeaders = (headers: Headers) => void

/** A call's result and its change set. */
export async function withChangeSet<T>(
  call: (onHeaders: OnHeaders) => Promise<T>,
): Promise<{ answer: T; setId: string | undefined }> {
  let setId: string | undefined
  const answer = await call((headers) => {
    setId = headers.get(changeSetHeader) ?? undefined
  })
  return { answer, setId }
}

/** Undoes all changes of a call and reports it; several sets are undone last first. */
export function useUndo() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (sets: string | readonly string[]) => {
      for (const setId of [sets].flat().toReversed()) await api.undoChangeSet({ params: { setId } })
    },
    onSuccess: (_, sets) => {
      dropOffersFor([sets].flat())
      notifySuccess('Undone')
    },
    onError: (error) => notifyError('Failed to undo', messageOf(error, '')),
    onSettled: () => client.invalidateQueries(),
  })
}

/** Returns a function that reports a change, and offers an undo if its set is known. */
export function useNotifyUndoable(): (message: string, sets: string | readonly string[] | undefined) => void {
  // The toast outlives the screen that showed it.
  const { mutate } = useUndo()
  return (message, changed) => {
    const sets = [changed ?? []].flat()
    if (sets.length === 0) return notifySuccess(message)
    void withdrawOvertaken(sets)
    offerUndo(message, () => mutate(sets), sets)
  }
}
