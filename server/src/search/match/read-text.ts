import type { AskedWords } from '../analyse/asked-words.ts'
import { rankedPassages, readAskedPassage } from '../analyse/index-text.ts'
import type { ReadPassage } from '../analyse/read-passages.ts'

/** An observation's stored text. */
export type StoredText = { accountId: number; id: number; content: string; metadata: string | null }

/** A text that was read completely. Valid for any observation with the same content and metadata. */
type Known = { content: string; metadata: string | null; passages: readonly ReadPassage[] }

/** Maximum bytes of each of the two cache generations. */
const bytesMax = 16_000_000
/** Overhead per entry, besides the characters. */
const bytesOfEntry = 300

let young = new Map<number, Known>()
let old = new Map<number, Known>()
let bytes = 0

/** A text read for more questions than this is read completely and cached. */
const readingsMin = 8
const readingsBits = 18
/** Read counts by key hash; a few texts share a slot. Reset after as many reads as there are slots. */
const readings = new Uint8Array(2 ** readingsBits)
let readingsCounted = 0

/**
 * The passages of an observation. A short text is read only for the question, unless it is read often: terms that are
 * not in `asked` may be missing.
 */
export function readText(text: StoredText, asked: AskedWords): readonly ReadPassage[] {
  const key = keyOf(text)
  const known = findKnown(key, text)
  if (known !== undefined) return known.passages
  const { content, metadata } = text
  const values = metadata === null ? undefined : JSON.parse(metadata)
  const short = countReading(key) > readingsMin ? undefined : readAskedPassage(content, values, asked)
  if (short !== undefined) return [short]
  const passages = rankedPassages(content, values)
  keep(key, { content, metadata, passages })
  return passages
}

/** Not the text itself, which would be hashed each time. Two observations with the same key replace each other. */
const keyOf = ({ accountId, id }: StoredText) => Math.imul(accountId, 0x9e3779b1) ^ id

const isOf = (known: Known, { content, metadata }: StoredText) =>
  known.content === content && known.metadata === metadata

function findKnown(key: number, text: StoredText): Known | undefined {
  const inYoung = young.get(key)
  if (inYoung !== undefined) return isOf(inYoung, text) ? inYoung : undefined
  const inOld = old.get(key)
  if (inOld === undefined || !isOf(inOld, text)) return undefined
  keep(key, inOld)
  return inOld
}

function countReading(key: number): number {
  readingsCounted += 1
  if (readingsCounted > readings.length) {
    readings.fill(0)
    readingsCounted = 1
  }
  const place = Math.imul(key, 0x9e3779b1) >>> (32 - readingsBits)
  readings[place] = Math.min(255, readings[place]! + 1)
  return readings[place]
}

function keep(key: number, known: Known): void {
  const replaced = young.get(key)
  const size = bytesOf(known) - (replaced === undefined ? 0 : bytesOf(replaced))
  if (bytes + size > bytesMax) {
    old = young
    young = new Map()
    bytes = bytesOf(known)
  } else bytes += size
  young.set(key, known)
}

/** Upper bound, since most characters take one byte. */
function bytesOf({ content, metadata, passages }: Known): number {
  const characters = passages.reduce((sum, { terms }) => sum + terms.length, content.length)
  return bytesOfEntry + 2 * (characters + (metadata?.length ?? 0))
}
