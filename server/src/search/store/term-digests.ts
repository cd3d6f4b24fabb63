const space = 32
const comma = 44
const zero = 48

/**
 * The sum of two hashes of each term (32 and 21 bits; FNV-1a with two primes and a final mix). Equal digests mean
 * equal terms, each as often, in any order.
 */
export function digestOf(terms: string): number {
  let low = 0
  let high = 0
  for (let at = 0; at < terms.length; at = end + 1) {
    hashTerm(terms, at)
    low = (low + hashed[0]!) | 0
    high = (high + hashed[1]!) | 0
  }
  return toDigest(low, high)
}

/** Ids of one space lie close together. */
const idsPerBlock = 256

/** Adds up the digests of the terms of many ids, at 8 bytes for each. */
export class TermDigests {
  readonly #blocks = new Map<number, Int32Array>()

  /** `terms` holds one term for each of the first of `ids`, after `prefix` characters that do not count. */
  add(terms: string, ids: string, prefix: number): void {
    let place = 0
    for (let at = 0; at < terms.length; at = end + 1) {
      hashTerm(terms, at + prefix)
      let id = 0
      for (; place < ids.length; place += 1) {
        const code = ids.charCodeAt(place)
        if (code === comma) break
        id = id * 10 + code - zero
      }
      place += 1
      const block = this.#blockOf(id)
      const low = 2 * (id % idsPerBlock)
      block[low]! += hashed[0]!
      block[low + 1]! += hashed[1]!
    }
  }

  #blockOf(id: number): Int32Array {
    const number = Math.floor(id / idsPerBlock)
    let block = this.#blocks.get(number)
    if (block === undefined) {
      block = new Int32Array(2 * idsPerBlock)
      this.#blocks.set(number, block)
    }
    return block
  }

  /** The digest of an id, that of no terms if none was added. */
  of(id: number): number {
    const block = this.#blocks.get(Math.floor(id / idsPerBlock))
    const low = 2 * (id % idsPerBlock)
    return block === undefined ? 0 : toDigest(block[low]!, block[low + 1]!)
  }
}

const toDigest = (low: number, high: number) => (high >>> 11) * 2 ** 32 + (low >>> 0)

/** The hashes of the last term, and where it ended: a result object for each would cost more than the hashes. */
const hashed = new Int32Array(2)
let end = 0

function hashTerm(terms: string, from: number): void {
  let low = 0x811c9dc5 | 0
  let high = 0x2f0b4c47
  let at = from
  for (; at < terms.length; at += 1) {
    const code = terms.charCodeAt(at)
    if (code === space) break
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x5bd1e995)
  }
  end = at
  hashed[0] = mix(low)
  hashed[1] = mix(high)
}

function mix(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  return half ^ (half >>> 15)
}
