import { Worker } from 'node:worker_threads'
import { chargeCall } from '../../ground/lib/call-queue.ts'
import { secondMs } from '../../ground/lib/time.ts'
import type { AnalysisAnswer, AnalysisJob, TextToAnalyse, WantedAnalysis } from './analysis-thread.ts'
import { type IndexedText, indexText } from './index-text.ts'

/** Below this, sending text to a thread takes longer than analysing it: a few milliseconds. */
export const charactersMin = 8_000
const youngGenerationMb = 8
/** The thread is terminated, to free its memory, after no long text has arrived for this long. */
const idleMs = 60 * secondMs

type Job = { resolve: (analysis: AnalysisAnswer) => void; reject: (error: unknown) => void }
type Thread = { worker: Worker; jobs: Job[]; idle: NodeJS.Timeout | undefined }

let running: Thread | undefined

const everything: WantedAnalysis = { words: true, terms: true }

/** Returns `indexText` of a text; a thread analyses a long one, so that only its write waits. */
export async function indexTextOf({ content, metadata }: TextToAnalyse): Promise<IndexedText> {
  if (content.length < charactersMin) return indexText(content, metadata)
  const [indexed] = await indexInThread([{ content, metadata }])
  return indexed!
}

/**
 * Returns `indexText` of each text, or a part of it, computed in a worker thread that all callers share. The call is
 * charged for the thread's time.
 */
export async function indexInThread(
  texts: readonly TextToAnalyse[],
  wanted = everything,
): Promise<IndexedText[]> {
  running ??= start()
  const { worker, jobs, idle } = running
  clearTimeout(idle)
  worker.ref()
  const { promise, resolve, reject } = Promise.withResolvers<AnalysisAnswer>()
  jobs.push({ resolve, reject })
  worker.postMessage({ texts, wanted } satisfies AnalysisJob)
  const { json, processorMs } = await promise
  chargeCall(processorMs)
  return JSON.parse(json)
}

function start(): Thread {
  const worker = new Worker(new URL('./analysis-thread.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
  })
  const thread: Thread = { worker, jobs: [], idle: undefined }
  // Results arrive in the order of the requests.
  worker.on('message', (analysis: AnalysisAnswer) => {
    thread.jobs.shift()?.resolve(analysis)
    if (thread.jobs.length === 0) rest(thread)
  })
  const fail = (error: unknown) => {
    if (running === thread) running = undefined
    for (const job of thread.jobs.splice(0)) job.reject(error)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The thread that analyses texts has ended')))
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
