import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSpacedRuns } from './spaced-runs.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Runs that take `tookMs`, and the start time of each. */
function build(tookMs: number) {
  const began: { id: string; at: number }[] = []
  const start = performance.now()
  const ask = createSpacedRuns(async (id) => {
    began.push({ id, at: performance.now() - start })
    await new Promise((resolve) => setTimeout(resolve, tookMs))
    if (id === 'failing') throw new Error('The server is away')
  })
  return { began, ask }
}

test('a stream of requests is one run at a time, with pauses that grow with the duration of a run', async () => {
  const { began, ask } = build(1_000)
  for (let i = 0; i < 90; i++) {
    ask('a')
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(began.map(({ at }) => at)).toEqual([0, 4_000, 8_000])
})

test('the last request is never missed, and without one nothing runs again', async () => {
  const { began, ask } = build(10)
  ask('a')
  await vi.advanceTimersByTimeAsync(5)
  ask('a')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(began.map(({ at }) => at)).toEqual([0, 310])
})

test('ids do not wait for each other, and a failure does not prevent the next run', async () => {
  const { began, ask } = build(10)
  ask('failing')
  ask('b')
  ask('failing')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(began).toEqual([
    { id: 'failing', at: 0 },
    { id: 'b', at: 0 },
    { id: 'failing', at: 310 },
  ])
})
