import { expect, test } from 'vitest'
import { toArrayLiteral } from './array-literals.ts'

test('writes numbers, texts and nulls', () => {
  expect(toArrayLiteral([])).toBe('{}')
  expect(toArrayLiteral([1, -2.5, null])).toBe('{1,-2.5,NULL}')
  expect(toArrayLiteral(['a', '', 'NULL', '{}', ', '])).toBe('{"a","","NULL","{}",", "}')
  expect(toArrayLiteral(['"', '\\', 'C:\\"x"'])).toBe('{"\\"","\\\\","C:\\\\\\"x\\""}')
})

test('leaves other values to the driver', () => {
  for (const value of [true, 1n, new Date(), Buffer.of(1), [1], undefined, {}])
    expect(toArrayLiteral([value])).toBeUndefined()
})
