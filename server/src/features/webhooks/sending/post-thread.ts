import { parentPort, workerData } from 'node:worker_threads'
import { createPoster, type Posted, type PostOptions, type Series } from './post.ts'

export type PostingOrder = Omit<PostOptions, 'resolve'>

/** Without `series`: abort the one with this id. */
export type PostMessage = { id: number; series?: Series }

export type PostedMessage = { id: number; posted: Posted[] }

const port = parentPort!
const poster = createPoster(workerData as PostingOrder)
const running = new Map<number, AbortController>()

port.on('message', async ({ id, series }: PostMessage) => {
  if (series === undefined) {
    running.get(id)?.abort()
    return
  }
  const ending = new AbortController()
  running.set(id, ending)
  const posted = await poster.post(series, ending.signal)
  running.delete(id)
  port.postMessage({ id, posted } satisfies PostedMessage)
})
