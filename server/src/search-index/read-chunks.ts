import type { FoundChunks } from './find-chunks.ts'
import { detectLanguage, type Language } from './languages.ts'
import { type Chunk, readChunk } from './words.ts'

/** What the chunks of a text hold, and its language. */
export type ReadChunks = {
  chunks: Chunk[]
  language: Language
  /** False when nothing in the text told its language. */
  isCertain: boolean
}

/** Reads the chunks of a text in its language: the known one, or the one that they tell. */
export function readChunks(text: string, found: FoundChunks, known?: Language): ReadChunks {
  const chunks = readAll(text, found, known ?? 'en')
  if (known !== undefined) return { chunks, language: known, isCertain: true }
  const { language, isCertain } = detectLanguage(chunks)
  return { chunks: language === 'en' ? chunks : readAll(text, found, language), language, isCertain }
}

/**
 * The chunks of a language that were read lately: a set-associative cache, so neither many chunks nor chunks of the
 * same hash make it large or slow. A hit moves a chunk one place ahead in its set, a new one takes the last place.
 */
type Cache = { hashes: Int32Array; chunks: (Chunk | undefined)[] }

const places = 4
const setBits = 14
const cachedChunkLengthMax = 40
const goldenRatio = 0x9e3779b1
const caches = new Map<Language, Cache>()

function cacheOf(language: Language): Cache {
  let cache = caches.get(language)
  if (cache === undefined) {
    const size = places << setBits
    cache = { hashes: new Int32Array(size), chunks: new Array<undefined>(size).fill(undefined) }
    caches.set(language, cache)
  }
  return cache
}

function readAll(text: string, { starts, ends, hashes }: FoundChunks, language: Language): Chunk[] {
  const cache = cacheOf(language)
  const chunks: Chunk[] = []
  for (let i = 0; i < starts.length; i += 1) {
    chunks.push(readCached(cache, text, starts[i]!, ends[i]!, hashes[i]!, language))
  }
  return chunks
}

function readCached(
  { hashes, chunks }: Cache,
  text: string,
  start: number,
  end: number,
  hash: number,
  language: Language,
): Chunk {
  const first = (Math.imul(hash, goldenRatio) >>> (32 - setBits)) * places
  for (let place = first; place < first + places; place += 1) {
    if (hashes[place] !== hash) continue
    const chunk = chunks[place]
    if (chunk === undefined || !isAt(text, start, end, chunk.text)) continue
    if (place > first) {
      hashes[place] = hashes[place - 1]!
      chunks[place] = chunks[place - 1]
      hashes[place - 1] = hash
      chunks[place - 1] = chunk
    }
    return chunk
  }
  const chunk = readChunk(detach(text.slice(start, end)), language)
  if (end - start <= cachedChunkLengthMax) {
    const last = first + places - 1
    hashes[last] = hash
    chunks[last] = chunk
  }
  return chunk
}

function isAt(text: string, start: number, end: number, part: string): boolean {
  if (end - start !== part.length) return false
  for (let i = 0; i < part.length; i += 1) {
    if (text.charCodeAt(start + i) !== part.charCodeAt(i)) return false
  }
  return true
}

/** A copy of its own: a slice of a text keeps all of the text in memory. */
const detach = (text: string) => ` ${text}`.slice(1)
