import { expect, test } from 'vitest'
import { createSharedKeys } from './shared-keys.ts'

test('finds the numbers that share a key, each once, and leaves out keys shared by too many', async () => {
  const keys = createSharedKeys()
  const add = (key: string, ...ids: number[]) => {
    for (const id of ids) keys.add(key, id)
  }
  add('pair', 7, 4_294_967_295)
  add('single', 8)
  add('twice the same', 9, 9)
  add('crowd', ...Array.from({ length: 20 }, (_, i) => 100 + i))
  for (let i = 0; i < 100_000; i += 1) add(`own key ${i}`, 1_000 + i)
  add('three', 3, 1, 2)
  const found: number[][] = []
  for await (const group of keys.groups(10)) found.push(group)
  // Among 100,000 keys a few hashes collide.
  const meant = found.filter((group) => group.some((id) => id < 1_000 || id > 200_000))
  expect(meant.sort((a, b) => a[0]! - b[0]!)).toEqual([
    [1, 2, 3],
    [7, 4_294_967_295],
  ])
  expect(found.length).toBeLessThan(10)
})

test('does so part by part', async () => {
  const found: number[][] = []
  for (const part of [0, 1, 2]) {
    const keys = createSharedKeys({ part, parts: 3 })
    for (let i = 0; i < 300; i += 1) keys.add(`key ${i % 150}`, i)
    for await (const group of keys.groups(10)) found.push(group)
  }
  expect(found).toHaveLength(150)
  expect(found).toContainEqual([7, 157])
})
