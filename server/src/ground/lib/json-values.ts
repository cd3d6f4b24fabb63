import { breathe } from './pace.ts'

const [quote, backslash, comma, openList, openObject] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]
const sliceBytes = 256 * 1024

/**
 * Whether a JSON document has more values than `max`, without parsing it; an upper estimate, since empty lists and
 * objects count twice. Yields to other work in between.
 */
export async function hasMoreValues(json: Uint8Array, max: number): Promise<boolean> {
  const scanner = createScanner()
  for (let from = 0; from < json.length; from += sliceBytes) {
    await breathe()
    if (scanner.count(json, from, Math.min(json.length, from + sliceBytes)) > max) return true
  }
  return false
}

/** Whether a text has more values than `max`, for texts that are no larger than a body. */
export function textHasMoreValues(json: string, max: number): boolean {
  if (json.length <= max) return false
  const bytes = Buffer.from(json)
  return createScanner().count(bytes, 0, bytes.length) > max
}

function createScanner() {
  let values = 1
  let isInString = false
  let isEscaped = false
  return {
    count(json: Uint8Array, from: number, to: number): number {
      for (let at = from; at < to; at++) {
        const byte = json[at]
        if (isEscaped) isEscaped = false
        else if (isInString) {
          if (byte === backslash) isEscaped = true
          else if (byte === quote) isInString = false
        } else if (byte === quote) isInString = true
        else if (byte === comma || byte === openList || byte === openObject) values++
      }
      return values
    },
  }
}
