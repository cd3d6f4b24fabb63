import { expect, test } from 'vitest'
import { requireMemory } from './memory-limit.ts'

const mega = 1024 ** 2

test('a limit below which the system would kill the server is refused in words', () => {
  expect(() => requireMemory(96 * mega)).toThrow('may use 96 MB of memory, and Loci needs at least 128')
})

test('enough memory, or no limit, is fine', () => {
  for (const limit of [0, 128 * mega, 2 ** 63, 18_446_744_073_709_552_000]) requireMemory(limit)
  requireMemory()
})
