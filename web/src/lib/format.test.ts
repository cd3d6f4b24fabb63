import { expect, test } from 'vitest'
import { countOf, formatDollars, formatTime, toIso } from './format.ts'

test('one is singular, none and many are plural', () => {
  expect([0, 1, 2, 1_000].map((count) => countOf(count, 'entity', 'entities'))).toEqual([
    '0 entities',
    '1 entity',
    '2 entities',
    '1,000 entities',
  ])
})

test('amounts are cents shown as USD, billing dates epoch seconds', () => {
  expect(formatDollars(1_050)).toBe('$10.50')
  expect(toIso(1_900_000_000)).toBe('2030-03-17T17:46:40.000Z')
})

test('times of day are those of the locale', () => {
  const afternoon = new Date(2026, 10, 21, 14, 36).toISOString()
  expect(formatTime(afternoon)).toMatch(/^2:36\sPM$/)
})
