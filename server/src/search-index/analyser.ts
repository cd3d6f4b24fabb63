import { findChunks } from './find-chunks.ts'
import { detectLanguage, type Language } from './languages.ts'
import { readQuantities } from './quantities.ts'
import { type Chunk, readChunk } from './words.ts'

/** A word of a text with the terms it is found by; `start` and `end` are UTF-16 offsets in the text. */
export type Token = { start: number; end: number; term: string; surface: string; isStop: boolean }

export type Analysis = {
  language: Language
  /** False when nothing in the text told its language. */
  isCertain: boolean
  tokens: Token[]
  /** Terms for identifiers kept whole, pairs of ideographs and quantities, with the index of the token they follow. */
  wholes: { term: string; after: number; start: number; end: number }[]
}

/** Two generations, each of at most so many: what was not asked for during the younger is forgotten. */
const cachedChunksMax = 20_000
const cachedChunkLengthMax = 40
const caches = new Map<Language, { young: Map<string, Chunk>; old: Map<string, Chunk> }>()

function readCached(text: string, language: Language): Chunk {
  if (text.length > cachedChunkLengthMax) return readChunk(text, language)
  let cache = caches.get(language)
  if (cache === undefined) {
    cache = { young: new Map(), old: new Map() }
    caches.set(language, cache)
  }
  const known = cache.young.get(text)
  if (known !== undefined) return known
  const own = detach(text)
  const chunk = cache.old.get(own) ?? readChunk(own, language)
  if (cache.young.size >= cachedChunksMax) {
    cache.old = cache.young
    cache.young = new Map()
  }
  cache.young.set(own, chunk)
  return chunk
}

/** A copy of its own: a slice of a text keeps all of the text in memory. */
const detach = (text: string) => ` ${text}`.slice(1)

/** Takes a text apart into terms, the same way for what is stored and for what is asked. */
export function analyse(text: string, knownLanguage?: Language): Analysis {
  const { starts, texts } = findChunks(text)
  let chunks = texts.map((chunk) => readCached(chunk, knownLanguage ?? 'en'))
  const { language, isCertain } = knownLanguage
    ? { language: knownLanguage, isCertain: true }
    : detectLanguage(chunks)
  if (language !== (knownLanguage ?? 'en')) chunks = texts.map((chunk) => readCached(chunk, language))
  const tokens: Token[] = []
  const wholes: Analysis['wholes'] = []
  for (let i = 0; i < chunks.length; i += 1) {
    const start = starts[i]!
    const chunk = chunks[i]!
    for (const { from, to, term, surface, isStop } of chunk.units) {
      tokens.push({ start: start + from, end: start + to, term, surface, isStop })
    }
    for (const term of chunk.wholes) {
      wholes.push({ term, after: tokens.length - 1, start, end: start + texts[i]!.length })
    }
  }
  return { language, isCertain, tokens, wholes: withQuantities(text, tokens, wholes) }
}

/** Adds the quantities of a text; wholes are in the order of the tokens that they follow. */
function withQuantities(
  text: string,
  tokens: readonly Token[],
  wholes: Analysis['wholes'],
): Analysis['wholes'] {
  const quantities = readQuantities(text)
  if (quantities.length === 0) return wholes
  quantities.sort((a, b) => a.end - b.end)
  let after = -1
  const added = quantities.flatMap((quantity) => {
    while (after + 1 < tokens.length && tokens[after + 1]!.start < quantity.end) after += 1
    return after < 0 ? [] : [{ ...quantity, after }]
  })
  return [...wholes, ...added].sort((a, b) => a.after - b.after)
}
