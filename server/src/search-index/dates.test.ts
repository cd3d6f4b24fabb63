import { describe, expect, test } from 'vitest'
import { analyse } from './analyser.ts'
import { type CalendarDate, readDates } from './dates.ts'
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

  test('tells where a date stands in the text as it was given', () => {
    const text = 'İzmir, 8 MAY 2024: ＦＵＬＬ'
    expect(readDates(text).map(({ start, end }) => text.slice(start, end))).toEqual(['8 MAY 2024'])
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

  test('stand beside the words and do not count as such', () => {
    const [passage] = toPassages('signed on 8 May 2024 in Lyon')
    const words = ['sign', '8', 'may', '2024', 'lyon']
    expect(passage?.terms.filter((term) => !term.startsWith('+'))).toEqual(words)
    expect(passage?.terms).toContain('+:2024-05-08')
    expect(passage?.length).toBe(words.length)
  })

  test('lie in the passage that holds the date', () => {
    const filler = 'alpha beta gamma delta epsilon zeta eta theta iota kappa. '
    const passages = toPassages(`${filler.repeat(15)}Signed on 2024-05-08. ${filler.repeat(15)}`)
    const holding = passages.filter(({ terms }) => terms.includes('+:2024-05-08'))
    expect(holding).toHaveLength(1)
    expect(holding[0]?.terms).toContain('sign')
  })

  test('a question asks for a date as exactly as it is written', () => {
    const askedIn = (text: string) => analyse(text).wholes.flatMap(({ asked = [] }) => asked.join(' ') || [])
    expect(askedIn('on 8 May 2024')).toEqual([':2024-05-08', ':05-08'])
    expect(askedIn('on 8 May')).toEqual([':05-08'])
    expect(askedIn('in May 2024')).toEqual([':2024-05'])
    expect(askedIn('9/6/2024')).toEqual([':2024-06-09 :2024-09-06', ':06-09 :09-06'])
    expect(askedIn('Q1 2024')).toEqual([':2024-q1 :2024-01 :2024-02 :2024-03'])
  })
})
