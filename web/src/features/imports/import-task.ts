import { useSyncExternalStore } from 'react'
import { uploadingApi } from '../../lib/api.ts'
import { messageOf } from '../../lib/errors.ts'
import { currentSession, subscribeToSession } from '../../lib/session.ts'

/** The import that was begun in this browser. */
export type ImportTask =
  | { step: 'sending'; file: File; share: number }
  /** It did not reach the server whole. */
  | { step: 'failed'; file: File; message: string }
  /** The server has it; `file` is gone after a reload. */
  | { step: 'started'; id: string; file?: File }

const idKey = 'loci_import'

let task = restored()
let upload = new AbortController()
const listeners = new Set<() => void>()

function setTask(next: ImportTask | undefined): void {
  task = next
  if (next?.step === 'started') localStorage.setItem(idKey, next.id)
  else localStorage.removeItem(idKey)
  for (const listener of listeners) listener()
}

/** After a reload: what the server works on goes on, and is shown again. */
function restored(): ImportTask | undefined {
  const id = localStorage.getItem(idKey)
  return id === null ? undefined : { step: 'started', id }
}

/** Sends a file; the server goes on where an earlier import of the same file stopped. Survives leaving the screen. */
export async function sendImport(file: File): Promise<void> {
  upload = new AbortController()
  const { signal } = upload
  const showSent = (share: number) => setTask({ step: 'sending', file, share })
  showSent(0)
  try {
    const { import: report } = await uploadingApi(showSent).import({
      body: file,
      headers: { prefer: 'respond-async' },
      signal,
    })
    setTask({ step: 'started', id: report.id, file })
  } catch (error) {
    if (signal.aborted) return
    setTask({ step: 'failed', file, message: messageOf(error, 'The file could not be sent') })
  }
}

/** Forgets the import here; what the server has goes on. */
export function forgetImport(): void {
  upload.abort()
  setTask(undefined)
}

export function useImportTask(): ImportTask | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => task,
  )
}

subscribeToSession(() => {
  if (currentSession().status === 'anonymous') forgetImport()
})
