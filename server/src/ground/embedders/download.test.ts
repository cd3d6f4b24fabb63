import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type HubDouble, startHubDouble } from '../../../test/hub-double.ts'
import { download } from './download.ts'

const content = Buffer.from(Array.from({ length: 50_000 }, (_, i) => i % 251))
const sha256 = createHash('sha256').update(content).digest('hex')
let hub: HubDouble
let directory: string
let path: string

beforeAll(async () => {
  hub = await startHubDouble({ 'model.onnx': content })
})
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'loci-download-'))
  path = join(directory, 'model.onnx')
  hub.mood = 'good'
  hub.calls.length = 0
  return () => rmSync(directory, { recursive: true })
})
afterAll(() => hub.close())

function get({ signal = new AbortController().signal, url = `${hub.url}/model.onnx` } = {}) {
  const seen: number[] = []
  const wanted = { url, path, bytes: content.length, sha256 }
  return download(wanted, { signal, onBytes: (count) => void seen.push(count) }).then(() => seen)
}

test('a file is downloaded once', async () => {
  expect((await get()).at(-1)).toBe(content.length)
  expect(readFileSync(path).equals(content)).toBe(true)
  expect(existsSync(`${path}.part`)).toBe(false)
  expect(await get()).toEqual([content.length])
  expect(hub.calls).toHaveLength(1)
})

test('a file that was changed on disk is downloaded again', async () => {
  writeFileSync(path, Buffer.alloc(content.length))
  await get()
  expect(readFileSync(path).equals(content)).toBe(true)
})

test('an interrupted download continues where it stopped', async () => {
  const stop = new AbortController()
  hub.mood = 'stuck'
  const interrupted = get({ signal: stop.signal })
  await expect.poll(() => existsSync(`${path}.part`) && readFileSync(`${path}.part`).length).toBe(25_000)
  stop.abort()
  await expect(interrupted).rejects.toThrow('aborted')
  hub.mood = 'good'
  await get()
  expect(hub.calls.map(({ range }) => range)).toEqual([undefined, 'bytes=25000-'])
  expect(readFileSync(path).equals(content)).toBe(true)
})

test('a broken connection is retried three times, continuing where it stopped', async () => {
  hub.mood = 'breaks off'
  await expect(get()).rejects.toThrow('What was fetched is kept; try again to go on.')
  expect(hub.calls.map(({ range }) => range)).toEqual([undefined, 'bytes=25000-', 'bytes=37500-'])
})

test.each([
  ['other bytes', 'its SHA-256 is another one'],
  ['longer', 'it is longer'],
] as const)('%s than those of the checksum are refused and deleted', async (mood, reason) => {
  hub.mood = mood
  await expect(get()).rejects.toThrow(reason)
  expect(existsSync(path) || existsSync(`${path}.part`)).toBe(false)
})

test('a hub without the file and an unreachable hub are reported', async () => {
  hub.mood = 'missing'
  await expect(get()).rejects.toThrow(`${hub.url} answered 404 for ${hub.url}/model.onnx`)
  const gone = await startHubDouble({})
  await gone.close()
  await expect(get({ url: `${gone.url}/model.onnx` })).rejects.toThrow(
    `${gone.url} cannot be reached (ECONNREFUSED)`,
  )
})

/** False if this user cannot mount anything. */
function mount(place: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', place], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('a full disk is reported, and the partial download is removed', async ({ skip }) => {
  if (!mount(directory)) skip()
  try {
    await expect(get()).rejects.toThrow(`The disk of ${directory} is full. Make room on it.`)
    expect(existsSync(`${path}.part`)).toBe(false)
  } finally {
    execFileSync('umount', [directory])
  }
})
