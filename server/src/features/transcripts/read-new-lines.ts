import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { parseRecord } from './readers/json-record.ts'
import { countUnknown, newReaderState } from './readers/reader.ts'
import type { TranscriptLinePlace } from './transcript-places.ts'

const chunkBytes = 2_000_000
/** Longer lines hold pictures or whole files; they are counted and left out. */
const lineBytesMax = 16_000_000
const tailBytesMax = 1024

export type NewLines = { lines: string[]; place: TranscriptLinePlace }

/**
 * The whole lines after a place, about 2 MB at a time, with the place after them. A line that is still being written is
 * left for later. A file that was cut, or replaced by another one, is read from its beginning.
 */
export async function* readNewLines(
  path: string,
  from: TranscriptLinePlace | undefined,
): AsyncGenerator<NewLines> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    let place = from && (await isSameFile(file, from, size)) ? from : newPlace()
    while (place.offset < size) {
      const next = await readChunk(file, place, size)
      if (next.place.offset === place.offset) return
      place = { ...next.place, tail: await tailBefore(file, next.place.offset) }
      yield { lines: next.lines, place }
    }
  } finally {
    await file.close()
  }
}

const newPlace = (): TranscriptLinePlace => ({ offset: 0, tail: '', state: newReaderState() })

async function isSameFile(
  file: FileHandle,
  { offset, tail }: TranscriptLinePlace,
  size: number,
): Promise<boolean> {
  return size >= offset && (await tailBefore(file, offset)) === tail
}

async function tailBefore(file: FileHandle, offset: number): Promise<string> {
  const bytes = Math.min(tailBytesMax, offset)
  const buffer = Buffer.alloc(bytes)
  await file.read(buffer, 0, bytes, offset - bytes)
  return createHash('sha256').update(buffer).digest('hex')
}

/** Lines up to the last line break of a chunk. If it has none the chunk grows, up to the longest line. */
async function readChunk(file: FileHandle, place: TranscriptLinePlace, size: number): Promise<NewLines> {
  for (let length = chunkBytes; ; length *= 2) {
    const buffer = Buffer.alloc(Math.min(length, size - place.offset))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, place.offset)
    const read = buffer.subarray(0, bytesRead)
    const end = read.lastIndexOf(10) + 1
    if (end > 0) return linesOf(read.subarray(0, end), place)
    if (place.isInLongLine) return inLongLine(place, bytesRead)
    const isWhole = place.offset + bytesRead >= size
    if (!isWhole && length >= lineBytesMax) return inLongLine(place, bytesRead)
    if (!isWhole) continue
    // No beginning of an object is a whole object, so this line has been written; it only lacks its line break.
    if (parseRecord(read.toString())) {
      return { lines: [read.toString()], place: { ...place, offset: place.offset + bytesRead } }
    }
    return { lines: [], place }
  }
}

function linesOf(bytes: Buffer, place: TranscriptLinePlace): NewLines {
  const lines = bytes.toString('utf8').split('\n').slice(0, -1)
  const { isInLongLine, ...rest } = place
  return {
    lines: isInLongLine ? lines.slice(1) : lines,
    place: { ...rest, offset: place.offset + bytes.length },
  }
}

function inLongLine(place: TranscriptLinePlace, bytes: number): NewLines {
  if (!place.isInLongLine) countUnknown(place.state, 'long line')
  return { lines: [], place: { ...place, offset: place.offset + bytes, isInLongLine: true } }
}
