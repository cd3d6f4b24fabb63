import { parentPort } from 'node:worker_threads'
import type { Metadata } from '@loci/contract/metadata'
import { type IndexedText, indexText } from './index-text.ts'

/** A text to analyse, with the metadata of its observation. */
export type TextToAnalyse = { content: string; metadata?: Metadata | undefined }

const port = parentPort!

/** As JSON: objects would take longer to transfer to the other thread. */
port.on('message', (texts: TextToAnalyse[]) => {
  port.postMessage(JSON.stringify(texts.map(({ content, metadata }) => indexOnce(content, metadata))))
})

/** Each word once. */
function indexOnce(content: string, metadata: Metadata | undefined): IndexedText {
  const { passages, words } = indexText(content, metadata)
  const distinct = new Map(words.map(({ surface, term }) => [surface, term]))
  return { passages, words: [...distinct].map(([surface, term]) => ({ surface, term })) }
}
