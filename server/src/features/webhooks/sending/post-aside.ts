import { Worker } from 'node:worker_threads'
import type { Posted, Poster } from './post.ts'
import type { PostedMessage, PostingOrder, PostMessage } from './post-thread.ts'

type Answer = (posted: Posted | undefined) => void

/** What came of requests that were under way when their thread died. */
const lost: Posted = { statusCode: null, ms: 0, error: 'The request failed', answer: null }

/**
 * A poster in a thread of its own: a thousand requests a second, with what encryption they need, would hold up the
 * calls that this thread serves. The thread starts with the first request; another takes its place if it dies.
 */
export function createPosterAside(order: PostingOrder): Poster {
  let worker: Worker | undefined
  const running = new Map<number, Answer>()
  let lastId = 0

  function start(): Worker {
    const started = new Worker(new URL('./post-thread.ts', import.meta.url), { workerData: order })
    // Whoever waits for an answer keeps the process.
    started.unref()
    started.on('message', ({ id, posted }: PostedMessage) => running.get(id)?.(posted))
    const fail = () => {
      if (worker !== started) return
      worker = undefined
      for (const answer of running.values()) answer(lost)
    }
    started.on('error', fail)
    started.on('exit', fail)
    return started
  }

  return {
    post({ signal, ...request }) {
      worker ??= start()
      const thread = worker
      lastId += 1
      const id = lastId
      const { promise, resolve, reject } = Promise.withResolvers<Posted>()
      const abort = () => thread.postMessage({ id } satisfies PostMessage)
      running.set(id, (posted) => {
        running.delete(id)
        signal.removeEventListener('abort', abort)
        if (posted === undefined) reject(signal.reason)
        else resolve(posted)
      })
      thread.postMessage({ id, request } satisfies PostMessage)
      signal.addEventListener('abort', abort)
      if (signal.aborted) abort()
      return promise
    },
    close() {
      const thread = worker
      worker = undefined
      for (const answer of running.values()) answer(undefined)
      void thread?.terminate()
    },
  }
}
