import { expect, test, vi } from 'vitest'
import { hasMemoryForThreads, importedBytesMax, requireMemory } from './memory-limit.ts'

const mega = 1024 ** 2

test('a limit below which the system would kill the server is refused in words', () => {
  const small = { limit: 144 * mega }
  expect(() => requireMemory(small)).toThrow('may use 144 MB of memory, and Loci needs at least 160')
})

test('a larger database needs more', () => {
  const refused = { limit: 192 * mega, databaseBytes: 410 * mega }
  expect(() => requireMemory(refused)).toThrow('Loci with a database of 410 MB needs at least 256')
  requireMemory({ limit: 256 * mega, databaseBytes: 410 * mega })
  requireMemory({ limit: 192 * mega, databaseBytes: 41 * mega })
  expect(() => requireMemory({ limit: 160 * mega, databaseBytes: 41 * mega })).toThrow('at least 192')
})

test('enough memory, or no limit, is fine', () => {
  for (const limit of [0, 160 * mega, 2 ** 63, 18_446_744_073_709_552_000]) requireMemory({ limit })
  requireMemory()
})

test('the smaller the limit, the smaller the files that are imported, and without another thread', () => {
  const memory = vi.spyOn(process, 'constrainedMemory')
  const of = (megabytes: number) => {
    memory.mockReturnValue(megabytes * mega)
    return [importedBytesMax(), hasMemoryForThreads()]
  }
  expect([0, 512, 384, 383, 256, 192, 160].map(of)).toEqual([
    [undefined, true],
    [undefined, true],
    [undefined, true],
    [mega, false],
    [mega, false],
    [mega / 4, false],
    [mega / 64, false],
  ])
  memory.mockRestore()
})
