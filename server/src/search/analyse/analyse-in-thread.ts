import { Worker } from 'node:worker_threads'
import { chargeCall } from '../../ground/lib/call-queue.ts'
import { sharedThread } from '../../ground/lib/shared-thread.ts'
import type { AnalysisAnswer, AnalysisJob, TextToAnalyse, WantedAnalysis } from './analysis-thread.ts'
import { type IndexedText, indexText, rankedPassages } from './index-text.ts'
import { toPassageTexts } from './passages.ts'
import type { ReadPassage } from './read-passages.ts'

/** Below this, sending text to a thread takes longer than analysing it: a few milliseconds. */
export const charactersMin = 8_000
const youngGenerationMb = 8

const send = sharedThread<AnalysisJob, AnalysisAnswer>(
  () =>
    new Worker(new URL('./analysis-thread.ts', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
    }),
  'The thread that analyses texts has ended',
)

const everything: WantedAnalysis = { words: true, terms: true }

/** Returns `indexText` of a text; a thread analyses a long one, so that only its write waits. */
export async function indexTextOf({ content, metadata }: TextToAnalyse): Promise<IndexedText> {
  if (content.length < charactersMin) return indexText(content, metadata)
  const [indexed] = await indexInThread([{ content, metadata }])
  return indexed!
}

/** Returns `indexText` of each text, or a part of it, computed in a worker thread that all callers share. */
export const indexInThread = (texts: readonly TextToAnalyse[], wanted = everything): Promise<IndexedText[]> =>
  analyse({ texts, wanted })

/** Returns `rankedPassages` of a text; a thread reads a long one, so that only its search waits. */
export async function rankedPassagesOf({ content, metadata }: TextToAnalyse): Promise<ReadPassage[]> {
  if (content.length < charactersMin) return rankedPassages(content, metadata)
  const [passages] = await analyse<ReadPassage[]>({ texts: [{ content, metadata }], wanted: 'ranking' })
  return passages!
}

/** Returns the original texts of the passages; a thread reads a long text. */
export async function passageTextsOf(content: string): Promise<string[]> {
  if (content.length < charactersMin) return toPassageTexts(content)
  const [texts] = await analyse<string[]>({ texts: [{ content }], wanted: 'texts' })
  return texts!
}

/** The call is charged for the thread's time. */
async function analyse<T>(job: AnalysisJob): Promise<T[]> {
  const { json, processorMs } = await send(job)
  chargeCall(processorMs)
  return JSON.parse(json)
}
