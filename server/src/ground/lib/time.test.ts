import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayMs, dayOf, fromIso, monthNameOf, monthOf, toIso } from './time.ts'

test('a time is written as JavaScript writes it, before and after 1970, on any order of days', () => {
  const times = fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2300, 0) })
  fc.assert(
    fc.property(fc.array(times, { minLength: 1 }), (list) => {
      for (const time of list) expect(toIso(time)).toBe(new Date(time).toISOString())
    }),
  )
})

test.each([-1, 0, 999, dayMs - 1, dayMs, -dayMs, Date.UTC(2028, 1, 29, 23, 59, 59, 999)])(
  '%i is written and read back',
  (time) => {
    expect(toIso(time)).toBe(new Date(time).toISOString())
    expect(fromIso(toIso(time))).toBe(time)
  },
)

test('fractions of a millisecond are dropped', () => {
  expect(toIso(1_234.9)).toBe('1970-01-01T00:00:01.234Z')
})

test('days and months are in UTC, and a month ends where the next begins', () => {
  const newYear = Date.UTC(2027, 0)
  expect([dayOf(newYear - 1), dayOf(newYear)]).toEqual(['2026-12-31', '2027-01-01'])
  expect([monthNameOf(newYear - 1), monthNameOf(newYear)]).toEqual(['2026-12', '2027-01'])
  expect(monthOf(newYear - 1)).toEqual({ start: Date.UTC(2026, 11), end: newYear })
  expect(monthOf(newYear)).toEqual({ start: newYear, end: Date.UTC(2027, 1) })
})
