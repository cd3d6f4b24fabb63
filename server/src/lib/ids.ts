import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Makes ids that sort by the time they were made: `ent_` and 26 characters, 48 bits of milliseconds and 80 random
 * bits, in Crockford's base 32 (the layout of ULID, https://github.com/ulid/spec). Ids of one maker are strictly
 * increasing, within a millisecond too.
 */
export function createIdMaker(now: () => number): (prefix: string) => string {
  let lastTime = 0
  // The random bits, in two halves that each fit in a number; big integers take ten times as long.
  let high = 0
  let low = 0
  let beginning = ''
  return (prefix) => {
    const time = now()
    if (time > lastTime) {
      lastTime = time
      // The first bit stays 0: room to count on.
      high = (randomBits() >>> 1) * 2 ** 8 + (randomBits() & 0xff)
      low = randomBits() * 2 ** 8 + (randomBits() & 0xff)
      beginning = encode(lastTime).slice(-10) + encode(high).slice(-8)
    } else {
      low += 1 + randomBits()
      if (low >= halfRange) {
        low -= halfRange
        high++
        beginning = beginning.slice(0, 10) + encode(high).slice(-8)
      }
    }
    return `${prefix}_${beginning}${encode(low).slice(-8)}`
  }
}

const halfRange = 2 ** 40

const pool = Buffer.alloc(4_096)
let used = pool.length

/** 32 random bits; asked of the system a page at a time, since each question costs more than the rest of an id. */
function randomBits(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 4
  return pool.readUInt32LE(used - 4)
}

const pairs = Array.from({ length: 1024 }, (_, bits) => alphabet[bits >> 5]! + alphabet[bits & 31]!)

/** Twelve characters; the number has 53 bits at most. */
function encode(value: number): string {
  const upper = Math.floor(value / 2 ** 30)
  const lower = value % 2 ** 30
  return (
    pairs[upper >>> 20]! +
    pairs[(upper >>> 10) & 1023]! +
    pairs[upper & 1023]! +
    pairs[lower >>> 20]! +
    pairs[(lower >>> 10) & 1023]! +
    pairs[lower & 1023]!
  )
}
