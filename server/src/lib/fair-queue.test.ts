import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

test('keys take turns, and what one of them has queued keeps its order', () => {
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
