import { once } from 'node:events'
import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw, deflateRawSync } from 'node:zlib'

/*
 * Writes ZIP archives as a stream (PKWARE APPNOTE 6.3.10): deflated, names in UTF-8, ZIP64 where a number does not
 * fit. yazl walks its whole list of files for each file: ten times the processor time for 10,000.
 */

export type ZipFile = { path: string; content: AsyncIterable<Buffer | string> }

/** Smaller files are buffered whole, so that their sizes can precede them. */
const wholeBytesMax = 256 * 1024
/** Compressing this much here takes less time than passing it to another thread. */
const atOnceBytesMax = 8 * 1024
const storedBytesMax = 64
const max16 = 0xffff
const max32 = 0xffffffff
const version = 20
const version64 = 45
const utf8 = 0x0800
const sizesFollow = 0x0008
const stored = 0
const deflated = 8
/** Unix, a regular file that its owner can read and write. */
const madeByUnix = 3 << 8
const attributes = 0o100600 * 0x10000

const deflate = promisify(deflateRaw)

type Entry = {
  name: Buffer
  flags: number
  method: number
  crc: number
  packed: number
  bytes: number
  offset: number
}

/** An archive whose files all have the time `at`. Only its directory is held in memory. */
export async function* writeZip(files: AsyncIterable<ZipFile>, at: Date): AsyncGenerator<Buffer, void> {
  const time = dosTimeOf(at)
  const directory: Buffer[] = []
  let offset = 0
  for await (const { path, content } of files) {
    const entry: Entry = {
      name: Buffer.from(path),
      flags: utf8,
      method: deflated,
      crc: 0,
      packed: 0,
      bytes: 0,
      offset,
    }
    for await (const piece of writeFile(entry, content, time)) {
      offset += piece.length
      yield piece
    }
    directory.push(directoryEntry(entry, time))
  }
  const start = offset
  let bytes = 0
  for (const record of directory) {
    bytes += record.length
    yield record
  }
  yield endOf(directory.length, start, bytes)
}

async function* writeFile(
  entry: Entry,
  content: AsyncIterable<Buffer | string>,
  time: number,
): AsyncGenerator<Buffer, void> {
  const iterator = content[Symbol.asyncIterator]()
  const pieces: Buffer[] = []
  const next = async () => {
    const { value, done = false } = await iterator.next()
    if (done) return undefined
    const piece = Buffer.from(value)
    entry.bytes += piece.length
    entry.crc = crc32(piece, entry.crc)
    return piece
  }
  for (let piece = await next(); piece !== undefined; piece = await next()) {
    pieces.push(piece)
    if (entry.bytes <= wholeBytesMax) continue
    entry.flags |= sizesFollow
    yield localHeader(entry, time)
    yield* deflateAll(entry, pieces, next)
    yield descriptor(entry)
    return
  }
  const whole = Buffer.concat(pieces)
  const packed = await pack(whole)
  entry.method = packed === whole ? stored : deflated
  entry.packed = packed.length
  yield localHeader(entry, time)
  yield packed
}

/** The smallest files would only grow. */
async function pack(whole: Buffer): Promise<Buffer> {
  if (whole.length <= storedBytesMax) return whole
  return whole.length <= atOnceBytesMax ? deflateRawSync(whole, { memLevel: 5 }) : deflate(whole)
}

async function* deflateAll(
  entry: Entry,
  first: readonly Buffer[],
  next: () => Promise<Buffer | undefined>,
): AsyncGenerator<Buffer, void> {
  const packer = createDeflateRaw()
  const feed = async () => {
    for (const piece of first) if (!packer.write(piece)) await once(packer, 'drain')
    for (let piece = await next(); piece !== undefined; piece = await next())
      if (!packer.write(piece)) await once(packer, 'drain')
    packer.end()
  }
  const fed = feed().catch((error) => packer.destroy(error))
  try {
    for await (const piece of packer as AsyncIterable<Buffer>) {
      entry.packed += piece.length
      yield piece
    }
    await fed
  } finally {
    packer.destroy()
  }
}

/** 4.3.7; if the sizes follow the file, with room for large ones (4.5.3). */
function localHeader({ name, flags, method, crc, packed, bytes }: Entry, time: number): Buffer {
  const isStreamed = (flags & sizesFollow) !== 0
  const header = Buffer.alloc(30 + (isStreamed ? 20 : 0) + name.length)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(isStreamed ? version64 : version, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt32LE(time, 10)
  header.writeUInt32LE(isStreamed ? 0 : crc, 14)
  header.writeUInt32LE(isStreamed ? max32 : packed, 18)
  header.writeUInt32LE(isStreamed ? max32 : bytes, 22)
  header.writeUInt16LE(name.length, 26)
  header.writeUInt16LE(isStreamed ? 20 : 0, 28)
  name.copy(header, 30)
  if (isStreamed) {
    header.writeUInt16LE(1, 30 + name.length)
    header.writeUInt16LE(16, 32 + name.length)
  }
  return header
}

/** 4.3.9, in its ZIP64 form. */
function descriptor({ crc, packed, bytes }: Entry): Buffer {
  const record = Buffer.alloc(24)
  record.writeUInt32LE(0x08074b50, 0)
  record.writeUInt32LE(crc, 4)
  record.writeBigUInt64LE(BigInt(packed), 8)
  record.writeBigUInt64LE(BigInt(bytes), 16)
  return record
}

/** 4.3.12 */
function directoryEntry({ name, flags, method, crc, packed, bytes, offset }: Entry, time: number): Buffer {
  const isLarge = [packed, bytes, offset].some((value) => value >= max32)
  const is64 = isLarge || (flags & sizesFollow) !== 0
  const record = Buffer.alloc(46 + name.length + (isLarge ? 28 : 0))
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE(madeByUnix | (is64 ? version64 : version), 4)
  record.writeUInt16LE(is64 ? version64 : version, 6)
  record.writeUInt16LE(flags, 8)
  record.writeUInt16LE(method, 10)
  record.writeUInt32LE(time, 12)
  record.writeUInt32LE(crc, 16)
  record.writeUInt32LE(isLarge ? max32 : packed, 20)
  record.writeUInt32LE(isLarge ? max32 : bytes, 24)
  record.writeUInt16LE(name.length, 28)
  record.writeUInt16LE(isLarge ? 28 : 0, 30)
  record.writeUInt32LE(attributes, 38)
  record.writeUInt32LE(isLarge ? max32 : offset, 42)
  name.copy(record, 46)
  if (isLarge) {
    const extra = 46 + name.length
    record.writeUInt16LE(1, extra)
    record.writeUInt16LE(24, extra + 2)
    record.writeBigUInt64LE(BigInt(bytes), extra + 4)
    record.writeBigUInt64LE(BigInt(packed), extra + 12)
    record.writeBigUInt64LE(BigInt(offset), extra + 20)
  }
  return record
}

/** 4.3.14 to 4.3.16 */
function endOf(count: number, start: number, bytes: number): Buffer {
  const isLarge = count >= max16 || start >= max32 || bytes >= max32
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(isLarge ? max16 : count, 8)
  end.writeUInt16LE(isLarge ? max16 : count, 10)
  end.writeUInt32LE(isLarge ? max32 : bytes, 12)
  end.writeUInt32LE(isLarge ? max32 : start, 16)
  if (!isLarge) return end
  const end64 = Buffer.alloc(56)
  end64.writeUInt32LE(0x06064b50, 0)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeUInt16LE(madeByUnix | version64, 12)
  end64.writeUInt16LE(version64, 14)
  end64.writeBigUInt64LE(BigInt(count), 24)
  end64.writeBigUInt64LE(BigInt(count), 32)
  end64.writeBigUInt64LE(BigInt(bytes), 40)
  end64.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(start + bytes), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([end64, locator, end])
}

/** 4.4.6: the resolution is two seconds, the first year is 1980. */
function dosTimeOf(at: Date): number {
  const day =
    ((Math.max(1980, at.getUTCFullYear()) - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return day * 0x10000 + time
}
