import { describe, expect, test } from 'vitest'
import { toIso } from '../../../ground/lib/time.ts'
import { readHolidays } from './holidays.ts'
import { withoutOverlaps } from './time-span.ts'

const now = Date.parse('2026-11-23T12:00:00.000Z')
const read = (text: string) => withoutOverlaps(readHolidays(text, now))
const dayOf = (ms: number) => toIso(ms).slice(0, 10)

/** The first and the last day of the only holiday in a text, in the latest year that it can mean. */
function daysOf(text: string): [string, string] {
  const found = read(text)
  expect(found).toHaveLength(1)
  const [{ from, to }] = found[0]!.spans as [{ from: number; to: number }]
  return [dayOf(from), dayOf(to - 1)]
}

describe('a holiday', () => {
  // Easter Sundays as published by the U.S. Naval Observatory; 25 April is the latest possible one.
  test.each([
    ['1943', '1943-04-23', '1943-04-26'],
    ['2008', '2008-03-21', '2008-03-24'],
    ['2019', '2019-04-19', '2019-04-22'],
    ['2024', '2024-03-29', '2024-04-01'],
    ['2025', '2025-04-18', '2025-04-21'],
    ['2026', '2026-04-03', '2026-04-06'],
    ['2038', '2038-04-23', '2038-04-26'],
  ])('easter %s lasts from Good Friday to Easter Monday', (year, first, last) => {
    expect(daysOf(`where were we at easter ${year}?`)).toEqual([first, last])
  })

  test.each([
    ['2022', '2022-11-24'],
    ['2023', '2023-11-23'],
    ['2024', '2024-11-28'],
    ['2025', '2025-11-27'],
  ])('thanksgiving %s is the fourth Thursday of November', (year, day) => {
    expect(daysOf(`who came to thanksgiving ${year}`)).toEqual([day, day])
  })

  test.each([
    ['christmas eve', '2025-12-24', '2025-12-24'],
    ['christmas', '2025-12-24', '2025-12-26'],
    ['xmas', '2025-12-24', '2025-12-26'],
    ['weihnachten', '2025-12-24', '2025-12-26'],
    ['クリスマス', '2025-12-24', '2025-12-26'],
    ["new year's eve", '2025-12-31', '2025-12-31'],
    ['new years eve', '2025-12-31', '2025-12-31'],
    ["new year's day", '2026-01-01', '2026-01-01'],
    ['new year’s', '2026-01-01', '2026-01-01'],
    ['halloween', '2026-10-31', '2026-10-31'],
    ["valentine's day", '2026-02-14', '2026-02-14'],
    ['san valentín', '2026-02-14', '2026-02-14'],
  ])('%s without a year is the last one that began', (name, first, last) => {
    expect(daysOf(`what did we do on ${name}`)).toEqual([first, last])
  })

  test('may also be one of the years before', () => {
    const [found] = read('the party at halloween')
    expect(found!.spans.map(({ from }) => dayOf(from))).toEqual([
      '2026-10-31',
      '2025-10-31',
      '2024-10-31',
      '2023-10-31',
    ])
  })

  test('covers its year, so that the year is not read by itself', () => {
    const text = 'christmas of 2023 in oslo'
    const [found] = read(text)
    expect(text.slice(found!.start, found!.end)).toBe('christmas of 2023')
  })

  test('is no part of another word', () => {
    expect(read('eastern europe, natalie, the kerstin file, a newyear')).toEqual([])
  })
})
