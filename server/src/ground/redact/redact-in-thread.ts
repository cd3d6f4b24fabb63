import { Worker } from 'node:worker_threads'
import { secondMs } from '../lib/time.ts'
import type { Redacted } from './redact-secrets.ts'

/** The thread is terminated, to free its memory, after nothing has arrived for this long. */
const idleMs = 60 * secondMs

type Job = { resolve: (redacted: Redacted[]) => void; reject: (error: unknown) => void }
type Thread = { worker: Worker; jobs: Job[]; idle: NodeJS.Timeout | undefined }

let running: Thread | undefined

/** `redactSecrets` of each text, in a thread that all callers share. */
export function redactInThread(texts: readonly string[]): Promise<Redacted[]> {
  running ??= start()
  const { worker, jobs, idle } = running
  clearTimeout(idle)
  worker.ref()
  const { promise, resolve, reject } = Promise.withResolvers<Redacted[]>()
  jobs.push({ resolve, reject })
  worker.postMessage(texts)
  return promise
}

function start(): Thread {
  const worker = new Worker(new URL('./redact-thread.ts', import.meta.url))
  const thread: Thread = { worker, jobs: [], idle: undefined }
  // Answers arrive in the order of the requests.
  worker.on('message', (redacted: Redacted[]) => {
    thread.jobs.shift()?.resolve(redacted)
    if (thread.jobs.length === 0) rest(thread)
  })
  const fail = (error: unknown) => {
    if (running === thread) running = undefined
    for (const job of thread.jobs.splice(0)) job.reject(error)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The thread that removes secrets has ended')))
  return thread
}

/** Lets the process exit if it has nothing else to do. */
function rest(thread: Thread): void {
  thread.worker.unref()
  thread.idle = setTimeout(() => {
    if (running === thread) running = undefined
    void thread.worker.terminate()
  }, idleMs).unref()
}
