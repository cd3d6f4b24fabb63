import { describe, expect, test } from 'vitest'
import { countWordsOf, type Passage, scoreText, sumOfText } from './count-words.ts'

const hourMs = 3_600_000
const passage = (position: number, terms: string, more: Partial<Passage> = {}): Passage => ({
  ...{ id: position + 1, observationId: position + 1, entityId: 1, position, createdAt: 0, times: () => [] },
  ...{ length: 5, pieces: 1, terms, ...more },
})

/** The parts of the score of the passage at `place`; each word of the query is as rare as its weight in `idf`. */
function parts(
  query: string,
  passages: Passage[],
  { place = 0, fields = [] as number[], idf = [] as number[] } = {},
) {
  const words = query
    .split(' ')
    .map((own) => ({ own, surface: own, terms: new Map([[own, 1]]), count: 1, rarity: 1 }))
  const counter = countWordsOf(words)
  const counted = passages.map((one) => counter.inPassage(one))
  const inFields = Float64Array.from(words, (_, word) => fields[word] ?? 0)
  return scoreText(
    counted,
    place,
    inFields,
    words.map((_, word) => idf[word] ?? 1),
    5,
  )
}
const score = (...given: Parameters<typeof parts>) => sumOfText(parts(...given))

describe('the text score of a passage', () => {
  test('is 0 without a word of the question', () => {
    expect(parts('tea', [passage(0, 'coffee')])).toEqual({ words: 0, name: 0, neighbours: 0, pairs: 0 })
  })

  test('grows with the frequency of a word, less each time', () => {
    const [one, two, three] = ['tea', 'tea tea', 'tea tea tea'].map((terms) =>
      score('tea', [passage(0, terms)]),
    )
    expect(two! - one!).toBeGreaterThan(0)
    expect(three! - two!).toBeLessThan(two! - one!)
  })

  test('is lower in a longer passage', () => {
    expect(score('tea', [passage(0, 'tea', { length: 50 })])).toBeLessThan(score('tea', [passage(0, 'tea')]))
  })

  test('is higher for a rare word', () => {
    const passages = [passage(0, 'tea')]
    expect(score('tea', passages, { idf: [3] })).toBeGreaterThan(score('tea', passages, { idf: [1] }))
  })

  test('is higher if a passage covers more of the question', () => {
    const covered = parts('green tea', [passage(0, 'tea tea green')])
    const partly = parts('green tea', [passage(0, 'tea tea')])
    expect(covered.words).toBeGreaterThan(partly.words)
    expect(parts('tea', [passage(0, 'tea')]).words).toBeGreaterThan(
      parts('tea ada', [passage(0, 'tea')]).words,
    )
  })

  test('counts the name of the entity, less than the text', () => {
    const named = parts('tea', [passage(0, 'coffee')], { fields: [1] })
    expect(named.words).toBe(0)
    expect(named.name).toBeGreaterThan(0)
    expect(named.name).toBeLessThan(parts('tea', [passage(0, 'tea')]).words)
  })

  test('counts two words close together as much as the rarer of them allows', () => {
    const near = [passage(0, 'green tea')]
    expect(parts('green tea', [passage(0, 'green a b c d e tea')]).pairs).toBe(0)
    const even = parts('green tea', near, { idf: [2, 2] }).pairs
    expect(even).toBeGreaterThan(0)
    expect(parts('green tea', near, { idf: [1, 2] }).pairs).toBeCloseTo(even / 2)
  })
})

describe('the neighbours of a passage', () => {
  const neighbours = (...passages: Passage[]) => parts('tea', passages).neighbours
  const own = passage(0, 'coffee')
  const beside = neighbours(own, passage(1, 'tea'))

  test('add to its score', () => expect(beside).toBeGreaterThan(0))

  test('add less the further away they are, and nothing beyond three steps', () => {
    const [two, three, four] = [2, 3, 4].map((position) => neighbours(own, passage(position, 'tea')))
    expect(two).toBeLessThan(beside)
    expect(three).toBeLessThan(two!)
    expect(three).toBeGreaterThan(0)
    expect(four).toBe(0)
  })

  test('add less the more time lies between', () => {
    const later = neighbours(own, passage(1, 'tea', { createdAt: 6 * hourMs }))
    expect(later).toBeLessThan(beside / 2)
    expect(later).toBeGreaterThan(0)
  })

  test('add nothing within one observation', () => {
    expect(neighbours(own, passage(1, 'tea', { observationId: 1 }))).toBe(0)
  })

  test('add less for a word that the passage has itself', () => {
    expect(neighbours(passage(0, 'tea'), passage(1, 'tea'))).toBeLessThan(beside)
  })

  test('add more before a passage if they are questions', () => {
    const after = (terms: string) =>
      parts('tea', [passage(0, terms), passage(1, 'yes')], { place: 1 }).neighbours
    expect(after('tea ?')).toBeGreaterThan(after('tea'))
  })
})
