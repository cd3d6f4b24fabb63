import { expect, test } from 'vitest'
import { createRowSum } from './copy-tables.ts'

type Rows = Parameters<ReturnType<typeof createRowSum>['add']>[0][]
const digestOf = (rows: Rows, columns = ['id', 'text']) => {
  const sum = createRowSum(columns)
  for (const row of rows) sum.add(row)
  return sum.digest
}
const rows = [
  { id: 1, text: 'a' },
  { id: 2, text: 'b' },
] as Rows

test('the sum of a table does not depend on the order of its rows', () => {
  expect(digestOf(rows)).toBe(digestOf(rows.toReversed()))
})

test.each<[string, Rows]>([
  ['a value', [rows[0]!, { id: 2, text: 'c' }]],
  ['a missing row', [rows[0]!]],
  ['a row twice', [...rows, rows[1]!]],
  [
    'values that changed places',
    [
      { id: 1, text: 'b' },
      { id: 2, text: 'a' },
    ],
  ],
  ['a number as text', [{ id: '1', text: 'a' }, rows[1]!]],
  ['null for text', [{ id: 1, text: null }, rows[1]!]],
])('differs by %s', (_, other) => {
  expect(digestOf(other)).not.toBe(digestOf(rows))
})

test('a value that is absent is null, and bytes are not the text that they spell', () => {
  expect(digestOf([{ id: 1 }])).toBe(digestOf([{ id: 1, text: null }]))
  expect(digestOf([{ id: 1, text: Buffer.from('a') }])).toBe(
    digestOf([{ id: 1, text: new Uint8Array([97]) }]),
  )
  expect(digestOf([{ id: 1, text: Buffer.from('a') }])).not.toBe(digestOf([{ id: 1, text: 'YQ==' }]))
})

test('rows that are the same twice do not cancel out', () => {
  expect(digestOf([rows[0]!, rows[0]!])).not.toBe(digestOf([rows[1]!, rows[1]!]))
})

test('the number of rows is counted', () => {
  const sum = createRowSum(['id'])
  expect([sum.rows, sum.digest]).toEqual([0, '0-0-0'])
  for (const row of rows) sum.add(row)
  expect(sum.rows).toBe(2)
})
