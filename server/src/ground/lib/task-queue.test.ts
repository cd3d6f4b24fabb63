import { expect, test } from 'vitest'
import { createTaskQueue, TaskQueueFullError } from './task-queue.ts'

const bounds = { atOnce: 2, waitingMax: 10, waitingPerKeyMax: 6 }

/** Tasks that end when told to, in the order in which they began. */
function works() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  let most = 0
  let running = 0
  const work = (name: string) => async () => {
    begun.push(name)
    most = Math.max(most, ++running)
    await new Promise<void>((resolve) => ends.push(resolve))
    running--
    return name
  }
  return { begun, ends, work, most: () => most }
}

test('runs a limited number at once, and those of different keys in turn', async () => {
  const line = createTaskQueue(bounds)
  const { begun, ends, work, most } = works()
  const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => line.run(name[0]!, work(name)))
  while (ends.length > 0) {
    ends.shift()!()
    await new Promise(setImmediate)
  }
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1'])
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'a4'])
  expect(most()).toBe(2)
})

test('continues after failed work', async () => {
  const line = createTaskQueue({ ...bounds, atOnce: 1 })
  const failed = line.run('a', () => Promise.reject(new Error('no')))
  const next = line.run('a', async () => 'next')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('next')
})

test('refuses more than may wait, per key and in total', async () => {
  const line = createTaskQueue(bounds)
  const { ends, work } = works()
  const all = Array.from({ length: 8 }, () => line.run('a', work('a')))
  await expect(line.run('a', work('a'))).rejects.toThrow(TaskQueueFullError)
  const others = Array.from({ length: 4 }, (_, i) => line.run(`b${i}`, work('b')))
  await expect(line.run('c', work('c'))).rejects.toThrow(TaskQueueFullError)
  while (ends.length > 0) {
    ends.shift()!()
    await new Promise(setImmediate)
  }
  expect(await Promise.all([...all, ...others])).toHaveLength(12)
})
