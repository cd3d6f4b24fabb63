import { expect, test } from 'vitest'
import { formatDayName, formatRelative } from './relative-time.ts'

const now = new Date(2026, 10, 22, 14, 30).getTime()
const at = (...parts: [number, number, number, number?, number?]) =>
  formatRelative(new Date(...parts).toISOString(), now)

test('times today are given in minutes and hours', () => {
  expect(formatRelative(new Date(now - 59_000).toISOString(), now)).toBe('Just now')
  expect(formatRelative(new Date(now + 20_000).toISOString(), now)).toBe('Just now')
  expect([at(2026, 10, 22, 14, 26), at(2026, 10, 22, 13, 31)]).toEqual(['4 min ago', '59 min ago'])
  expect([at(2026, 10, 22, 11, 30), at(2026, 10, 22, 0, 0)]).toEqual(['3 h ago', '14 h ago'])
})

test('the day before is yesterday, unless that is only hours ago', () => {
  expect([at(2026, 10, 21, 23, 59), at(2026, 10, 21, 0, 0)]).toEqual(['Yesterday', 'Yesterday'])
  const early = new Date(2026, 10, 22, 1, 0).getTime()
  expect(formatRelative(new Date(2026, 10, 21, 22, 0).toISOString(), early)).toBe('3 h ago')
})

test('older and future times are dates, with the year if it is not the current one', () => {
  expect([at(2026, 10, 20, 23), at(2026, 10, 19)]).toEqual(['Fri, 20 Nov', 'Thu, 19 Nov'])
  expect([at(2025, 10, 19), at(2027, 0, 1)]).toEqual(['Wed, 19 Nov 2025', 'Fri, 1 Jan 2027'])
  expect(at(2026, 11, 24)).toBe('Thu, 24 Dec')
})

test('days have names', () => {
  const days = [
    new Date(2026, 10, 22, 1),
    new Date(2026, 10, 21, 23),
    new Date(2026, 10, 19),
    new Date(2025, 0, 3),
  ]
  expect(days.map((day) => formatDayName(day.toISOString(), now))).toEqual([
    'Today',
    'Yesterday',
    'Thu, 19 Nov',
    'Fri, 3 Jan 2025',
  ])
})
