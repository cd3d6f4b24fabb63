import type { Worker } from 'node:worker_threads'
import { secondMs } from './time.ts'

/** The thread is terminated, to free its memory, after nothing has arrived for this long. */
const idleMs = 60 * secondMs

type Job<Answer> = { resolve: (answer: Answer) => void; reject: (error: unknown) => void }
type Thread<Answer> = { worker: Worker; jobs: Job<Answer>[]; idle: NodeJS.Timeout | undefined }

/**
 * A worker thread that all callers share: it is started for the first request and answers each by one message, in
 * order. Rejects with the error that ended the thread, or with `endedMessage`; the next request starts another.
 */
export function sharedThread<Request, Answer>(
  start: () => Worker,
  endedMessage: string,
): (request: Request) => Promise<Answer> {
  let running: Thread<Answer> | undefined

  return (request) => {
    running ??= open()
    const { worker, jobs, idle } = running
    clearTimeout(idle)
    worker.ref()
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    jobs.push({ resolve, reject })
    worker.postMessage(request)
    return promise
  }

  function open(): Thread<Answer> {
    const worker = start()
    const thread: Thread<Answer> = { worker, jobs: [], idle: undefined }
    worker.on('message', (answer: Answer) => {
      thread.jobs.shift()?.resolve(answer)
      if (thread.jobs.length === 0) rest(thread)
    })
    const fail = (error: unknown) => {
      if (running === thread) running = undefined
      for (const job of thread.jobs.splice(0)) job.reject(error)
    }
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error(endedMessage)))
    return thread
  }

  /** Lets the process exit if it has nothing else to do. */
  function rest(thread: Thread<Answer>): void {
    thread.worker.unref()
    thread.idle = setTimeout(() => {
      if (running === thread) running = undefined
      void thread.worker.terminate()
    }, idleMs).unref()
  }
}
