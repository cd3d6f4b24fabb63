import { setImmediate as nextTask } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairSlots } from './fair-slots.ts'

const never = new AbortController().signal

/** Takes slots and records who has one. */
function setUp(bounds: { atOnce: number; perKeyMax: number }) {
  const slots = createFairSlots(bounds)
  const begun: number[] = []
  const take = (key: number, signal = never) => slots.take(key, signal).then(() => void begun.push(key))
  return { slots, begun, take }
}

test('a key has no more slots than one may have, and others do not wait for it', async () => {
  const { slots, begun, take } = setUp({ atOnce: 10, perKeyMax: 2 })
  for (let i = 0; i < 5; i++) void take(1)
  void take(2)
  await nextTask()
  expect(begun).toEqual([1, 1, 2])
  slots.give(2)
  await nextTask()
  expect(begun).toEqual([1, 1, 2])
  slots.give(1)
  await nextTask()
  expect(begun).toEqual([1, 1, 2, 1])
})

test('keys waiting for a slot take turns', async () => {
  const { slots, begun, take } = setUp({ atOnce: 1, perKeyMax: 1 })
  void take(0)
  for (const key of [1, 1, 1, 2]) void take(key)
  await nextTask()
  for (const key of [0, 1, 2, 1]) {
    slots.give(key)
    await nextTask()
  }
  expect(begun).toEqual([0, 1, 2, 1, 1])
})

test('a caller that gives up waiting takes no slot', async () => {
  const { slots, begun, take } = setUp({ atOnce: 1, perKeyMax: 1 })
  const stop = new AbortController()
  await take(1)
  const left = take(2, stop.signal)
  stop.abort()
  await expect(left).rejects.toThrow()
  await expect(take(2, stop.signal)).rejects.toThrow()
  slots.give(1)
  await take(3)
  expect(begun).toEqual([1, 3])
})
