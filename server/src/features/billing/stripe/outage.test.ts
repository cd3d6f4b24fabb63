import { expect, test } from 'vitest'
import { minuteMs, secondMs } from '../../../ground/lib/time.ts'
import { watchOutage } from './outage.ts'

function watchWithClock() {
  const clock = { now: 0 }
  return { clock, watch: watchOutage(() => clock.now) }
}

/** Time until the pause ends, in seconds. */
function pauseOf({ clock, watch }: ReturnType<typeof watchWithClock>): number {
  const begun = clock.now
  while (watch.isPaused()) clock.now += secondMs
  return (clock.now - begun) / secondMs
}

test('one account that keeps failing pauses no other', () => {
  const { watch } = watchWithClock()
  for (let i = 0; i < 5; i++) watch.unreachable(1)
  expect(watch.isPaused()).toBe(false)
})

test('two failing accounts are an outage until Stripe responds', () => {
  const { watch } = watchWithClock()
  watch.unreachable(1)
  watch.unreachable(2)
  expect(watch.isPaused()).toBe(true)
  watch.responded()
  expect(watch.isPaused()).toBe(false)
  watch.unreachable(2)
  expect(watch.isPaused()).toBe(false)
})

test('pauses double up to a minute; failures during a pause do not extend it', () => {
  const place = watchWithClock()
  place.watch.unreachable(1)
  const pauses = Array.from({ length: 5 }, (_, i) => {
    place.watch.unreachable(i + 2)
    place.watch.unreachable(i + 3)
    return pauseOf(place)
  })
  expect(pauses).toEqual([10, 20, 40, 60, 60])
  place.watch.responded()
  place.watch.unreachable(1)
  place.watch.unreachable(2)
  expect(pauseOf(place)).toBe(10)
  expect(place.clock.now).toBeLessThan(5 * minuteMs)
})
