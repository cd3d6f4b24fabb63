import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Kinds that are numbered within their account; change sets are numbered within their space. */
export type NumberedPrefix = 'ent' | 'obs' | 'rel' | 'set' | 'spc' | 'cnv' | 'trn' | 'prp' | 'drf'

const digitsMax = 11

const pairs = [...alphabet].flatMap((first) => [...alphabet].map((second) => first + second))

/** The public id of a number: `ent_3rj0`, the number in Crockford's base 32. */
export function toId(prefix: NumberedPrefix, number: number): string {
  let text = ''
  let rest = number
  for (; rest >= 1024; rest = Math.floor(rest / 1024)) text = pairs[rest % 1024] + text
  return `${prefix}_${rest < 32 ? alphabet[rest] : pairs[rest]}${text}`
}

/**
 * The number of an id; undefined for anything that {@link toId} does not produce for a whole number from 1 to 2^53 -
 * 1.
 */
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
 * Creates ids that sort by creation time: `ent_` and 26 characters, 48 bits of milliseconds and 80 random bits, in
 * Crockford's base 32 (the layout of ULID, https://github.com/ulid/spec). Ids of one maker strictly increase, even
 * within a millisecond.
 */
export function createIdMaker(now: () => number): (prefix: string) => string {
  let lastTime = 0
  /** The encoded time and high bits. */
  let start = ''
  // The random bits are two whole numbers, since BigInt arithmetic takes ten times as long.
  let high = 0
  let low = 0
  return (prefix) => {
    const at = now()
    if (at > lastTime) {
      lastTime = at
      // Starts in the lower half of the range, so that counting up cannot overflow.
      high = Math.floor(randomNumber(5) / 2)
      low = randomNumber(5)
      start = encode(at, 10) + encode(high, 8)
    } else {
      low += 1 + randomNumber(4)
      if (low >= half) {
        low -= half
        high += 1
        start = encode(lastTime, 10) + encode(high, 8)
      }
    }
    return `${prefix}_${start}${encode(low, 8)}`
  }
}

/** When {@link createIdMaker} created an id, in milliseconds. */
export function momentOfId(id: string): number {
  let at = 0
  for (const digit of id.slice(id.indexOf('_') + 1).slice(0, 10)) at = at * 32 + alphabet.indexOf(digit)
  return at
}

/** Sorts before every id that {@link createIdMaker} creates at this time or later, and after every earlier id. */
export function firstIdAt(prefix: string, at: number): string {
  return `${prefix}_${encode(Math.max(0, at), 10)}`
}

/** Half of the random bits: 40. */
const half = 2 ** 40

const pool = Buffer.alloc(4_096)
let used = pool.length

/**
 * Random bytes as a whole number, fetched from the system a page at a time, since each system call costs more than an
 * id.
 */
function randomNumber(bytes: number): number {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.readUIntBE(used - bytes, bytes)
}

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

/** The numbers of these ids; invalid ids are left out. */
export function numbersOf(prefix: NumberedPrefix, ids: readonly string[]): number[] {
  return ids.flatMap((id) => toNumber(prefix, id) ?? [])
}

/** The number of an id that one of our repos returned. Throws if it is invalid. */
export function numberOf(prefix: NumberedPrefix, id: string): number {
  const number = toNumber(prefix, id)
  if (number === undefined) throw new Error(`${id} is no id of ours`)
  return number
}
