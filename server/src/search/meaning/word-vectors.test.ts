import { expect, test } from 'vitest'
import { toLikeness, toMeant } from './word-vectors.ts'

const wordsOf = (text: string) => toMeant(text)?.words ?? ''

test('a word is as like a text as its most alike word', () => {
  const likenessOf = toLikeness('medicine')!
  const [same, alike, other] = ['Medicine at noon', 'Doctors know it', 'Collects old maps'].map((text) =>
    likenessOf(wordsOf(text)),
  )
  expect(same).toBeCloseTo(1, 1)
  expect(alike).toBeGreaterThan(0.3)
  expect(alike).toBeGreaterThan(2 * other!)
  expect(likenessOf(wordsOf('Doctors know it, and other people as well'))).toBeGreaterThanOrEqual(alike!)
  // As remembered from the first time.
  expect(likenessOf(wordsOf('Doctors know it'))).toBe(alike)
})

test('a text without a known word is like nothing', () => {
  expect(toMeant('zzyzx 42')).toBeUndefined()
  expect(toLikeness('medicine')!('')).toBe(0)
})

test('a word without a vector is like nothing', () => expect(toLikeness('zzyzx')).toBeUndefined())
