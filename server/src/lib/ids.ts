import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Makes ids that sort by the time they were made: `ent_` and 26 characters, 48 bits of milliseconds and 80 random
 * bits, in Crockford's base 32 (the layout of ULID, https://github.com/ulid/spec). Ids of one maker are strictly
 * increasing, within a millisecond too.
 */
export function createIdMaker(now: () => number): (prefix: string) => string {
  let lastTime = 0
  let time = ''
  // The random bits as two whole numbers, since arithmetic on big integers takes ten times as long.
  let high = 0
  let low = 0
  return (prefix) => {
    const at = now()
    if (at > lastTime) {
      lastTime = at
      time = encode(at, 10)
      // Half of what there is room for, so that counting up never comes to an end.
      high = Math.floor(randomNumber(5) / 2)
      low = randomNumber(5)
    } else {
      low += 1 + randomNumber(4)
      if (low >= half) {
        low -= half
        high += 1
      }
    }
    return `${prefix}_${time}${encode(high, 8)}${encode(low, 8)}`
  }
}

/** A half of the random bits has 40. */
const half = 2 ** 40

const pool = Buffer.alloc(4_096)
let used = pool.length

/** Random bytes as a whole number; asked of the system a page at a time, since each question costs more than an id. */
function randomNumber(bytes: number): number {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.readUIntBE(used - bytes, bytes)
}

const pairs = [...alphabet].flatMap((first) => [...alphabet].map((second) => first + second))

/** `length` is even. */
function encode(value: number, length: number): string {
  let rest = value
  let text = ''
  for (let i = 0; i < length; i += 2) {
    text = pairs[rest % 1024] + text
    rest = Math.floor(rest / 1024)
  }
  return text
}
