import { expect, test } from 'vitest'
import { contains, splitAtWords, stepTo } from './find.rules.ts'

const found = (text: string, sought: string) =>
  splitAtWords(text, sought)
    .filter(({ isFound }) => isFound)
    .map(({ text: part }) => part)

test.each([
  ['Round once, ROUND\n twice', 'round', ['Round', 'ROUND']],
  ['Round once, round\n once', ' round  once ', ['Round once', 'round\n once']],
  ['a.b acb', 'a.b', ['a.b']],
  ['f(x) [y] {z} a\\b c|d ^$ *+?', '(x) [y] {z} a\\b c|d ^$ *+?', ['(x) [y] {z} a\\b c|d ^$ *+?']],
  ['Straße', 'STRASSE', []],
  ['any', '  ', []],
  ['🚀 up', '🚀', ['🚀']],
])('%j has %j: %j', (text, sought, expected) => {
  expect(found(text, sought)).toEqual(expected)
  expect(
    splitAtWords(text, sought)
      .map(({ text: part }) => part)
      .join(''),
  ).toBe(text)
  expect(contains(text, sought)).toBe(expected.length > 0)
})

test('steps go round, from none to the first or the last', () => {
  expect([stepTo(-1, 1, 3), stepTo(-1, -1, 3), stepTo(2, 1, 3), stepTo(0, -1, 3)]).toEqual([0, 2, 0, 2])
  expect(contains('any', undefined)).toBe(false)
})
