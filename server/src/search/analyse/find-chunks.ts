import { randomInt } from 'node:crypto'
import type { Language } from './languages.ts'

/** Letters, digits and combining marks, joined by the punctuation of identifiers, numbers and names. */
const chunkPattern =
  /[\p{L}\p{N}\p{M}_\u00ad\u200c\u200d]+(?:['’.\-:,&/\\@][\p{L}\p{N}\p{M}_\u00ad\u200c\u200d]+)*(?:\+\+|#)?/gu

/** The chunks of a text, roughly separated by spaces (UTF-16 offsets), with a hash of each. */
export type FoundChunks = { starts: number[]; ends: number[]; hashes: number[] }

const ascii = /^\p{ASCII}*$/u
/**
 * The role of an ASCII character in a chunk: small letter, capital, other word character, or between
 * words.
 */
const [other, small, capital, otherPart, joint] = [0, 1, 2, 4, 8]
const part = small | capital | otherPart
const [hashSign, plus] = ['#'.charCodeAt(0), '+'.charCodeAt(0)]
const asciiKinds = new Uint8Array(128)
for (let code = 0; code < asciiKinds.length; code += 1) {
  const character = String.fromCharCode(code)
  if (/[a-z]/.test(character)) asciiKinds[code] = small
  else if (/[A-Z]/.test(character)) asciiKinds[code] = capital
  else if (/\w/.test(character)) asciiKinds[code] = otherPart
  else if ("'.-:,&/\\@".includes(character)) asciiKinds[code] = joint
}

export const isAscii = (text: string): boolean => ascii.test(text)

export function findChunks(text: string): FoundChunks {
  const found: FoundChunks = { starts: [], ends: [], hashes: [] }
  if (isAscii(text)) findInAscii(text, found)
  else findByPattern(text, found)
  return found
}

function findByPattern(text: string, found: FoundChunks): void {
  for (const { 0: chunk, index } of text.matchAll(chunkPattern)) {
    found.starts.push(index)
    found.ends.push(index + chunk.length)
    found.hashes.push(hashOf(chunk))
  }
}

const findInAscii = (text: string, { starts, ends, hashes }: FoundChunks): boolean =>
  walkAscii(text, (start, end, hash) => {
    starts.push(start)
    ends.push(end)
    hashes.push(hash)
    return true
  })

/** Called with each chunk; returns false to stop. */
export type VisitChunk = (start: number, end: number, hash: number, isPlain: boolean) => boolean

/** Finds the chunks of an ASCII text: the same ones as the pattern, several times as fast. */
export function walkAscii(text: string, visit: VisitChunk): boolean {
  const { length } = text
  for (let start = 0; start < length; ) {
    const code = text.charCodeAt(start)
    const first = asciiKinds[code]!
    if ((first & part) === 0) {
      start += 1
      continue
    }
    let hash = Math.imul(hashSeed ^ code, hashPrime)
    let rest = 0
    let end = start + 1
    for (; end < length; end += 1) {
      const next = text.charCodeAt(end)
      const kind = asciiKinds[next]!
      if (kind === other || (kind === joint && !isPartAt(text, end + 1))) break
      rest |= kind
      hash = Math.imul(hash ^ next, hashPrime)
    }
    const suffix = end < length ? suffixAt(text, end) : 0
    for (let i = 0; i < suffix; i += 1) hash = Math.imul(hash ^ text.charCodeAt(end + i), hashPrime)
    end += suffix
    const isPlain =
      suffix === 0 && first !== otherPart && (rest <= small || (rest === capital && first === capital))
    if (!visit(start, end, hash, isPlain)) return false
    start = end
  }
  return true
}

const isPartAt = (text: string, index: number) =>
  index < text.length && (asciiKinds[text.charCodeAt(index)]! & part) !== 0

/** The length of "#" or "++", as in names of programming languages. */
function suffixAt(text: string, index: number): number {
  const code = text.charCodeAt(index)
  if (code === hashSign) return 1
  return code === plus && text[index + 1] === '+' ? 2 : 0
}

const hashPrime = 0x01000193
/** Differs per process, so that nobody can predict which chunks collide in a cache. */
const hashSeed = randomInt(2 ** 32) | 0

/** FNV-1a over UTF-16 code units. */
export function hashOf(chunk: string): number {
  let hash = hashSeed
  for (let i = 0; i < chunk.length; i += 1) hash = Math.imul(hash ^ chunk.charCodeAt(i), hashPrime)
  return hash
}

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
