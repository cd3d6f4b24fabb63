import type { FoundChunks } from './find-chunks.ts'
import type { Language } from './languages.ts'

/** Reads chunks of texts in a language, with a cache of recent ones. */
export type ChunkReader<T> = {
  readOne: (text: string, start: number, end: number, hash: number, language: Language) => T
  /** Reads a whole text. */
  readAll: (text: string, found: FoundChunks, language: Language) => T[]
}

/**
 * Recently read chunks of a language: a set-associative cache, so neither many chunks nor hash
 * collisions make it large or slow. A hit moves a chunk one place forward in its set; a new chunk takes
 * the last place.
 */
type Cache<T> = { hashes: Int32Array; chunks: (T | undefined)[] }

const places = 4
const setBits = 14
const cachedLengthMax = 40
const goldenRatio = 0x9e3779b1

/** `read` receives a copy of the text, not a slice, and keeps it as `text`. */
export function createChunkReader<T extends { text: string }>(
  read: (chunk: string, language: Language) => T,
): ChunkReader<T> {
  const caches = new Map<Language, Cache<T>>()

  function cacheOf(language: Language): Cache<T> {
    let cache = caches.get(language)
    if (cache === undefined) {
      const size = places << setBits
      cache = { hashes: new Int32Array(size), chunks: new Array<undefined>(size).fill(undefined) }
      caches.set(language, cache)
    }
    return cache
  }

  function readCached(
    { hashes, chunks }: Cache<T>,
    text: string,
    start: number,
    end: number,
    hash: number,
    language: Language,
  ): T {
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
    const chunk = read(detach(text.slice(start, end)), language)
    if (end - start <= cachedLengthMax) {
      const last = first + places - 1
      hashes[last] = hash
      chunks[last] = chunk
    }
    return chunk
  }

  return {
    readOne: (text, start, end, hash, language) =>
      readCached(cacheOf(language), text, start, end, hash, language),
    readAll(text, { starts, ends, hashes }, language) {
      const cache = cacheOf(language)
      const chunks: T[] = []
      for (let i = 0; i < starts.length; i += 1) {
        chunks.push(readCached(cache, text, starts[i]!, ends[i]!, hashes[i]!, language))
      }
      return chunks
    },
  }
}

function isAt(text: string, start: number, end: number, part: string): boolean {
  if (end - start !== part.length) return false
  for (let i = 0; i < part.length; i += 1) {
    if (text.charCodeAt(start + i) !== part.charCodeAt(i)) return false
  }
  return true
}

/** V8 copies shorter slices; a longer slice keeps the whole text in memory. */
const slicedLengthMin = 13

const detach = (slice: string) => (slice.length < slicedLengthMin ? slice : ` ${slice}`.slice(1))
