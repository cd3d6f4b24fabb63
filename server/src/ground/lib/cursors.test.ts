import { describe, expect, test } from 'vitest'
import { decodeCursor, decodeSortCursor, encodeCursor, encodeSortCursor, toPage } from './cursors.ts'

const madeOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const invalid = expect.objectContaining({ code: 'invalid_cursor' })

test('a cursor comes back as it was given', () => {
  for (const cursor of [
    { at: 0, id: 0 },
    { at: -5, id: 7 },
    { at: Number.MAX_SAFE_INTEGER, id: 1 },
  ])
    expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor)
  expect(decodeCursor(undefined)).toBeUndefined()
})

test.each([
  ['nothing', ''],
  ['no JSON', 'abc'],
  ['no list', madeOf({ at: 1, id: 2 })],
  ['one number', madeOf([1])],
  ['a fraction', madeOf([1.5, 2])],
  ['text', madeOf(['1', 2])],
  ['an unsafe number', madeOf([1, 2 ** 60])],
])('a cursor of %s is refused', (_, text) => {
  expect(() => decodeCursor(text)).toThrow(invalid)
})

describe('a cursor of a list sorted by text or number', () => {
  test('comes back as it was given', () => {
    expect(decodeSortCursor(encodeSortCursor({ at: 'Ø "x"', id: 3 }), 'string')).toEqual({
      at: 'Ø "x"',
      id: 3,
    })
    expect(decodeSortCursor(encodeSortCursor({ at: 0.5, id: 3 }), 'number')).toEqual({ at: 0.5, id: 3 })
    expect(decodeSortCursor(undefined, 'number')).toBeUndefined()
  })

  test('of another order is refused, and so is one without a row', () => {
    expect(() => decodeSortCursor(encodeSortCursor({ at: 'a', id: 1 }), 'number')).toThrow(invalid)
    expect(() => decodeSortCursor(encodeSortCursor({ at: 1, id: 1 }), 'string')).toThrow(invalid)
    expect(() => decodeSortCursor(madeOf(['a', 'b']), 'string')).toThrow(invalid)
  })
})

test('a page has a cursor at its last row if there is a further row, else none', () => {
  const keyOf = (id: number) => ({ at: id * 10, id })
  expect(toPage([1, 2, 3], 3, keyOf)).toEqual({ rows: [1, 2, 3], nextCursor: null })
  const { rows, nextCursor } = toPage([1, 2, 3, 4], 3, keyOf)
  expect(rows).toEqual([1, 2, 3])
  expect(decodeCursor(nextCursor!)).toEqual({ at: 30, id: 3 })
})
