import { isUtf8 } from 'node:buffer'

/** Where a line begins: byte offset in the file, and line number from 1. */
export type LineStart = { offset: number; line: number }

/** One line without its line break; `text` is undefined if the line is too long or not UTF-8. */
export type Line = { text: string | undefined; start: LineStart; next: LineStart }

/** The part of `FileHandle` that is needed; reads at an explicit position. */
export type ReadableFile = {
  read: (
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ) => Promise<{ bytesRead: number; buffer: Buffer }>
}

const readBytes = 256 * 1024
const newline = 10

/** Lines of a file from the given start. Lines longer than `bytesMax` are not held in memory. */
export async function* readLines(
  file: ReadableFile,
  from: LineStart,
  bytesMax: number,
): AsyncGenerator<Line, void> {
  let start = from
  let pieces: Buffer[] = []
  let length = 0
  const keep = (piece: Buffer) => {
    length += piece.length
    if (length <= bytesMax) pieces.push(piece)
    else pieces = []
  }
  const take = (end: number): Line => {
    const line = { text: textOf(pieces, length), start, next: { offset: end, line: start.line + 1 } }
    pieces = []
    length = 0
    start = line.next
    return line
  }
  for (let position = from.offset; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(readBytes), 0, readBytes, position)
    if (bytesRead === 0) break
    const data = buffer.subarray(0, bytesRead)
    let begin = 0
    for (let end = data.indexOf(newline); end >= 0; end = data.indexOf(newline, begin)) {
      keep(data.subarray(begin, end))
      begin = end + 1
      yield take(position + begin)
    }
    keep(data.subarray(begin))
    position += bytesRead
  }
  if (length > 0) yield take(start.offset + length)
}

function textOf(pieces: Buffer[], length: number): string | undefined {
  const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
  return bytes.length === length && isUtf8(bytes) ? bytes.toString() : undefined
}
