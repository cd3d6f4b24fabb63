import { parentPort } from 'node:worker_threads'
import type { Metadata } from '@loci/contract/metadata'
import { processorMs } from '../../ground/lib/pace.ts'
import { type IndexedText, indexText, rankedPassages } from './index-text.ts'
import { toPassageTexts } from './passages.ts'

/** A text to analyse, with the metadata of its observation. */
export type TextToAnalyse = { content: string; metadata?: Metadata | undefined }

/** The parts of the analysis that the caller needs besides the lengths; others are empty. */
export type WantedAnalysis = { words: boolean; terms: boolean }

/** `ranking`: the passages as the ranking reads them; `texts`: their texts. */
export type AnalysisJob = { texts: readonly TextToAnalyse[]; wanted: WantedAnalysis | 'ranking' | 'texts' }

const port = parentPort!

/** `json`: an `IndexedText[]`, a `ReadPassage[][]` or a `string[][]`, since transferring objects would take longer. */
export type AnalysisAnswer = { json: string; processorMs: number }

port.on('message', ({ texts, wanted }: AnalysisJob) => {
  const begunAt = processorMs()
  const analyse = (text: TextToAnalyse) => {
    if (wanted === 'ranking') return rankedPassages(text.content, text.metadata)
    return wanted === 'texts' ? toPassageTexts(text.content) : indexOnce(text, wanted)
  }
  const json = JSON.stringify(texts.map(analyse))
  port.postMessage({ json, processorMs: processorMs() - begunAt } satisfies AnalysisAnswer)
})

/** Each word once. */
function indexOnce({ content, metadata }: TextToAnalyse, wanted: WantedAnalysis): IndexedText {
  const indexed = indexText(content, metadata)
  const passages = wanted.terms
    ? indexed.passages
    : indexed.passages.map(({ length }) => ({ searched: '', length }))
  const words = wanted.words ? indexed.words : []
  const distinct = new Map(words.map(({ surface, term }) => [surface, term]))
  return { passages, words: [...distinct].map(([surface, term]) => ({ surface, term })) }
}
