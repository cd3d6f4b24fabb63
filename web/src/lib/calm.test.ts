import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { calm } from './calm.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('it runs at once, then at most once per interval, and the last request counts', () => {
  const began: number[] = []
  const ask = calm(() => began.push(Date.now() - start), 1_000)
  const start = Date.now()
  for (let i = 0; i < 25; i++) {
    ask()
    vi.advanceTimersByTime(100)
  }
  expect(began).toEqual([0, 1_000, 2_000])
  vi.advanceTimersByTime(60_000)
  expect(began, 'what was asked after the last run').toEqual([0, 1_000, 2_000, 3_000])
  ask()
  expect(began.at(-1), 'rested, it runs at once again').toBe(62_500)
})
