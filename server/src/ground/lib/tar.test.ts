import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { arrayOf } from '../../../test/array-of.ts'
import { readTar, type TarEntry, writeTar } from './tar.ts'

const gib = 1024 ** 3
const plain = (name: string, text: string): TarEntry => ({
  name,
  bytes: Buffer.byteLength(text),
  content: [Buffer.from(text)],
})
const files = [plain('empty', ''), plain('small.txt', 'héllo'), plain('block', 'x'.repeat(512))]

async function archiveOf(entries: TarEntry[]): Promise<Buffer> {
  return Buffer.concat(await arrayOf(writeTar(entries, 1_700_000_000)))
}

/** The files of an archive that comes in pieces of that many bytes. */
async function filesIn(archive: Buffer, pieceBytes = archive.length): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  await readTar(piecesOf(archive, pieceBytes), async ({ name, content }) => {
    found[name] = Buffer.concat(await arrayOf(content)).toString()
  })
  return found
}

async function* piecesOf(archive: Buffer, pieceBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < archive.length; at += pieceBytes) yield archive.subarray(at, at + pieceBytes)
}

const expected = { empty: '', 'small.txt': 'héllo', block: 'x'.repeat(512) }

test.each([1, 511, 512, 513, 100_000])('files come back in pieces of %i bytes', async (pieceBytes) => {
  expect(await filesIn(await archiveOf(files), pieceBytes)).toEqual(expected)
})

test('every tar reads the archive', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loci-tar-'))
  try {
    writeFileSync(join(folder, 'a.tar'), await archiveOf(files))
    execFileSync('tar', ['-xf', 'a.tar'], { cwd: folder })
    for (const [name, text] of Object.entries(expected)) {
      expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('an archive that ends early is refused, wherever it ends', async () => {
  const archive = await archiveOf(files)
  for (const bytes of [0, 100, 512, 1_000, 1_024, 1_536, 2_048]) {
    await expect(filesIn(archive.subarray(0, bytes)), `${bytes} bytes`).rejects.toThrow('its end is missing')
  }
})

test('a damaged header, and anything but plain files, is refused', async () => {
  const damaged = await archiveOf(files)
  damaged[0]! ^= 1
  await expect(filesIn(damaged)).rejects.toThrow('it is no tar archive')
  await expect(filesIn(Buffer.alloc(1_024, 'x'))).rejects.toThrow('it is no tar archive')
  const folder = await archiveOf([plain('folder', '')])
  folder.write('5', 156, 'latin1')
  folder.write(`${(checksumIn(folder) + 5).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  await expect(filesIn(folder)).rejects.toThrow('it holds more than plain files')
})

const checksumIn = (archive: Buffer) => Number.parseInt(archive.toString('latin1', 148, 154), 8)

test.each([8 * gib - 1, 8 * gib, 40 * gib])('a size of %i bytes survives the header', async (bytes) => {
  const header = (await writeTar([{ name: 'large', bytes, content: [] }], 0).next()).value!
  const seen: number[] = []
  const reading = readTar(piecesOf(header, 512), async (entry) => {
    seen.push(entry.bytes)
    throw new Error('enough')
  })
  await expect(reading).rejects.toThrow('enough')
  expect(seen).toEqual([bytes])
})

test('a file of a different length than announced is an error, not a broken archive', async () => {
  await expect(archiveOf([{ ...plain('grown', 'abc'), bytes: 2 }])).rejects.toThrow(
    'grown has 3 bytes instead of 2',
  )
})
