import { createChunkReader } from './chunk-cache.ts'
import type { FoundChunks } from './find-chunks.ts'
import type { Language } from './languages.ts'
import { detectTextLanguage } from './text-language.ts'
import { type Chunk, readChunk } from './words.ts'

/** The content of a text's chunks, and its language. */
export type ReadChunks = {
  chunks: Chunk[]
  language: Language
  /** False if the text gave no hint of its language. */
  isCertain: boolean
}

const { readAll } = createChunkReader(readChunk)

const learntIn = ({ units }: Chunk) => units.filter(({ isLearnt }) => isLearnt).map(({ surface }) => surface)

/** Reads the chunks of a text in the given language, or else in the one detected from them. */
export function readChunks(text: string, found: FoundChunks, known?: Language): ReadChunks {
  const chunks = readAll(text, found, known ?? 'en')
  if (known !== undefined) return { chunks, language: known, isCertain: true }
  const { language, isCertain } = detectTextLanguage(chunks, learntIn)
  return { chunks: language === 'en' ? chunks : readAll(text, found, language), language, isCertain }
}
