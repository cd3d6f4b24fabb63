import type { RestClient } from '@loci/client/call'
import type { ImportPreview } from '@loci/contract/imports'
import { useSyncExternalStore } from 'react'
import { uploadingApi } from '../../lib/api.ts'
import { messageOf } from '../../lib/errors.ts'
import { currentSession, subscribeToSession } from '../../lib/session.ts'
import { mediaTypeOf } from './imports.rules.ts'

/** The import started in this browser. */
export type ImportTask =
  | { step: 'sending'; file: File; share: number; isPreview: boolean }
  /** The server has previewed the file; the user must confirm. */
  | { step: 'previewed'; file: File; preview: ImportPreview }
  /** The upload was incomplete. */
  | { step: 'failed'; file: File; message: string }
  /** The server has the file; `file` is undefined after a reload. */
  | { step: 'started'; id: string; file?: File }

type Upload = {
  body: File
  query: { fileName: string }
  headers: Record<string, string>
  signal: AbortSignal
}

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

/** After a reload: an import that the server is working on continues and is shown again. */
function restored(): ImportTask | undefined {
  const id = localStorage.getItem(idKey)
  return id === null ? undefined : { step: 'started', id }
}

/** Sends a file for a preview; nothing is stored. */
export function sendPreview(file: File): Promise<void> {
  return send(file, true, async (api, call) => {
    const { preview } = await api.previewImport(call)
    setTask({ step: 'previewed', file, preview })
  })
}

/**
 * Sends a file; the server resumes an earlier import of the same file where it stopped. Survives leaving the
 * screen.
 */
export function sendImport(file: File): Promise<void> {
  return send(file, false, async (api, { headers, ...call }) => {
    const { import: report } = await api.import({ ...call, headers: { ...headers, prefer: 'respond-async' } })
    setTask({ step: 'started', id: report.id, file })
  })
}

async function send(
  file: File,
  isPreview: boolean,
  call: (api: RestClient, input: Upload) => Promise<void>,
): Promise<void> {
  upload = new AbortController()
  const { signal } = upload
  const showSent = (share: number) => setTask({ step: 'sending', file, share, isPreview })
  showSent(0)
  const headers = { 'content-type': mediaTypeOf(file.name) }
  try {
    await call(uploadingApi(showSent), { body: file, query: { fileName: file.name }, headers, signal })
  } catch (error) {
    if (signal.aborted) return
    setTask({ step: 'failed', file, message: messageOf(error, 'The file could not be uploaded') })
  }
}

/** Forgets the import in this browser; the server continues with what it has. */
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
