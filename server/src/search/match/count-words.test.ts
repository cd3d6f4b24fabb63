import { describe, expect, test } from 'vitest'
import { noFields } from '../analyse/passages.ts'
import { countWordsOf, type Passage } from './count-words.ts'

const wordsOf = (query: string) =>
  query.split(' ').map((own) => ({ own, surface: own, terms: new Map([[own, 1]]), count: 1, rarity: 1 }))
let nextId = 1
const passage = (terms: string): Passage => ({
  ...{ id: nextId++, observationId: 1, entityId: 1, position: 0, createdAt: 0, times: () => [] },
  ...{ length: terms.split(' ').length, pieces: 1, terms },
})
const count = (query: string, terms: string) => countWordsOf(wordsOf(query)).inPassage(passage(terms))

describe('in a passage', () => {
  test.each([
    ['tea', 'tea green tea', [2]],
    ['tea', 'coffee', [0]],
    ['tea', '', [0]],
    ['tea ada', 'ada drink tea', [1, 1]],
    ['tea', 'team steam te', [0]],
    ['tea', '+tea', [1]],
    ['tea', '=tea', [0.8]],
    ['tea', 'tea =tea', [1.8]],
  ])('the words of %j occur in %j %j times', (query, terms, frequencies) => {
    expect([...count(query, terms).frequencies]).toEqual(frequencies)
  })

  test('a term counts with its weight for each word it stands for', () => {
    const words = [
      {
        own: 'tea',
        surface: 'tea',
        terms: new Map([
          ['tea', 1],
          ['drink', 0.4],
        ]),
        count: 1,
        rarity: 1,
      },
      { own: 'beverage', surface: 'beverage', terms: new Map([['drink', 0.7]]), count: 1, rarity: 1 },
    ]
    const { frequencies } = countWordsOf(words).inPassage(passage('drink tea'))
    expect(frequencies[0]).toBeCloseTo(1.4)
    expect(frequencies[1]).toBeCloseTo(0.7)
  })

  test.each([
    ['green tea', 'green tea', 1],
    ['green tea', 'tea green', 1],
    ['green tea', 'green a b c tea', 1],
    ['green tea', 'green a b c d tea', 0],
    ['green tea', 'green -3 tea', 1],
    ['green tea', 'green -4 tea', 0],
    ['green tea', 'green +green-tea a b c tea', 1],
    ['green tea', 'tea', 0],
    ['green tea', '+green +tea', 0],
  ])('%j is a pair in %j: %i', (query, terms, pair) => {
    expect(count(query, terms).pairs[1]).toBe(pair)
  })

  test('words are counted separately in each passage', () => {
    const counter = countWordsOf(wordsOf('green tea'))
    counter.inPassage(passage('a green'))
    expect(counter.inPassage(passage('tea')).pairs[1]).toBe(0)
  })

  test('a passage is counted once', () => {
    const counter = countWordsOf(wordsOf('tea'))
    const one = passage('tea')
    expect(counter.inPassage(one)).toBe(counter.inPassage(one))
  })
})

describe('in the fields of an entity', () => {
  const inFields = (query: string, fields: Partial<typeof noFields>) => [
    ...countWordsOf(wordsOf(query)).inFields(1, { ...noFields, ...fields }),
  ]

  test.each([
    ['name', { name: ['tea'] }, 1],
    ['whole name', { nameWholes: ['tea'] }, 1],
    ['aliases', { aliases: [['green', 'x'], ['tea']] }, 1],
    ['type', { type: ['tea'] }, 0.6],
    ['metadata', { metadata: ['tea'] }, 0.8],
  ])('a word of the %s counts %s as %d', (_, fields, weight) => {
    expect(inFields('tea ada', fields)).toEqual([weight, 0])
  })

  test('a word counts once, in its best field', () => {
    expect(inFields('tea', { type: ['tea'], metadata: ['tea'], name: ['tea', 'tea'] })).toEqual([1])
  })

  test('nothing counts without fields', () => {
    expect([...countWordsOf(wordsOf('tea ada')).inFields(1, undefined)]).toEqual([0, 0])
  })
})
