import { expect, test } from 'vitest'
import { toIso } from '../../../ground/lib/time.ts'
import { withoutOverlaps } from './time-span.ts'
import { readWeekdays } from './weekdays.ts'

/** A Monday. */
const now = Date.parse('2026-11-23T12:00:00.000Z')

function daysOf(text: string, at = now): string[] {
  const found = withoutOverlaps(readWeekdays(text, at))
  return found.flatMap(({ spans }) => spans.map(({ from }) => toIso(from).slice(0, 10)))
}

test.each([
  ['what happened on friday', '2026-11-20'],
  ['what happened last sunday?', '2026-11-22'],
  ['since tuesday nothing works', '2026-11-17'],
  ['what did ada say on saturday', '2026-11-21'],
  ['was geschah am freitag', '2026-11-20'],
  ['seit mittwoch', '2026-11-18'],
  ['que se passa-t-il depuis jeudi', '2026-11-19'],
  ['jeudi dernier', '2026-11-19'],
  ['el viernes pasado', '2026-11-20'],
  ['sinds donderdag', '2026-11-19'],
])('%s means the last one before today', (text, day) => {
  expect(daysOf(text)).toEqual([day])
})

test('the weekday of today is that of a week ago', () => {
  expect(daysOf('who called on monday')).toEqual(['2026-11-16'])
  expect(daysOf('who called on monday', now + 12 * 3_600_000 - 1)).toEqual(['2026-11-16'])
  expect(daysOf('who called on monday', now + 12 * 3_600_000)).toEqual(['2026-11-23'])
})

test('both ends of a range are read', () => {
  expect(daysOf('between tuesday and friday we moved')).toEqual(['2026-11-17', '2026-11-20'])
})

test('a weekday in the middle of a question may mean every week, and at its end it does not', () => {
  expect(daysOf('who leads the monday meeting')).toEqual([])
  expect(daysOf('what did we decide friday?')).toEqual(['2026-11-20'])
})

test('a weekday is no part of another word', () => {
  expect(daysOf('the band on fridays')).toEqual([])
  expect(daysOf('am freitagabend')).toEqual([])
})
