import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** What is numbered within its account; a set of changes within its space. */
export type NumberedPrefix = 'ent' | 'obs' | 'rel' | 'set' | 'spc'

const digitsMax = 11

/** The id that callers see of a number: `ent_3rj0`, the number in Crockford's base 32. */
export function toId(prefix: NumberedPrefix, number: number): string {
  let text = ''
  for (let rest = number; rest > 0; rest = Math.floor(rest / 32)) text = alphabet[rest % 32] + text
  return `${prefix}_${text}`
}

/** The number behind an id; undefined for all that {@link toId} does not make of a whole number from 1 to 2^53 - 1. */
export function toNumber(prefix: NumberedPrefix, id: string): number | undefined {
  const start = prefix.length + 1
  const digits = id.length - start
  if (digits < 1 || digits > digitsMax || !id.startsWith(`${prefix}_`) || id[start] === '0') return undefined
  let number = 0
  for (let i = start; i < id.length; i++) {
    const digit = alphabet.indexOf(id[i]!)
    if (digit < 0) return undefined
    number = number * 32 + digit
  }
  return Number.isSafeInteger(number) ? number : undefined
}

/** Orders ids of one prefix by their numbers, which is the order of insertion. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}

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

/** When {@link createIdMaker} made an id, milliseconds. */
export function momentOfId(id: string): number {
  let at = 0
  for (const digit of id.slice(id.indexOf('_') + 1).slice(0, 10)) at = at * 32 + alphabet.indexOf(digit)
  return at
}

/** No id that {@link createIdMaker} makes at this moment or later sorts before this one, and every earlier id does. */
export function firstIdAt(prefix: string, at: number): string {
  return `${prefix}_${encode(Math.max(0, at), 10)}`
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
