import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { analyse } from './analyser.ts'
import { readDateTerms } from './date-terms.ts'
import { type CalendarDate, readDates, toPlain } from './dates.ts'
import { isMonthName, monthOfEnglishName, monthOfName, monthOfShortName } from './month-names.ts'
import { toPassages } from './passages.ts'

const toText = ({ year, quarter, month, day }: CalendarDate) =>
  [year ?? '?', quarter === undefined ? month : `Q${quarter}`, day]
    .filter((part) => part !== undefined)
    .join('-')
const readingsIn = (text: string) => readDates(text).flatMap(({ readings }) => readings.map(toText))

describe('readDates', () => {
  test.each([
    ['2024-01-19', '2024-1-19'],
    ['2024/01/19', '2024-1-19'],
    ['2024-1-9', '2024-1-9'],
    ['2024.01.19', '2024-1-19'],
    ['at 2024-05-08T10:00:00Z', '2024-5-8'],
    ['backup_2024-01-19.sql', '2024-1-19'],
    ['2024-01', '2024-1'],
    ['05/2024', '2024-5'],
    ['19.01.2024', '2024-1-19'],
    ['1. 6. 2024', '2024-6-1'],
    ['01.06.24', '2024-6-1'],
    ['on 1.6.24?', '2024-6-1'],
    ['01/19/2024', '2024-1-19'],
    ['19/01/2024', '2024-1-19'],
    ['19-01-2024', '2024-1-19'],
    ['8 May 2024', '2024-5-8'],
    ['8-May-2024', '2024-5-8'],
    ['the 8th of May, 2024', '2024-5-8'],
    ['May 8th, 2024', '2024-5-8'],
    ['MAY 8,2024', '2024-5-8'],
    ['Sept. 5, 2023', '2023-9-5'],
    ['8 May', '?-5-8'],
    ['December 25th', '?-12-25'],
    ['14 July 1789', '1789-7-14'],
    ['May 2024', '2024-5'],
    ['in May', '?-5'],
    ['did we do that this May?', '?-5'],
    ['Q1 2024', '2024-Q1'],
    ['2024-Q3', '2024-Q3'],
    ['8. Mai 2024', '2024-5-8'],
    ['8. Okt. 2024', '2024-10-8'],
    ['im Mai 2023', '2023-5'],
    ['Ende März', '?-3'],
    ['8 mai 2024', '2024-5-8'],
    ['le 1er août', '?-8-1'],
    ['en mars 2020', '2020-3'],
    ['8 de mayo de 2024', '2024-5-8'],
    ['8 ago 2024', '2024-8-8'],
    ['8 maggio 2024', '2024-5-8'],
    ['a maggio', '?-5'],
    ['8 de março de 2024', '2024-3-8'],
    ['8 mei 2024', '2024-5-8'],
    ['8 мая 2024', '2024-5-8'],
    ['в мае', '?-5'],
    ['8 مايو 2024', '2024-5-8'],
    ['2023年5月8日', '2023-5-8'],
    ['５月８日', '?-5-8'],
    ['2023年5月', '2023-5'],
    ['2023년 5월 8일', '2023-5-8'],
    ['between 2026-11-13 and 2026-11-21', '2026-11-13 2026-11-21'],
    ['29.02.2024', '2024-2-29'],
  ])('"%s" is %s', (text, dates) => expect(readingsIn(text).join(' ')).toBe(dates))

  test.each(['09/06/2024', '09-06-2024', '9/6/24'])('"%s" is read either way', (text) =>
    expect(readingsIn(text)).toEqual(['2024-6-9', '2024-9-6']),
  )

  test.each([
    'version 2.5.24',
    'v2024.1.4',
    'IntelliJ 2024.1.4',
    '192.168.10.24',
    '1.2.3.2024',
    '12/24 seats',
    '+49 30 901820',
    '555-01-2024',
    '2024',
    '2024-13-40',
    '30.02.2024',
    'at 10:30 for 3.50',
    'what may we march for',
    'this may help, and step 2 may fail',
    'a march of 5 miles',
    'give it a second',
    'Mars 2020',
    'Mayo clinic, August Macke',
    'May 10% of them stay',
    '3个月',
  ])('"%s" holds no date', (text) => expect(readingsIn(text)).toEqual([]))

  test('gives the position of a date in the original text', () => {
    const text = 'İzmir, 8 MAY 2024: ＦＵＬＬ'
    expect(readDates(text).map(({ start, end }) => text.slice(start, end))).toEqual(['8 MAY 2024'])
  })
})

/** Dates as the standard library writes them, for people of each language. */
const locales = [
  'en-GB',
  'en-US',
  'de',
  'de-AT',
  'fr',
  'es',
  'it',
  'pt',
  'pt-BR',
  'nl',
  'ru',
  'ar',
  'ar-EG',
  'zh',
  'ja',
  'ko',
]

describe('a date in the words of', () => {
  const utc = { timeZone: 'UTC' } as const
  const months = Array.from({ length: 12 }, (_, month) => month + 1)

  test.each(locales)('%s is read in each month', (locale) => {
    const full = new Intl.DateTimeFormat(locale, { ...utc, dateStyle: 'long' })
    for (const month of months) {
      const text = full.format(Date.UTC(2024, month - 1, 17))
      expect(readingsIn(text), text).toEqual([`2024-${month}-17`])
      expect(readingsIn(`(${text}).`), text).toEqual([`2024-${month}-17`])
    }
  })

  test.each(locales)('%s is read without a day', (locale) => {
    const format = new Intl.DateTimeFormat(locale, { ...utc, month: 'long', year: 'numeric' })
    for (const month of months.filter((number) => !(locale === 'fr' && number === 3))) {
      const text = format.format(Date.UTC(2024, month - 1, 17))
      expect(readingsIn(text), text).toEqual([`2024-${month}`])
    }
  })
})

describe('a date in digits', () => {
  const anyDay = fc.date({ min: new Date('1990-01-01'), max: new Date('2069-12-31'), noInvalidDate: true })
  const padded = (number: number) => String(number).padStart(2, '0')
  const formats: [string, (parts: { y: number; m: number; d: number }) => string][] = [
    ['2024-05-08', ({ y, m, d }) => `${y}-${padded(m)}-${padded(d)}`],
    ['2024/5/8', ({ y, m, d }) => `${y}/${m}/${d}`],
    ['2024.05.08', ({ y, m, d }) => `${y}.${padded(m)}.${padded(d)}`],
    ['8.5.2024', ({ y, m, d }) => `${d}.${m}.${y}`],
    ['08. 05. 2024', ({ y, m, d }) => `${padded(d)}. ${padded(m)}. ${y}`],
    ['2024年5月8日', ({ y, m, d }) => `${y}年${m}月${d}日`],
  ]

  test.each(formats)('written like %s is the day it names', (_, write) => {
    fc.assert(
      fc.property(anyDay, (date) => {
        const parts = { y: date.getUTCFullYear(), m: date.getUTCMonth() + 1, d: date.getUTCDate() }
        const { start, end, readings } = readDates(`On ${write(parts)}, it rained.`)[0]!
        expect(readings).toEqual([{ year: parts.y, month: parts.m, day: parts.d }])
        expect([start, end]).toEqual([3, 3 + write(parts).length])
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    ['01.06.69', '2069-6-1'],
    ['01.06.70', '1970-6-1'],
    ['01.06.00', '2000-6-1'],
  ])('with a year of two digits, %s, lies within a century around 2020', (text, date) =>
    expect(readingsIn(text)).toEqual([date]),
  )

  test.each([
    ['2023-02-29', false],
    ['2024-02-29', true],
    ['1900-02-29', false],
    ['2000-02-29', true],
    ['2024-04-31', false],
    ['2024-12-31', true],
    ['2024-00-10', false],
    ['2024-01-00', false],
  ])('is one only if the calendar has the day: %s', (text, isDay) =>
    expect(readingsIn(text).some((date) => date.split('-').length === 3)).toBe(isDay),
  )

  test('is read in the only way the calendar allows', () => {
    expect(readingsIn('31/12/2024')).toEqual(['2024-12-31'])
    expect(readingsIn('12/31/2024')).toEqual(['2024-12-31'])
    expect(readingsIn('05/05/2024')).toEqual(['2024-5-5'])
  })
})

test('of two overlapping dates the longer one is read', () => {
  expect(readingsIn('8 May 2024')).toEqual(['2024-5-8'])
  expect(readingsIn('in May and on 8 May and in May 2024')).toEqual(['?-5', '?-5-8', '2024-5'])
})

test('normalising a text keeps its length', () => {
  const text = 'İSTANBUL, ８ Mayıs ٢٠٢٤, ŒUVRE'
  expect(toPlain(text)).toHaveLength(text.length)
  expect(toPlain(text)).toContain('2024')
})

describe('names of months', () => {
  test('are known in full in every language, abbreviated only where they are asked for', () => {
    expect([monthOfName('märz'), monthOfName('dezembro'), monthOfName('января')]).toEqual([3, 12, 1])
    expect([monthOfName('mrz'), monthOfShortName('mrz'), monthOfShortName('märz')]).toEqual([undefined, 3, 3])
    expect([monthOfEnglishName('sept'), monthOfEnglishName('märz')]).toEqual([9, undefined])
    expect(monthOfName('constructor')).toBeUndefined()
  })

  test('are words without diacritics', () => {
    expect([isMonthName('marz'), isMonthName('aout'), isMonthName('märz')]).toEqual([true, true, false])
  })
})

describe('terms of dates', () => {
  const wholesOf = (text: string) => analyse(text).wholes.map(({ term }) => term)

  test('are the same however a date is written', () => {
    const terms = [':2024-05-08', ':2024-05', ':05-08', ':05']
    for (const text of ['8 May 2024', 'on 08.05.2024', '2024-05-08', 'le 8 mai 2024', '2024年5月8日に']) {
      expect(wholesOf(text)).toEqual(expect.arrayContaining(terms))
    }
  })

  test('stand beside the words and do not count as words', () => {
    const [passage] = toPassages('signed on 8 May 2024 in Lyon')
    const words = ['sign', '8', 'may', '2024', 'lyon']
    expect(passage?.terms.filter((term) => !term.startsWith('+'))).toEqual(words)
    expect(passage?.terms).toContain('+:2024-05-08')
    expect(passage?.length).toBe(words.length)
  })

  test('lie in the passage that contains the date', () => {
    const filler = 'alpha beta gamma delta epsilon zeta eta theta iota kappa. '
    const passages = toPassages(`${filler.repeat(15)}Signed on 2024-05-08. ${filler.repeat(15)}`)
    const holding = passages.filter(({ terms }) => terms.includes('+:2024-05-08'))
    expect(holding).toHaveLength(1)
    expect(holding[0]?.terms).toContain('sign')
  })

  test("match a question's date as exactly as it is written", () => {
    const askedIn = (text: string) => analyse(text).wholes.flatMap(({ asked = [] }) => asked.join(' ') || [])
    expect(askedIn('on 8 May 2024')).toEqual([':2024-05-08', ':05-08'])
    expect(askedIn('on 8 May')).toEqual([':05-08'])
    expect(askedIn('in May 2024')).toEqual([':2024-05'])
    expect(askedIn('9/6/2024')).toEqual([':2024-06-09 :2024-09-06', ':06-09 :09-06'])
    expect(askedIn('Q1 2024')).toEqual([':2024-q1 :2024-01 :2024-02 :2024-03'])
  })

  const filler = 'x'.repeat(200)

  test('are read near their hints, with their positions in the whole text', () => {
    const text = `${filler} 8 May 2024 ${filler} 2023-01-02`
    const hintAt = (part: string) => [text.indexOf(part), text.indexOf(part) + part.length] as const
    const dates = readDateTerms(text, [hintAt('2024'), hintAt('2023')])
    expect(dates.map(({ start, end }) => text.slice(start, end))).toEqual(['8 May 2024', '2023-01-02'])
    expect(readDateTerms(text, [hintAt('2023')])).toHaveLength(1)
    expect(readDateTerms(text, [])).toEqual([])
  })

  test('are read once if several hints are close together', () => {
    const text = 'from 8 May 2024 to 9 May 2024'
    const hints = [...text.matchAll(/May|2024/g)].map(
      ({ 0: part, index }) => [index, index + part.length] as const,
    )
    expect(hints).toHaveLength(4)
    expect(readDateTerms(text, hints).map(({ start }) => start)).toEqual([5, 19])
  })

  test('of a table with more dates than a text may have are left out', () => {
    const text = '2024-05-08 '.repeat(1_100)
    const hints = Array.from({ length: 1_100 }, (_, i) => [i * 11, i * 11 + 10] as const)
    const { length } = readDateTerms(text, hints)
    expect(length).toBeGreaterThanOrEqual(1_000)
    expect(length).toBeLessThan(1_010)
  })

  test('without a year have no year', () => {
    expect(wholesOf('on 8 May')).toEqual(expect.arrayContaining([':05-08', ':05']))
    expect(wholesOf('on 8 May').filter((term) => /\d{4}/.test(term))).toEqual([])
  })
})
