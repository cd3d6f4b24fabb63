import { expect, test } from 'vitest'
import { areForms, areSimilar, wordsOf } from './similar-words.ts'

test('words are letters and digits of any script, up to a generous number', () => {
  expect(wordsOf("Who's on-call, Zoë? 支払い 7")).toEqual(['who', 's', 'on', 'call', 'zoë', '支払い', '7'])
  expect(wordsOf('word '.repeat(100))).toHaveLength(40)
})

test.each([
  ['deadlock', 'deadlocks', true],
  ['happy', 'happier', true],
  ['report', 'repository', false],
  ['cat', 'dog', false],
])('%s and %s are forms of one word: %s', (a, b, are) => {
  expect(areForms(a, b)).toBe(are)
  expect(areForms(b, a)).toBe(are)
})

test.each([
  ['trakcing', 'tracking', true],
  ['deley', 'delay', true],
  ['kubernets', 'kubernetes', true],
  ['settlemnt', 'settlements', true],
  ['stone', 'night', false],
  ['car', 'cat', false],
  ['service', 'servicesss', false],
])('%s may be a slip for %s: %s', (a, b, may) => {
  expect(areSimilar(a, b)).toBe(may)
  expect(areSimilar(b, a)).toBe(may)
})
