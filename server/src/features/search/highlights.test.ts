import { expect, test } from 'vitest'
import { analyse } from '../../search-index/analyser.ts'
import { findHighlights } from './highlights.ts'

const termsOf = (query: string) => new Set(analyse(query).tokens.map(({ term }) => term))
const marked = (content: string, query: string) =>
  findHighlights(content, termsOf(query)).map(([start, end]) => content.slice(start, end))

test.each([
  ['Ada wrote the first program', 'program', ['program']],
  ['Programs and programming', 'program', ['Programs', 'programming']],
  ['Ada Ada', 'ada', ['Ada', 'Ada']],
  ['😀 Ada 😀', 'ada', ['Ada']],
  ['Größe und GRÖSSE', 'größe', ['Größe', 'GRÖSSE']],
  ['nothing here', 'ada', []],
  ['', 'ada', []],
])('in %j the words of %j are %j', (content, query, words) => {
  expect(marked(content, query)).toEqual(words)
})

test('no terms mark nothing', () => {
  expect(findHighlights('Ada', new Set())).toEqual([])
})

test('marks are in text order and never overlap', () => {
  const content = 'the checkout-service of 2024-05-01, checkoutService and checkout service'
  const { tokens, wholes } = analyse(content)
  const all = new Set([...tokens, ...wholes].map(({ term }) => term))
  const found = findHighlights(content, all)
  expect(found.length).toBeGreaterThan(3)
  for (const [index, [start]] of found.slice(1).entries()) {
    expect(start).toBeGreaterThanOrEqual(found[index]![1])
  }
})

test('at most 200 words are marked', () => {
  expect(findHighlights('ada '.repeat(300), new Set(['ada']))).toHaveLength(200)
})
