import { textChunksOf } from '../../ground/lib/chunks.ts'
import { charactersMin, indexInThread } from '../../search/analyse/analyse-in-thread.ts'
import type { IndexedText } from '../../search/analyse/index-text.ts'
import { type ObservationToStore, toFields } from './store-entities.ts'

/** Sent together, so that calls take turns on the thread and no response is large enough to block us. */
export const charactersPerJob = 32_000

type WithTexts = { observations?: readonly ObservationToStore[] | undefined }

/**
 * Analyses long texts in another thread before the write begins, so that neither readers nor other
 * writers wait for it. Short texts are left to the write.
 */
export async function analyseAhead<T extends WithTexts>(inputs: readonly T[]): Promise<readonly T[]> {
  const texts = inputs.flatMap(({ observations = [] }) => observations.map(toFields))
  if (texts.reduce((sum, { content }) => sum + content.length, 0) < charactersMin) return inputs
  const indexed = new Map<ObservationToStore, IndexedText>()
  for (const job of textChunksOf(texts, charactersPerJob)) {
    const answers = await indexInThread(job.map(({ content, metadata }) => ({ content, metadata })))
    for (const [i, text] of job.entries()) indexed.set(text, answers[i]!)
  }
  let next = 0
  const withAnalysis = () => {
    const text = texts[next++]!
    return { ...text, indexed: indexed.get(text) }
  }
  return inputs.map((input) =>
    input.observations === undefined
      ? input
      : { ...input, observations: input.observations.map(withAnalysis) },
  )
}
