import { describe, expect, test } from 'vitest'
import { decodeCursor, decodeTextCursor, encodeCursor, toPage } from './cursors.ts'

const madeOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const invalid = expect.objectContaining({ code: 'invalid_cursor' })

test('a cursor comes back as it was given', () => {
  for (const cursor of [
    { at: 0, id: 0 },
    { at: -5, id: 7, group: null },
    { at: Number.MAX_SAFE_INTEGER, id: 1, group: 'Ada' },
  ])
    expect(decodeCursor('list', encodeCursor('list', cursor))).toEqual(cursor)
  expect(decodeCursor('list', undefined)).toBeUndefined()
})

test.each([
  ['nothing', ''],
  ['no JSON', 'abc'],
  ['no list', madeOf({ at: 1, id: 2 })],
  ['another list', madeOf(['other', 1, 2])],
  ['one number', madeOf(['list', 1])],
  ['a fraction', madeOf(['list', 1.5, 2])],
  ['text', madeOf(['list', '1', 2])],
  ['an unsafe number', madeOf(['list', 1, 2 ** 60])],
])('a cursor of %s is refused', (_, text) => {
  expect(() => decodeCursor('list', text)).toThrow(invalid)
})

describe('a cursor of a list sorted by text', () => {
  test('comes back as it was given', () => {
    const cursor = { at: 'Ø "x"', id: 3 }
    expect(decodeTextCursor('list', encodeCursor('list', cursor))).toEqual(cursor)
    expect(decodeTextCursor('list', undefined)).toBeUndefined()
  })

  test.each([
    ['a number', ['list', 1, 1]],
    ['a text that no database stores', ['list', 'a\0', 1]],
    ['no row', ['list', 'a', 'b']],
  ])('with %s is refused', (_, parts) => {
    expect(() => decodeTextCursor('list', madeOf(parts))).toThrow(invalid)
  })
})

test('a page has a cursor at its last row if there is a further row, else none', () => {
  const keyOf = (id: number) => ({ at: id * 10, id })
  expect(toPage('list', [1, 2, 3], 3, keyOf)).toEqual({ rows: [1, 2, 3], nextCursor: null })
  const { rows, nextCursor } = toPage('list', [1, 2, 3, 4], 3, keyOf)
  expect(rows).toEqual([1, 2, 3])
  expect(decodeCursor('list', nextCursor!)).toEqual({ at: 30, id: 3 })
})
