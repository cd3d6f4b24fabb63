import { expect, test } from 'vitest'
import { analyse, analyseWords } from '../analyse/analyser.ts'
import { createHighlighter } from './hits.ts'

const termsOf = (query: string) => new Set(analyse(query).tokens.map(({ term }) => term))
const marked = async (content: string, query: string) =>
  (await createHighlighter(termsOf(query))(content)).map(([start, end]) => content.slice(start, end))

test.each([
  ['Ada wrote the first program', 'program', ['program']],
  ['Programs and programming', 'program', ['Programs', 'programming']],
  ['Ada Ada', 'ada', ['Ada', 'Ada']],
  ['😀 Ada 😀', 'ada', ['Ada']],
  ['Größe und GRÖSSE', 'größe', ['Größe', 'GRÖSSE']],
  ['nothing here', 'ada', []],
  ['Ada paid 15% on 9 June 2024', 'June, Ada', ['Ada', 'June']],
  ['', 'ada', []],
])('in %j the words of %j are %j', async (content, query, words) => {
  expect(await marked(content, query)).toEqual(words)
})

test('no terms mark nothing', async () => {
  expect(await createHighlighter(new Set())('Ada')).toEqual([])
})

test('marks are in text order and never overlap', async () => {
  const content = 'the checkout-service of 2024-05-01, checkoutService and checkout service'
  const { tokens, wholes } = analyse(content)
  const all = new Set([...tokens, ...wholes].map(({ term }) => term))
  const found = await createHighlighter(all)(content)
  expect(found.length).toBeGreaterThan(3)
  for (const [index, [start]] of found.slice(1).entries()) {
    expect(start).toBeGreaterThanOrEqual(found[index]![1])
  }
})

test('a question without digits asks for no date, since all their terms have one', () => {
  const content = '9 June 2024, Q3 2023, June, 12.5.2024, 3 May'
  const known = new Set(analyseWords(content).wholes.map(({ term }) => term))
  const added = analyse(content).wholes.filter(({ term }) => !known.has(term))
  expect(added.length).toBeGreaterThan(3)
  for (const { term } of added) expect(term).toMatch(/\d/)
})

test('at most 200 words are marked', async () => {
  expect(await createHighlighter(new Set(['ada']))('ada '.repeat(300))).toHaveLength(200)
})

test('words are marked throughout a long text', async () => {
  const content = `${'and so on '.repeat(3_000)}Ada ${'x'.repeat(20_000)} Ada`
  expect(await marked(content, 'ada')).toEqual(['Ada', 'Ada'])
})
