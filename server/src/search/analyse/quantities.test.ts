import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchedTerms, toPassages } from './passages.ts'
import { readQuantities } from './quantities.ts'

const termsOf = (text: string) => readQuantities(text).map(({ term }) => term)
/** The terms of the words too. */
const searchedIn = (text: string) => toPassages(text).flatMap(({ terms }) => searchedTerms(terms))

test.each([
  [
    '2500000',
    ['2.5M', '$2.5 million', '2,5 Mio', '2,5 Mio.', '2.5 millions', '2,5 Millionen', '250万', '2.500.000'],
  ],
  ['2500000', ['2\u00a0500\u00a0000', "2'500'000", '2,500 thousand', '2500K', '2,5 млн', '2,5 millones']],
  ['1000000', ['10,00,000', '₹10,00,000.00']],
  ['100000', ['1,00,000']],
  ['3000000000', ['3B', '3 billion', '3 Mrd', '3 Milliarden', '3 milliards']],
  ['1375.80', ['1.375,80', '1375,80']],
  ['1375', ['1375.00', '1,375.00', '1.375,00']],
  ['15:percent', ['15%', '15 %', '15 percent', '15 per cent', '15 Prozent', '15 por ciento', '15.0 %']],
  ['12.5:percent', ['12.5%', '12,5 %', '12,5 Prozent']],
  ['14:30', ['2:30 pm', '2:30pm', '2.30 p.m.', '14h30', '14.30 Uhr', '14 Uhr 30']],
  ['15:00', ['3pm', '3 PM', '15 Uhr']],
  ['00:15', ['12:15 am', '0:15']],
  [
    'tel:0901820',
    ['+4930901820', '+49 (30) 901820', '+49 30 901820', '030 901820', '030/901820', '+49 (0)30 901820'],
  ],
  ['4930901820', ['+49 (30) 901820', '0049 30 901820', '+49-30-901820']],
  ['tel:5551234', ['212-555-1234', '(212) 555-1234', '+1 212 555 1234', '212.555.1234']],
])('%s', (term, texts) => {
  const without = texts.filter((text) => !termsOf(`It is ${text}, they say.`).includes(term))
  expect(without).toEqual([])
})

test.each([
  '2024-01-19',
  '01.06.2024',
  '01/06/2024',
  '192.168.10.1',
  'v3.53.1',
  'sha256',
  '5 miles',
  '14:30',
  '2,500,000',
  '1375.80',
  '100 to 200',
  'chapter 3.2.1',
  '5m',
])('%s is what its words say', (text) => expect(termsOf(`It is ${text} they say`)).toEqual([]))

test('offsets refer to everything that was read', () => {
  const text = '🚀 raised $2.5 million at 2:30 pm, call +49 (30) 901820.'
  expect(readQuantities(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    '2.5 million',
    '2:30 pm',
    '+49 (30) 901820',
    '+49 (30) 901820',
  ])
})

test('long runs of digits and marks are read quickly', () => {
  const started = process.cpuUsage()
  for (const part of ['1', '1 ', '1.', '(1', '0-', '1,', '00', '1:']) readQuantities(part.repeat(50_000))
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_000)
})

test.each(['en', 'de', 'fr', 'es', 'it-CH', 'pt-BR', 'ru'])(
  'a large number is the same as %s writes it',
  (locale) => {
    const format = new Intl.NumberFormat(locale)
    fc.assert(
      fc.property(fc.integer({ min: 1_000_000, max: 999_999_999 }), (number) => {
        const text = `There are ${format.format(number)} stars.`
        expect(searchedIn(text), text).toContain(String(number))
      }),
      { numRuns: 50 },
    )
  },
)

test.each(['en', 'de', 'fr', 'es', 'it', 'ru'])('a share is the same as %s writes it', (locale) => {
  const format = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  for (const [share, term] of [
    [0.15, '15:percent'],
    [0.125, '12.5:percent'],
    [1, '100:percent'],
  ] as const)
    expect(termsOf(`It is ${format.format(share)}.`)).toContain(term)
})

test('a time of day is the same on a 12-hour and a 24-hour clock', () => {
  const minutes = Array.from({ length: 24 * 4 }, (_, i) => i * 15)
  const [twelve, all] = ['en-US', 'en-GB'].map(
    (locale) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', timeStyle: 'short' }),
  ) as [Intl.DateTimeFormat, Intl.DateTimeFormat]
  for (const minute of minutes) {
    const [half, full] = [twelve.format(minute * 60_000), all.format(minute * 60_000)]
    expect(termsOf(`At ${half} sharp`), half).toEqual([full])
  }
})

test.each(['2:30\u00a0PM', '2:30\u202fPM', '2:30 PM', '2:30PM', '2:30 p.m.'])(
  'a time is read whatever space stands before am and pm: %j',
  (text) => expect(termsOf(`At ${text} sharp`)).toEqual(['14:30']),
)

test.each(['24:00', '12:60', '7:5', '1:2:3:4', '14:30:15.5', 'a2:30 pm', '99pm'])(
  '%s is no time of day',
  (text) => expect(termsOf(`It is ${text} they say`).filter((term) => /^\d\d:\d\d$/.test(term))).toEqual([]),
)

test.each(['030 12', '+49 1', '12345678901234567', '2024 01 19', '00000'])('%s is no phone number', (text) =>
  expect(termsOf(`It is ${text} they say`).filter((term) => term.startsWith('tel:'))).toEqual([]),
)
