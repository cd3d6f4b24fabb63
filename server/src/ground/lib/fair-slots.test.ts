import { setImmediate as nextTask } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairSlots, SlotsFullError } from './fair-slots.ts'

const never = new AbortController().signal

/** Takes slots until they are given back, and records who has had one. */
function setUp(bounds: Parameters<typeof createFairSlots>[0]) {
  const slots = createFairSlots<number>(bounds)
  const begun: number[] = []
  const ends: { key: number; end: () => void }[] = []
  const take = (key: number, signal = never) =>
    new Promise<void>((taken, failed) => {
      const work = () => {
        begun.push(key)
        taken()
        return new Promise<void>((end) => ends.push({ key, end }))
      }
      slots.run(key, work, signal).catch(failed)
    })
  const give = (key: number) => {
    const [ended] = ends.splice(
      ends.findIndex((one) => one.key === key),
      1,
    )
    ended?.end()
  }
  return { begun, take, give }
}

test('a key has no more slots than one may have, and others do not wait for it', async () => {
  const { begun, take, give } = setUp({ atOnce: 10, perKeyMax: 2 })
  for (let i = 0; i < 5; i++) void take(1)
  void take(2)
  await nextTask()
  expect(begun).toEqual([1, 1, 2])
  give(2)
  await nextTask()
  expect(begun).toEqual([1, 1, 2])
  give(1)
  await nextTask()
  expect(begun).toEqual([1, 1, 2, 1])
})

test('keys waiting for a slot take turns', async () => {
  const { begun, take, give } = setUp({ atOnce: 1, perKeyMax: 1 })
  void take(0)
  for (const key of [1, 1, 1, 2]) void take(key)
  await nextTask()
  for (const key of [0, 1, 2, 1]) {
    give(key)
    await nextTask()
  }
  expect(begun).toEqual([0, 1, 2, 1, 1])
})

test('a caller that gives up waiting takes no slot', async () => {
  const { begun, take, give } = setUp({ atOnce: 1, perKeyMax: 1 })
  const stop = new AbortController()
  await take(1)
  const left = take(2, stop.signal)
  stop.abort()
  await expect(left).rejects.toThrow()
  await expect(take(2, stop.signal)).rejects.toThrow()
  give(1)
  await take(3)
  expect(begun).toEqual([1, 3])
})

test('a key alone may have all slots where no limit per key is given, and others then take turns with it', async () => {
  const { begun, take, give } = setUp({ atOnce: 2 })
  for (const key of [1, 1, 1, 1, 2]) void take(key)
  await nextTask()
  expect(begun).toEqual([1, 1])
  for (let i = 0; i < 3; i++) {
    give(begun[i]!)
    await nextTask()
  }
  expect(begun).toEqual([1, 1, 1, 2, 1])
})

test('no more may wait than the bounds allow, per key and in total', async () => {
  const { begun, take, give } = setUp({ atOnce: 2, waitingMax: 10, waitingPerKeyMax: 6 })
  for (let i = 0; i < 8; i++) void take(1)
  await expect(take(1)).rejects.toThrow(SlotsFullError)
  for (const key of [2, 3, 4, 5]) void take(key)
  await expect(take(6)).rejects.toThrow(SlotsFullError)
  for (let i = 0; i < 12; i++) {
    await nextTask()
    give(begun[i]!)
  }
  expect(begun).toHaveLength(12)
  await take(1)
})
