import { expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { zipOf } from '../../../test/zip-of.ts'

async function read(archive: Buffer): Promise<Record<string, string>> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true })
  const files: Record<string, string> = {}
  for await (const entry of zip.eachEntry()) {
    expect(entry.getLastModDate({ timezone: 'UTC' })).toEqual(new Date('2025-01-02T03:04:06Z'))
    const pieces: Buffer[] = []
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece)
    files[entry.fileName] = Buffer.concat(pieces).toString()
  }
  return files
}

test('files come out of an archive as they went in: small, empty and large ones', async () => {
  const files = { 'a/Ada.md': 'x', 'b/日本.md': '', 'c.csv': 'many words, '.repeat(100_000) }
  expect(await read(await zipOf(files))).toEqual(files)
})

test('an archive has room for more files than the first form of its directory', async () => {
  const files = Object.fromEntries(Array.from({ length: 66_000 }, (_, i) => [`${i}`, '']))
  const zip = await fromBufferPromise(await zipOf(files), { lazyEntries: true })
  expect(zip.entryCount).toBe(66_000)
})
