import { randomInt } from 'node:crypto'

/** Letters, digits and the marks on them, held together by the punctuation of identifiers, numbers and names. */
const chunkPattern =
  /[\p{L}\p{N}\p{M}_\u00ad\u200c\u200d]+(?:['’.\-:,&/\\@][\p{L}\p{N}\p{M}_\u00ad\u200c\u200d]+)*(?:\+\+|#)?/gu

/** Where a text has chunks to read, from space to space about (UTF-16), and a hash of each. */
export type FoundChunks = { starts: number[]; ends: number[]; hashes: number[] }

const isAscii = /^\p{ASCII}*$/u
const [other, part, joint] = [0, 1, 2]
const [hash, plus] = ['#'.charCodeAt(0), '+'.charCodeAt(0)]
const asciiKinds = new Uint8Array(128)
for (let code = 0; code < asciiKinds.length; code += 1) {
  const character = String.fromCharCode(code)
  if (/\w/.test(character)) asciiKinds[code] = part
  else if ("'.-:,&/\\@".includes(character)) asciiKinds[code] = joint
}

export function findChunks(text: string): FoundChunks {
  const found: FoundChunks = { starts: [], ends: [], hashes: [] }
  if (isAscii.test(text)) findInAscii(text, found)
  else findByPattern(text, found)
  return found
}

function findByPattern(text: string, found: FoundChunks): void {
  for (const match of text.matchAll(chunkPattern))
    add(text, match.index, match.index + match[0].length, found)
}

/** The same as the pattern finds, several times as fast. */
function findInAscii(text: string, found: FoundChunks): void {
  const { length } = text
  // Past the end there is no code to look up: an index that is no number makes the look-up slow.
  const kindAt = (index: number) => (index < length ? asciiKinds[text.charCodeAt(index)] : other)
  for (let start = 0; start < length; start += 1) {
    if (kindAt(start) !== part) continue
    let end = start + 1
    for (;;) {
      const kind = kindAt(end)
      if (kind === other || (kind === joint && kindAt(end + 1) !== part)) break
      end += 1
    }
    if (end < length) end += suffixAt(text, end)
    add(text, start, end, found)
    start = end - 1
  }
}

/** The length of "#" or "++" as in the names of languages. */
function suffixAt(text: string, index: number): number {
  const code = text.charCodeAt(index)
  if (code === hash) return 1
  return code === plus && text[index + 1] === '+' ? 2 : 0
}

const hashPrime = 0x01000193
/** Differs from process to process, so that nobody can tell which chunks share a place in a cache. */
const hashSeed = randomInt(2 ** 32)

/** FNV-1a by UTF-16 code units. */
function hashOf(text: string, start: number, end: number): number {
  let hash = hashSeed | 0
  for (let i = start; i < end; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), hashPrime)
  return hash
}

function add(text: string, start: number, end: number, found: FoundChunks): void {
  found.starts.push(start)
  found.ends.push(end)
  found.hashes.push(hashOf(text, start, end))
}
