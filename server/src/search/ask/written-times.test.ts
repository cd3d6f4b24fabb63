import { expect, test } from 'vitest'
import { writeOut } from './written-times.ts'

const spanOf = (from: string, to: string) => ({ from: Date.parse(from), to: Date.parse(to) })

test.each([
  ['a day', '2026-11-23', '2026-11-24', ['2026-11-23']],
  ['a part of a day', '2026-11-23T12:00Z', '2026-11-24T06:00Z', ['2026-11-23', '2026-11-24']],
  ['a month', '2019-03-01', '2019-04-01', ['2019-03']],
  ['a quarter', '2021-04-01', '2021-07-01', ['2021-04', '2021-05', '2021-06', '2021-Q2']],
  ['months over the new year', '2020-11-10', '2021-01-20', ['2020-11', '2020-12', '2021-01']],
  ['a decade', '1990-01-01', '1993-01-01', ['1990', '1991', '1992']],
  ['centuries', '1500-01-01', '1900-01-01', []],
])('%s is written out', (_, from, to, written) => {
  expect(writeOut([spanOf(from, to)])).toEqual(written)
})

test('a year is written with its months and quarters', () => {
  const written = writeOut([spanOf('2018-01-01', '2019-01-01')])
  expect(written).toHaveLength(1 + 12 + 4)
  expect(written.slice(0, 2)).toEqual(['2018', '2018-01'])
})
