import { parentPort, workerData } from 'node:worker_threads'
import { createPoster, type Posted } from './post.ts'

export type PostingOrder = { allowsPrivate: boolean; tryMs?: number | undefined }

/** Without `request`: abort the one with this id. */
export type PostMessage = {
  id: number
  request?: { url: string; headers: Record<string, string>; body: string }
}

/** Without `posted`: the request was aborted. */
export type PostedMessage = { id: number; posted?: Posted }

const port = parentPort!
const poster = createPoster(workerData as PostingOrder)
const running = new Map<number, AbortController>()

port.on('message', async ({ id, request }: PostMessage) => {
  if (request === undefined) {
    running.get(id)?.abort()
    return
  }
  const ending = new AbortController()
  running.set(id, ending)
  const posted = await poster.post({ ...request, signal: ending.signal }).catch(() => undefined)
  running.delete(id)
  port.postMessage({ id, ...(posted === undefined ? {} : { posted }) } satisfies PostedMessage)
})
