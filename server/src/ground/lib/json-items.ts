/* Reads JSON documents larger than memory, item by item: a list, or an object with lists as values. */

/** One item of a list, or a non-list value of an object. */
export type JsonItem = {
  /** Key of the outermost object; undefined if the document is a list. */
  key: string | undefined
  /** Index in the list, from 0; undefined for a value that is not a list. */
  index: number | undefined
  value: unknown
}

export type JsonBounds = { itemBytesMax: number; depthMax: number }

/** A document that cannot be read; the message gives the reason, without the document's name. */
export class JsonDocumentError extends Error {
  override name = 'JsonDocumentError'
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
const opens = (byte: number) => byte === 0x5b || byte === 0x7b
const closes = (byte: number) => byte === 0x5d || byte === 0x7d
const openList = 0x5b

/** Items in document order. Throws {@link JsonDocumentError} if the document is invalid, too deep or truncated. */
export async function* readJsonItems(
  source: AsyncIterable<Buffer>,
  bounds: JsonBounds,
): AsyncGenerator<JsonItem, void> {
  const scanner = createScanner(bounds)
  for await (const chunk of source) yield* scanner.take(chunk)
  scanner.end()
}

function createScanner({ itemBytesMax, depthMax }: JsonBounds) {
  let depth = 0
  let inString = false
  let isEscaped = false
  /** Depth of the items: 1 in a list, 1 or 2 in an object. In the outermost object the key comes first. */
  let itemDepth = 1
  let isObject = false
  let awaitsKey = false
  let key: string | undefined
  let index: number | undefined
  let hasEnded = false
  let pieces: Buffer[] = []
  let length = 0

  function keep(piece: Buffer): void {
    length += piece.length
    if (length > itemBytesMax) {
      throw new JsonDocumentError(`has an entry larger than ${Math.round(itemBytesMax / 1024 ** 2)} MiB`)
    }
    pieces.push(piece)
  }

  function parse(): unknown {
    const text = Buffer.concat(pieces).toString()
    pieces = []
    length = 0
    try {
      return JSON.parse(text)
    } catch {
      throw new JsonDocumentError('is not valid JSON')
    }
  }

  function begin(byte: number): void {
    if (!opens(byte)) throw new JsonDocumentError('is not a JSON list or object')
    depth = 1
    isObject = byte !== openList
    awaitsKey = isObject
    index = isObject ? undefined : 0
  }

  /** The item that ends at a comma or at the end of its list; an empty list has none. */
  function* finish(isClosing: boolean): Generator<JsonItem> {
    if (length === 0) {
      if (isClosing) return
      throw new JsonDocumentError('is not valid JSON')
    }
    yield { key, index, value: parse() }
    if (index !== undefined) index += 1
  }

  function* structure(byte: number): Generator<JsonItem> {
    if (byte === comma && depth === itemDepth) {
      // A comma after a list that is a value of the outermost object ends no item.
      if (!(isObject && itemDepth === 1 && length === 0 && key === undefined)) yield* finish(false)
      if (isObject && itemDepth === 1) {
        awaitsKey = true
        key = undefined
      }
      return
    }
    depth -= 1
    if (depth < 0) throw new JsonDocumentError('is not valid JSON')
    if (itemDepth === 2 && depth === 1) {
      yield* finish(true)
      itemDepth = 1
      index = undefined
      key = undefined
    } else {
      yield* finish(true)
      hasEnded = true
    }
  }

  /** Where the item's bytes start in the chunk, once it has begun. */
  function* take(chunk: Buffer): Generator<JsonItem> {
    let from = length > 0 || inString ? 0 : -1
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (inString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) inString = false
        continue
      }
      if (byte === quote) {
        if (depth === 0) throw new JsonDocumentError('is not a JSON list or object')
        inString = true
        if (from < 0) from = at
        continue
      }
      if (from < 0 && (isSpace(byte) || (depth === 0 && isMark(byte)))) continue
      if (hasEnded) throw new JsonDocumentError('goes on after its end')
      if (depth === 0) {
        begin(byte)
        continue
      }
      if (awaitsKey && byte === colon) {
        keep(chunk.subarray(from < 0 ? at : from, at))
        key = String(parse())
        awaitsKey = false
        from = -1
        continue
      }
      if (opens(byte)) {
        if (isObject && depth === 1 && byte === openList && from < 0 && !awaitsKey) {
          depth = 2
          itemDepth = 2
          index = 0
          continue
        }
        depth += 1
        if (depth > depthMax) throw new JsonDocumentError(`is nested deeper than ${depthMax} levels`)
        if (from < 0) from = at
        continue
      }
      const isEndOfItem = (byte === comma || closes(byte)) && depth === itemDepth
      if (isEndOfItem) {
        if (from >= 0) keep(chunk.subarray(from, at))
        from = -1
        yield* structure(byte)
      } else if (closes(byte)) depth -= 1
      else if (from < 0) from = at
    }
    if (from >= 0) keep(chunk.subarray(from))
  }

  return {
    take,
    end() {
      if (!hasEnded) throw new JsonDocumentError('ends too early')
    },
  }
}

/** Bytes of the byte order mark that some editors write before UTF-8. */
const isMark = (byte: number) => byte === 0xef || byte === 0xbb || byte === 0xbf
