import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

test('keys take turns, and the items of each keep their order', () => {
  const queue = createFairQueue<string>()
  for (const item of ['a1', 'a2', 'a3']) queue.push('a', item)
  queue.push('b', 'b1')
  expect(queue.size).toBe(4)
  expect(queue.shift()).toBe('a1')
  queue.push('c', 'c1')
  queue.push('b', 'b2')
  const rest: (string | undefined)[] = []
  while (queue.size > 0) rest.push(queue.shift())
  expect(rest).toEqual(['b1', 'a2', 'c1', 'b2', 'a3'])
  expect(queue.shift()).toBeUndefined()
  expect(queue.size).toBe(0)
})

test('keys that are not ready keep their turn', () => {
  const queue = createFairQueue<string>()
  for (const item of ['a1', 'b1', 'a2']) queue.push(item[0]!, item)
  expect(queue.shift((key) => key === 'b')).toBe('b1')
  expect(queue.shift((key) => key === 'b')).toBeUndefined()
  expect(queue.size).toBe(2)
  expect(queue.shift()).toBe('a1')
})

test('an item may leave, once', () => {
  const queue = createFairQueue<string>()
  for (const item of ['a1', 'a2', 'b1']) queue.push(item[0]!, item)
  expect(queue.remove('b', 'b1')).toBe(true)
  expect(queue.remove('b', 'b1')).toBe(false)
  expect(queue.remove('a', 'a1')).toBe(true)
  expect(queue.size).toBe(1)
  expect(queue.shift()).toBe('a2')
  expect(queue.shift()).toBeUndefined()
})
