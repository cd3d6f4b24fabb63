import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldName, lettersPosted, toAskedLetters, toLettersTerms } from './name-letters.ts'

const postedOf = (name: string) => toLettersTerms(name).flatMap(lettersPosted)
const letters = fc.array(fc.constantFrom(...'aBäÄzZ09 _-%"\\:🎉東京Яßσς'), { minLength: 2, maxLength: 40 })

test('every part of a name of two letters or more is found by the postings of the name', () => {
  fc.assert(
    fc.property(letters, fc.nat(), fc.nat(), (name, from, length) => {
      const start = from % (name.length - 1)
      const part = name.slice(start, start + 2 + (length % name.length))
      const asked = toAskedLetters(foldName(part.join('')))
      const posted = postedOf(name.join(''))
      if (asked === undefined) return false
      return 'all' in asked
        ? asked.all.every((term) => posted.includes(term))
        : posted.some((term) => term.startsWith(asked.beginning))
    }),
  )
})

test('letters that are not in sequence are not posted', () => {
  expect(postedOf('Ada L')).toHaveLength(4)
  expect(postedOf('x')).toHaveLength(1)
  expect(postedOf('\u200b')).toEqual([])
  expect(toAskedLetters('x')).toBeUndefined()
  const asked = toAskedLetters('a'.repeat(10_000) + 'b'.repeat(10_000))
  expect(asked).toMatchObject({ all: expect.arrayContaining(['#aaa', '#bbb']) })
})
