import { setImmediate as nextTask } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { breathe, createPace } from './pace.ts'

function work(ms: number): void {
  for (const endAt = performance.now() + ms; performance.now() < endAt; );
}

/** How many event loop turns were left to others while `steps` of `ms` each ran. */
async function turnsBeside(
  steps: number,
  ms: number,
  rest: () => Promise<void> | undefined,
): Promise<number> {
  let turns = 0
  let isDone = false
  const count = async () => {
    for (await nextTask(); !isDone; await nextTask()) turns++
  }
  const counting = count()
  for (let i = 0; i < steps; i++) {
    await rest()
    work(ms)
  }
  isDone = true
  await counting
  return turns
}

test('long work yields every millisecond, a call every five', async () => {
  const besideLongWork = await turnsBeside(30, 1.1, breathe)
  const besideCall = await turnsBeside(30, 1.1, createPace())
  expect(besideLongWork).toBeGreaterThanOrEqual(15)
  expect(besideCall).toBeGreaterThanOrEqual(4)
  expect(besideCall).toBeLessThan(besideLongWork)
})

test('a short call does not yield', async () => {
  const pace = createPace()
  expect(pace()).toBeUndefined()
})
