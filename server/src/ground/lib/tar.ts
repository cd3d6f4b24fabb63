import { createByteReader } from './byte-reader.ts'

/*
 * Archives of plain files in the format that every `tar` reads (POSIX ustar; GNU's encoding for sizes from 8 GiB on).
 */

const blockBytes = 512
const octalMax = 8 * 1024 ** 3
const pieceBytes = 256 * 1024

export type TarEntry = { name: string; bytes: number; content: AsyncIterable<Buffer> | Iterable<Buffer> }

export async function* writeTar(entries: readonly TarEntry[], seconds: number): AsyncGenerator<Buffer, void> {
  for (const { name, bytes, content } of entries) {
    yield headerOf(name, bytes, seconds)
    let written = 0
    for await (const piece of content) {
      written += piece.length
      yield piece
    }
    if (written !== bytes) throw new Error(`${name} has ${written} bytes instead of ${bytes}`)
    yield Buffer.alloc(paddingOf(bytes))
  }
  yield Buffer.alloc(2 * blockBytes)
}

/**
 * Passes the files of an archive in order to `take`, which has to read each to its end. If the archive is damaged or
 * truncated, throws an error whose message continues a name.
 */
export async function readTar(
  source: AsyncIterable<Buffer>,
  take: (entry: TarEntry) => Promise<void>,
): Promise<void> {
  const reader = createByteReader(source)
  for (;;) {
    const header = await reader.read(blockBytes)
    if (header.length < blockBytes) throw new Error('its end is missing')
    if (header.every((byte) => byte === 0)) break
    const { name, bytes } = parseHeader(header)
    await take({ name, bytes, content: content(bytes) })
    await reader.read(paddingOf(bytes))
  }
  // Reads to the end, so that an enclosing format can verify it.
  while ((await reader.read(pieceBytes)).length > 0);

  async function* content(bytes: number): AsyncGenerator<Buffer, void> {
    for (let left = bytes; left > 0; ) {
      const piece = await reader.read(Math.min(left, pieceBytes))
      if (piece.length === 0) throw new Error('its end is missing')
      left -= piece.length
      yield piece
    }
  }
}

const paddingOf = (bytes: number) => (blockBytes - (bytes % blockBytes)) % blockBytes

function headerOf(name: string, bytes: number, seconds: number): Buffer {
  const header = Buffer.alloc(blockBytes)
  const octal = (value: number, offset: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), offset, 'latin1')
  header.write(name, 0, 100, 'latin1')
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  if (bytes < octalMax) octal(bytes, 124, 12)
  else {
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(bytes), 128)
  }
  octal(seconds, 136, 12)
  header.write('0', 156, 'latin1')
  header.write('ustar\0', 257, 'latin1')
  header.write('00', 263, 'latin1')
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

function parseHeader(header: Buffer): { name: string; bytes: number } {
  const isSound = Number.parseInt(header.toString('latin1', 148, 156), 8) === checksumOf(header)
  if (!isSound || header.toString('latin1', 257, 262) !== 'ustar') throw new Error('it is no tar archive')
  const name = header.toString('latin1', 0, 100).replace(/\0.*$/s, '')
  const isLarge = header[124] === 0x80
  const bytes = isLarge
    ? Number(header.readBigUInt64BE(128))
    : Number.parseInt(header.toString('latin1', 124, 136), 8)
  if (!Number.isSafeInteger(bytes) || header[156] !== 0x30) throw new Error('it holds more than plain files')
  return { name, bytes }
}

/** The sum of the header's bytes, with the checksum's own bytes counted as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 0
  for (let i = 0; i < blockBytes; i++) sum += i >= 148 && i < 156 ? 0x20 : header[i]!
  return sum
}
