import { changeSetHeader } from '@loci/contract/changes'
import { useQueryClient } from '@tanstack/react-query'
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

/** A function that tells of a change, and offers to take it back where its set is known. */
export function useNotifyUndoable(): (message: string, setId: string | undefined) => void {
  const client = useQueryClient()
  const undo = async (setId: string) => {
    try {
      await api.undoChangeSet({ params: { setId } })
      notifySuccess('Undone')
    } catch (error) {
      notifyError('Failed to undo', messageOf(error, ''))
    }
    await client.invalidateQueries()
  }
  return (message, setId) => notifySuccess(message, setId === undefined ? undefined : () => void undo(setId))
}
