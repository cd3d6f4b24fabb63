import { expect, test } from 'vitest'
import { toBase, toKin } from './kin.ts'

const isKnown = (word: string) => words.has(word)
const words = new Set(
  'email retry hives cache plan box leaf stop write trousers organize lawn mower house keeper true read work mad'.split(
    ' ',
  ),
)

test.each([
  ['emails', 'email'],
  ['retries', 'retry'],
  ['hive', 'hives'],
  ['cached', 'cache'],
  ['planned', 'plan'],
  ['boxes', 'box'],
  ['leaves', 'leaf'],
  ['writer', 'write'],
  ['trouser', 'trousers'],
  ['organise', 'organize'],
])('"%s" is another form of "%s"', (word, base) => {
  expect(toBase(word, isKnown)).toBe(base)
  expect(toKin(word, isKnown)).toEqual([base])
})

test.each([
  ['lawnmower', ['lawn', 'mower']],
  ['lawnmowers', ['lawn', 'mower']],
  ['housekeeper', ['house', 'keeper']],
  ['untrue', ['true']],
  ['rereading', ['read']],
  ['reworked', ['work']],
])('"%s" is made of %s', (word, parts) => expect(toKin(word, isKnown)).toEqual(parts))

test.each(['zzyzx', 'maddy', 'car', 'a', '', 'x'.repeat(100)])('"%s" is no kin of a known word', (word) =>
  expect(toKin(word, isKnown)).toEqual([]),
)
