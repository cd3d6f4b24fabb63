import { expect, test } from 'vitest'
import { createTokenBuckets } from './token-buckets.ts'

function bucketsAt(clock: { now: number }) {
  return createTokenBuckets({ perSecond: 10, burst: 20 }, () => clock.now)
}

test('gives a burst, then as much as is refilled', () => {
  const clock = { now: 1_000 }
  const { take } = bucketsAt(clock)
  for (let i = 0; i < 20; i++) expect(take('a', 1)).toBe(0)
  expect(take('a', 1)).toBe(100)
  clock.now += 90
  expect(take('a', 1)).toBe(10)
  clock.now += 10
  expect(take('a', 1)).toBe(0)
  expect(take('a', 1)).toBe(100)
})

test('a full bucket holds no more than a burst, however long it rests', () => {
  const clock = { now: 0 }
  const { take } = bucketsAt(clock)
  take('a', 5)
  clock.now += 3_600_000
  expect(take('a', 20)).toBe(0)
  expect(take('a', 1)).toBe(100)
})

test('a take larger than the burst passes and is paid off by waiting', () => {
  const clock = { now: 0 }
  const { take } = bucketsAt(clock)
  expect(take('a', 50)).toBe(0)
  expect(take('a', 1)).toBe(3_100)
  clock.now += 3_100
  expect(take('a', 1)).toBe(0)
})

test('keys have separate buckets, and a clock set back does not prolong refusals', () => {
  const clock = { now: 10_000 }
  const { take } = bucketsAt(clock)
  expect(take('a', 20)).toBe(0)
  expect(take('b', 20)).toBe(0)
  clock.now = 0
  expect(take('a', 1)).toBe(100)
  clock.now = 100
  expect(take('a', 1)).toBe(0)
  expect(take('c', 1)).toBe(0)
})

test('recently used keys are remembered, and old ones forgotten', () => {
  const { take } = bucketsAt({ now: 0 })
  take('busy', 20)
  take('quiet', 20)
  for (let i = 0; i < 15_000; i++) take(`a${i}`, 1)
  expect(take('busy', 1)).toBe(100)
  for (let i = 0; i < 12_000; i++) take(`b${i}`, 1)
  expect(take('busy', 1)).toBe(100)
  expect(take('quiet', 1)).toBe(0)
})
