import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer, testConfig } from '../../../test/harness.ts'
import { environmentOf, runLoci } from '../../../test/loci-command.ts'
import { zipOf } from '../../../test/zip-of.ts'

const directoryEntry = Buffer.from('PK\x01\x02')
const directoryEnd = Buffer.from('PK\x05\x06')

/** Bytes that barely shrink, as letters. */
const noise = (bytes: number) =>
  Array.from({ length: bytes }, (_, i) => ((i * 2_654_435_761) >>> 7).toString(36).at(-1)).join('')

/** An archive whose directory names its only file `times` over. */
async function overlapping(text: string, times: number): Promise<Buffer> {
  const archive = await zipOf({ 'a000.md': text })
  const [start, end] = [archive.indexOf(directoryEntry), archive.indexOf(directoryEnd)]
  const entries = Array.from({ length: times }, (_, i) => {
    const entry = Buffer.from(archive.subarray(start, end))
    entry.write(`a${String(i).padStart(3, '0')}.md`, 46)
    return entry
  })
  const tail = Buffer.from(archive.subarray(end))
  tail.writeUInt16LE(times, 8)
  tail.writeUInt16LE(times, 10)
  tail.writeUInt32LE(times * (end - start), 12)
  return Buffer.concat([archive.subarray(0, start), ...entries, tail])
}

/** The same archive, whose directory gives another size for its first file. */
function claiming(archive: Buffer, bytes: number): Buffer {
  const changed = Buffer.from(archive)
  changed.writeUInt32LE(bytes, changed.indexOf(directoryEntry) + 24)
  return changed
}

/** Archives by what is wrong with them, with the status and the words that refuse them. */
const hostile: [string, () => Promise<Buffer>, number, RegExp][] = [
  ['names one file 500 times', () => overlapping(noise(20_000), 500), 400, /a\d+\.md and a\d+\.md overlap/],
  [
    'packs to a thousandth',
    () => zipOf({ 'a.md': 'x'.repeat(2_000_000) }),
    413,
    /a\.md unpacks to more than 100/,
  ],
  [
    'packs to a thousandth in many small files',
    () => zipOf(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i}.md`, 'x'.repeat(900_000)]))),
    413,
    /The archive unpacks to more than 100 times/,
  ],
  ['says too little', async () => claiming(await zipOf({ 'a.md': noise(9_000) }), 20), 400, /cannot be read/],
  [
    'says too much',
    async () => claiming(await zipOf({ 'a.md': noise(9_000) }), 20_000),
    400,
    /cannot be read/,
  ],
]

describe('archives made to do harm', () => {
  let server: TestServer
  let person: Person
  let folder: string
  beforeAll(async () => {
    server = await startTestServer('sqlite')
    person = await server.signUp()
    folder = await mkdtemp(join(tmpdir(), 'loci-archives-'))
  })
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })
  const send = async (archive: Buffer, path = '/api/import/preview') => {
    const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/zip' }
    const response = await fetch(server.url + path, { method: 'POST', headers, body: Buffer.from(archive) })
    return [response.status, ((await response.json()) as { error?: { message: string } }).error?.message]
  }

  test.each(hostile)(
    'one that %s is refused with the reason, and nothing is stored',
    async (_, make, status, words) => {
      const archive = await make()
      for (const path of ['/api/import', '/api/import/preview'])
        expect(await send(archive, path)).toEqual([status, expect.stringMatching(words)])
      expect((await person.rest.listEntities({ query: {} })).total).toBe(0)
    },
  )

  test('one that unpacks to more than the plan stores is refused with that limit', async () => {
    const text = randomBytes(1_200_000).toString('base64')
    const archive = claiming(await zipOf({ 'a.md': text }), 110_000_000)
    const [status, message] = await send(archive)
    expect([status, message]).toEqual([
      413,
      expect.stringMatching(/larger than 100 MB, all that the plan stores/),
    ])
  })

  test('archives inside one are not unpacked', async () => {
    const inner = (await overlapping(noise(20_000), 500)).toString('latin1')
    expect(await send(await zipOf({ 'inner.zip': inner }))).toEqual([
      400,
      expect.stringMatching(/format was not recognised/),
    ])
  })

  test('the command line refuses them too', async () => {
    const { config, remove } = await testConfig('sqlite')
    const path = join(folder, 'bomb.zip')
    await writeFile(path, await overlapping(noise(20_000), 500))
    const { stderr, code } = await runLoci(['import', path], { env: environmentOf(config) })
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringMatching(/overlap/)])
    expect(code).not.toBe(0)
    await remove()
  })
})
