import { expect, test, vi } from 'vitest'
import { createPeriodicWork } from './periodic-work.ts'

test('rounds begin at the start and at intervals, never overlap, and the last one is waited for', async () => {
  vi.useFakeTimers()
  const ends: (() => void)[] = []
  const errors: unknown[] = []
  const work = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)))
  const rounds = createPeriodicWork(1_000, work, (error) => errors.push(error))
  rounds.start()
  await vi.advanceTimersByTimeAsync(2_500)
  expect(work).toHaveBeenCalledTimes(1)
  ends[0]!()
  work.mockRejectedValueOnce('refused')
  await vi.advanceTimersByTimeAsync(1_000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(errors).toEqual(['refused'])
  expect(work).toHaveBeenCalledTimes(3)
  let isClosed = false
  const closing = rounds.close().then(() => {
    isClosed = true
  })
  await vi.advanceTimersByTimeAsync(5_000)
  expect([isClosed, work.mock.calls.length]).toEqual([false, 3])
  ends[1]!()
  await closing
  vi.useRealTimers()
})
