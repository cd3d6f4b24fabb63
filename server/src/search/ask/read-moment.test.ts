import { expect, test } from 'vitest'
import { readMoment } from './question-times.ts'

/** A Wednesday. */
const now = Date.UTC(2026, 10, 18, 15, 30)
const read = (text: string) => {
  const moment = readMoment(text, now)
  return moment === undefined ? undefined : new Date(moment).toISOString()
}

test.each([
  ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  [' 2026-11-01 ', '2026-11-01T00:00:00.000Z'],
  ['2026-11-01T09:00:00Z', '2026-11-01T09:00:00.000Z'],
  ['2026-11-01T09:00:00.5+02:00', '2026-11-01T07:00:00.500Z'],
  ['2026-11-01T09:00Z', '2026-11-01T09:00:00.000Z'],
  ['2026-11-01 09:00', '2026-11-01T09:00:00.000Z'],
  ['2026-11-01T09:00:30', '2026-11-01T09:00:30.000Z'],
  ['2026-11-01 09:00:30.25', '2026-11-01T09:00:30.250Z'],
  ['now', '2026-11-18T15:30:00.000Z'],
  ['NOW', '2026-11-18T15:30:00.000Z'],
])('%j is the moment %s', (text, moment) => {
  expect(read(text)).toBe(moment)
})

test.each([
  ['yesterday', '2026-11-17T00:00:00.000Z'],
  ['today', '2026-11-18T00:00:00.000Z'],
  ['Monday', '2026-11-16T00:00:00.000Z'],
  ['May 2024', '2024-05-01T00:00:00.000Z'],
  ['2024', '2024-01-01T00:00:00.000Z'],
  ['2100', '2100-01-01T00:00:00.000Z'],
  ['1850-05', '1850-05-01T00:00:00.000Z'],
  ['30 minutes ago', '2026-11-18T14:59:30.000Z'],
  ['24h ago', '2026-11-17T15:00:00.000Z'],
  ['last quarter', '2026-07-01T00:00:00.000Z'],
  ['last week', '2026-11-04T15:30:00.000Z'],
  ['2 weeks ago', '2026-11-01T03:30:00.000Z'],
  ['recently', '2026-11-04T15:30:00.000Z'],
  ['gestern', '2026-11-17T00:00:00.000Z'],
  ['May', '2026-05-01T00:00:00.000Z'],
  ['since last Tuesday', '2026-11-17T00:00:00.000Z'],
])('%j begins at %s', (text, moment) => {
  expect(read(text)).toBe(moment)
})

test('a number of days means that many days ago', () => {
  expect(read('2 days')).toBe(read('2 days ago'))
  expect(read('3 days ago')).toMatch(/^2026-11-15/)
})

test('"in" makes it that many days ahead', () => {
  const day = (text: string) => read(text)?.slice(0, 10)
  expect([day('in 3 days'), day('tomorrow'), day('next week')]).toEqual([
    '2026-11-21',
    '2026-11-19',
    '2026-11-23',
  ])
})

test('a time before something is the beginning of that', () => {
  expect(read('before May 2024')).toBe('2024-05-01T00:00:00.000Z')
})

test.each([
  '',
  ' ',
  'tea',
  'soon',
  'v2.5.24',
  '2026-13-01',
  '2026-02-30',
  '2026-11-01 25:00',
  '99999',
  `${'x'.repeat(101)}`,
])('%j is no time', (text) => {
  expect(read(text)).toBeUndefined()
})

test('a long text is not read, even if it contains a time', () => {
  expect(read(`yesterday ${'very '.repeat(30)}late`)).toBeUndefined()
})
