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

/**
 * The digest of the terms of each id. `terms` holds one term for each of `ids`, after `prefix` characters that do not
 * count.
 */
export function digestsById(terms: string, ids: string, prefix: number): Map<number, number> {
  const sums = new Map<number, Int32Array>()
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
    const sum = sums.get(id) ?? new Int32Array(2)
    sums.set(id, sum)
    sum[0]! += hashed[0]!
    sum[1]! += hashed[1]!
  }
  return new Map([...sums].map(([id, sum]) => [id, toDigest(sum[0]!, sum[1]!)]))
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
