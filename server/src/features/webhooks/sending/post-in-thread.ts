import { Worker } from 'node:worker_threads'
import { type Posted, type Poster, RequestLost } from './post.ts'
import type { PostedMessage, PostingOrder, PostMessage } from './post-thread.ts'

type Answer = (posted: Posted[] | RequestLost) => void

/**
 * A poster in its own thread: a thousand requests a second, with their encryption, would delay the calls that this
 * thread serves. The thread starts with the first request and is replaced if it dies.
 */
export function createThreadPoster(order: PostingOrder): Poster {
  let worker: Worker | undefined
  const running = new Map<number, Answer>()
  let lastId = 0

  function start(): Worker {
    const started = new Worker(new URL('./post-thread.ts', import.meta.url), {
      workerData: order,
      name: 'webhooks',
    })
    // Only a caller that awaits a response keeps the process alive.
    started.unref()
    started.on('message', ({ id, posted }: PostedMessage) => running.get(id)?.(posted))
    const fail = () => {
      if (worker !== started) return
      worker = undefined
      answerAll(new RequestLost('The thread that sends webhooks died'))
    }
    started.on('error', fail)
    started.on('exit', fail)
    return started
  }

  function answerAll(lost: RequestLost): void {
    for (const answer of running.values()) answer(lost)
  }

  return {
    post(series, signal) {
      worker ??= start()
      const thread = worker
      lastId += 1
      const id = lastId
      const { promise, resolve, reject } = Promise.withResolvers<Posted[]>()
      const abort = () => thread.postMessage({ id } satisfies PostMessage)
      running.set(id, (posted) => {
        running.delete(id)
        signal.removeEventListener('abort', abort)
        if (posted instanceof RequestLost) reject(posted)
        else resolve(posted)
      })
      thread.postMessage({ id, series } satisfies PostMessage)
      signal.addEventListener('abort', abort)
      if (signal.aborted) abort()
      return promise
    },
    close() {
      const thread = worker
      worker = undefined
      answerAll(new RequestLost('No more webhooks are sent'))
      void thread?.terminate()
    },
  }
}
