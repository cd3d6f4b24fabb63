import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyMixture, anyText, lines } from '../../../test/texts.ts'
import { toPassages } from './passages.ts'
import { readPassages } from './read-passages.ts'

const isWhole = (term: string) => term.length > 1 && term.startsWith('+')

/** The words in order; terms for whole identifiers can be anywhere among them. */
const inParts = (terms: readonly string[]) => ({
  words: terms.filter((term) => !isWhole(term)),
  wholes: terms.filter(isWhole).sort(),
})

function expectSame(text: string): void {
  const read = readPassages(text).map(({ terms, length }) => ({
    ...inParts(terms.split(' ').filter(Boolean)),
    length,
  }))
  const full = toPassages(text).map(({ terms, length }) => ({ ...inParts(terms), length }))
  expect(read, text).toEqual(full)
}

test('the passages of a text in any language are those of the full analysis', () => {
  for (const line of lines) expectSame(line)
  for (const line of lines) expectSame(`${line} `.repeat(30))
  expectSame(lines.join(' '))
  expectSame(lines.join('\n').repeat(3))
})

test('so are those of long texts composed of parts of them', () => {
  fc.assert(fc.property(anyMixture(300), expectSame), { numRuns: 300 })
})

test('so are those of a text without spaces, and where a passage ends within joined words', () => {
  expectSame('我去了臺灣。他們很喜歡，二〇二四年五月。'.repeat(60))
  for (let before = 90; before <= 100; before += 1) {
    expectSame(
      `${'word '.repeat(before)}I.am_not-here.but/There.is,a.fileName.v2 and ${'more '.repeat(120)}me?`,
    )
    expectSame(`${'word '.repeat(before)}北京大學的學生去了臺灣我是 5 % on 3 May 2024 ${'more '.repeat(30)}`)
  }
})

test('so are those of any text', () => {
  fc.assert(fc.property(anyText, expectSame), { numRuns: 1_500 })
})
