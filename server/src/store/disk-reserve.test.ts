import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createDiskReserve, makeRoomToOpen, mayUseReserve, reserveOf, withReserve } from './disk-reserve.ts'

const bytes = 2 * 1024 * 1024
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loci-reserve-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => vi.restoreAllMocks())

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size

test('the reserve takes up disk space until it is released', async () => {
  const file = join(folder, 'released')
  const reserve = createDiskReserve(file, bytes)
  expect(await reserve.fill()).toBe(true)
  expect(sizeOf(file)).toBe(bytes)
  expect(statSync(file).blocks * 512).toBeGreaterThanOrEqual(bytes)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(reserve.release()).toBe(true)
  expect(sizeOf(file)).toBeUndefined()
})

test('a missing reserve cannot be released', () => {
  const reserve = createDiskReserve(join(folder, 'absent'), bytes)
  expect(reserve.release()).toBe(false)
  expect(reserve.isWhole()).toBe(true)
})

test('a partly written reserve is written again', async () => {
  const file = join(folder, 'partial')
  writeFileSync(file, 'x'.repeat(1_000))
  expect(await createDiskReserve(file, bytes).fill()).toBe(true)
  expect(sizeOf(file)).toBe(bytes)
})

test('a complete reserve of an earlier process is reused', async () => {
  const file = join(folder, 'kept')
  await createDiskReserve(file, bytes).fill()
  const before = statSync(file).mtimeMs
  expect(await createDiskReserve(file, bytes).fill()).toBe(true)
  expect(statSync(file).mtimeMs).toBe(before)
})

test('without space nothing is reserved and nothing is left behind', async () => {
  const file = join(folder, 'no such folder', 'reserve')
  const reserve = createDiskReserve(file, bytes)
  expect(await reserve.fill()).toBe(false)
  expect(await reserve.isWhole()).toBe(false)
})

test('after a release, the disk is checked every two seconds until there is space again', async () => {
  const file = join(folder, 'refilled')
  const clock = vi.spyOn(performance, 'now').mockReturnValue(10_000)
  const reserve = createDiskReserve(file, bytes)
  await reserve.fill()
  reserve.release()
  expect(await reserve.isWhole()).toBe(true)
  expect(sizeOf(file)).toBe(bytes)
  reserve.release()
  clock.mockReturnValue(11_999)
  expect(await reserve.isWhole()).toBe(false)
  expect(sizeOf(file)).toBeUndefined()
  clock.mockReturnValue(12_000)
  expect(await reserve.isWhole()).toBe(true)
})

test('only the work of a sign-in may use the reserve', async () => {
  expect(mayUseReserve()).toBe(false)
  const inside = withReserve(async () => {
    await Promise.resolve()
    return mayUseReserve()
  })
  expect(mayUseReserve()).toBe(false)
  expect(await inside).toBe(true)
})

test('a database that can be opened keeps its reserve', () => {
  const database = join(folder, 'loci.db')
  const file = reserveOf(database)
  expect(file).toBe(join(folder, 'reserve'))
  writeFileSync(file, 'x')
  makeRoomToOpen(database)
  expect(sizeOf(file)).toBe(1)
})
