import { hashText } from './hash-text.ts'
import { breathe } from './pace.ts'

/** Collects which numbers each key has, in little memory, and finds numbers that share a key. */
export type SharedKeys = {
  /** `id` is a whole number below 2^32. */
  add: (key: string, id: number) => void
  /**
   * The numbers under each key that at least two and at most `sizeMax` numbers share, each group in ascending order.
   * Keys with the same 32-bit hash are treated as one, so the caller still has to compare.
   */
  groups: (sizeMax: number) => AsyncGenerator<number[], void>
}

/** Entries (a hash and a number) are stored in blocks, so that growing copies nothing. */
const entriesPerBlock = 2 ** 15
const bucketBits = 12
const restBits = 32 - bucketBits
const idRange = 2 ** 32

/** With `parts`, collects only the keys of one part, so that large inputs can be processed part by part. */
export function createSharedKeys({ part, parts } = { part: 0, parts: 1 }): SharedKeys {
  const blocks: Uint32Array[] = []
  let size = 0

  function add(key: string, id: number): void {
    const hashed = hash(key)
    if (hashed % parts !== part) return
    const at = (size % entriesPerBlock) * 2
    if (at === 0) blocks.push(new Uint32Array(entriesPerBlock * 2))
    const block = blocks.at(-1)!
    block[at] = hashed
    block[at + 1] = id
    size += 1
  }

  async function* groups(sizeMax: number): AsyncGenerator<number[], void> {
    const { entries, ends } = await intoBuckets(blocks, size)
    let start = 0
    for (const end of ends) {
      await breathe()
      yield* groupsOf(entries.subarray(start, end).sort(), sizeMax)
      start = end
    }
  }

  return { add, groups }
}

/** Groups entries with the same leading hash bits, each packed into one number: the remaining bits, then the id. */
async function intoBuckets(blocks: readonly Uint32Array[], size: number) {
  const ends = new Uint32Array(2 ** bucketBits)
  await forEach((hashed) => {
    ends[hashed >>> restBits]! += 1
  })
  let sum = 0
  const next = ends.map((count, i) => {
    const start = sum
    sum += count
    ends[i] = sum
    return start
  })
  const entries = new Float64Array(size)
  await forEach((hashed, id) => {
    const bucket = hashed >>> restBits
    entries[next[bucket]!] = (hashed & (2 ** restBits - 1)) * idRange + id
    next[bucket]! += 1
  })
  return { entries, ends }

  async function forEach(visit: (hashed: number, id: number) => void): Promise<void> {
    for (const [i, block] of blocks.entries()) {
      await breathe()
      const length = Math.min(entriesPerBlock, size - i * entriesPerBlock) * 2
      for (let at = 0; at < length; at += 2) visit(block[at]!, block[at + 1]!)
    }
  }
}

function* groupsOf(sorted: Float64Array, sizeMax: number): Generator<number[], void> {
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    const rest = Math.floor(sorted[start]! / idRange)
    while (end < sorted.length && Math.floor(sorted[end]! / idRange) === rest) end += 1
    if (end - start < 2) continue
    const ids = [...new Set(Array.from(sorted.subarray(start, end), (entry) => entry % idRange))]
    if (ids.length > 1 && ids.length <= sizeMax) yield ids
  }
}

/** With MurmurHash3's final mixing. */
function hash(text: string): number {
  let value = hashText(text)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
