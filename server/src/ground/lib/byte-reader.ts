/** Reads a stream of bytes by length. */
export type ByteReader = {
  /** Exactly that many bytes, fewer only at the end. */
  read: (bytes: number) => Promise<Buffer>
  /** Bytes up to a newline, which is dropped; undefined if there is none within `bytesMax`. */
  readLine: (bytesMax: number) => Promise<string | undefined>
}

const newline = 10

export function createByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const iterator = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  let hasEnded = false

  async function fill(bytes: number): Promise<void> {
    const pieces = [rest]
    let length = rest.length
    while (length < bytes && !hasEnded) {
      const { value, done = false } = await iterator.next()
      hasEnded = done
      if (done) break
      pieces.push(value)
      length += value.length
    }
    rest = pieces.length === 1 ? rest : Buffer.concat(pieces)
  }

  function take(bytes: number): Buffer {
    const taken = rest.subarray(0, bytes)
    rest = rest.subarray(bytes)
    return taken
  }

  return {
    async read(bytes) {
      await fill(bytes)
      return take(bytes)
    },
    async readLine(bytesMax) {
      await fill(bytesMax)
      const end = rest.subarray(0, bytesMax).indexOf(newline)
      if (end < 0) return undefined
      return take(end + 1)
        .subarray(0, end)
        .toString('latin1')
    },
  }
}
