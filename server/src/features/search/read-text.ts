import { rankedPassages } from '../../search-index/index-text.ts'
import type { ReadPassage } from '../../search-index/read-passages.ts'

/** An observation's text as it is stored. */
export type StoredText = { accountId: number; id: number; content: string; metadata: string | null }

/** A text that was read lately. It holds for whichever observation has the same content and metadata. */
type Known = { content: string; metadata: string | null; passages: readonly ReadPassage[] }

/** Two generations, each of so many bytes at most. */
const bytesMax = 16_000_000
/** What is there beside the characters. */
const bytesOfEntry = 300

let young = new Map<number, Known>()
let old = new Map<number, Known>()
let bytes = 0

/** The passages of an observation, as terms. Texts that were read lately are not analysed again. */
export function readText(text: StoredText): readonly ReadPassage[] {
  const key = keyOf(text)
  const known = young.get(key)
  if (known !== undefined && isOf(known, text)) return known.passages
  const { content, metadata } = text
  const older = old.get(key)
  const passages =
    older !== undefined && isOf(older, text)
      ? older.passages
      : rankedPassages(content, metadata === null ? undefined : JSON.parse(metadata))
  keep(key, { content, metadata, passages }, known)
  return passages
}

/** Not the text itself, which would have to be hashed each time. Two observations with the same key take turns. */
const keyOf = ({ accountId, id }: StoredText) => Math.imul(accountId, 0x9e3779b1) ^ id

const isOf = (known: Known, { content, metadata }: StoredText) =>
  known.content === content && known.metadata === metadata

function keep(key: number, known: Known, replaced: Known | undefined): void {
  const size = bytesOf(known) - (replaced === undefined ? 0 : bytesOf(replaced))
  if (bytes + size > bytesMax) {
    old = young
    young = new Map()
    bytes = bytesOf(known)
  } else bytes += size
  young.set(key, known)
}

/** At most: most characters take one byte. */
function bytesOf({ content, metadata, passages }: Known): number {
  const characters = passages.reduce((sum, { terms }) => sum + terms.length, content.length)
  return bytesOfEntry + 2 * (characters + (metadata?.length ?? 0))
}
