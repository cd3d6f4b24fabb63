import { randomBytes, randomFillSync } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Makes ids that sort by the time they were made: `ent_` and 26 characters, 48 bits of milliseconds and 80 random
 * bits, in Crockford's base 32 (the layout of ULID, https://github.com/ulid/spec). Ids of one maker are strictly
 * increasing, within a millisecond too.
 */
export function createIdMaker(now: () => number): (prefix: string) => string {
  let lastTime = 0
  let random = 0n
  return (prefix) => {
    const time = now()
    if (time > lastTime) {
      lastTime = time
      random = BigInt(`0x${randomBytes(10).toString('hex')}`) >> 1n
    } else {
      random += 1n + BigInt(randomStep())
    }
    return `${prefix}_${encode(BigInt(lastTime), 10)}${encode(random, 16)}`
  }
}

const pool = Buffer.alloc(4_096)
let used = pool.length

/** 32 random bits; asked of the system a page at a time, since each question costs more than the rest of an id. */
function randomStep(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 4
  return pool.readUInt32LE(used - 4)
}

function encode(value: bigint, length: number): string {
  let rest = value
  let text = ''
  for (let i = 0; i < length; i++) {
    text = alphabet[Number(rest & 31n)] + text
    rest >>= 5n
  }
  return text
}
