import { expect, test } from 'vitest'
import { analyse, analyseWords } from '../../search-index/analyser.ts'
import { createHighlighter } from './highlights.ts'

const termsOf = (query: string) => new Set(analyse(query).tokens.map(({ term }) => term))
const marked = (content: string, query: string) =>
  createHighlighter(termsOf(query))(content).map(([start, end]) => content.slice(start, end))

test.each([
  ['Ada wrote the first program', 'program', ['program']],
  ['Programs and programming', 'program', ['Programs', 'programming']],
  ['Ada Ada', 'ada', ['Ada', 'Ada']],
  ['😀 Ada 😀', 'ada', ['Ada']],
  ['Größe und GRÖSSE', 'größe', ['Größe', 'GRÖSSE']],
  ['nothing here', 'ada', []],
  ['Ada paid 15% on 9 June 2024', 'June, Ada', ['Ada', 'June']],
  ['', 'ada', []],
])('in %j the words of %j are %j', (content, query, words) => {
  expect(marked(content, query)).toEqual(words)
})

test('no terms mark nothing', () => {
  expect(createHighlighter(new Set())('Ada')).toEqual([])
})

test('marks are in text order and never overlap', () => {
  const content = 'the checkout-service of 2024-05-01, checkoutService and checkout service'
  const { tokens, wholes } = analyse(content)
  const all = new Set([...tokens, ...wholes].map(({ term }) => term))
  const found = createHighlighter(all)(content)
  expect(found.length).toBeGreaterThan(3)
  for (const [index, [start]] of found.slice(1).entries()) {
    expect(start).toBeGreaterThanOrEqual(found[index]![1])
  }
})

test('a question without digits asks for no quantity or date, since all their terms have one', () => {
  const content = '15% of 2.5 million, 9 June 2024, Q3 2023, June, 2:30 pm, 3 Uhr, +49 30 1234567'
  const known = new Set(analyseWords(content).wholes.map(({ term }) => term))
  const added = analyse(content).wholes.filter(({ term }) => !known.has(term))
  expect(added.length).toBeGreaterThan(8)
  for (const { term } of added) expect(term).toMatch(/\d/)
})

test('at most 200 words are marked', () => {
  expect(createHighlighter(new Set(['ada']))('ada '.repeat(300))).toHaveLength(200)
})
