import { expect, test } from 'vitest'
import { type Side, weighPair } from './weigh-pair.rules.ts'

const side = (id: number, name: string, more: Partial<Side> = {}): Side => ({
  id,
  name,
  type: 'person',
  facts: [],
  relations: [],
  ...more,
})
const ada = (more: Partial<Side> = {}) => side(1, 'Ada', more)
const lovelace = (more: Partial<Side> = {}) => side(2, 'Ada Lovelace', more)
const weigh = (one: Side, other: Side, degree = 2) =>
  weighPair(one, other, new Map([[9, { name: 'Engine', degree }]]))!
const alone = weigh(ada(), lovelace()).score
const knows = (neighbour: number, type = 'knows') => ({ relations: [{ neighbour, type }] })

test('a shared neighbour counts, a hub counts less', () => {
  const few = weigh(ada(knows(9)), lovelace(knows(9)))
  const hub = weigh(ada(knows(9)), lovelace(knows(9)), 10_000)
  expect(few.score).toBeGreaterThan(hub.score)
  expect(hub.score).toBeGreaterThan(alone)
  expect(few.reasons.at(-1)).toEqual({ kind: 'neighbours', text: 'Both are related to Engine' })
})

test('a relation between the two means that they differ, unless it says that they are the same', () => {
  expect(weigh(ada(knows(2)), lovelace()).score).toBeLessThan(alone)
  expect(weigh(ada(knows(2, 'same_as')), lovelace()).score).toBeGreaterThan(alone)
  const countess = side(3, 'Countess')
  expect(weighPair(ada(knows(3)), countess, new Map())).toBeUndefined()
  expect(weigh(ada(knows(3, 'also_known_as')), countess)).toEqual({
    score: 0.7,
    reasons: [
      { kind: 'type', text: 'Both are of the type person' },
      { kind: 'relation', text: 'A relation of the type also_known_as connects them' },
    ],
  })
})

test('facts that say the same count, whatever the names in them', () => {
  const one = ada({ facts: ['Ada wrote the first program in 1843'] })
  const other = lovelace({ facts: ['Lovelace wrote the first program in 1843'] })
  expect(weigh(one, other).reasons.at(-1)?.text).toBe('Both say "Ada wrote the first program in 1843"')
  const another = lovelace({ facts: ['Lovelace met Babbage at a party'] })
  expect(weigh(one, another).score).toBe(alone)
})

test('a fact that mentions the other name counts', () => {
  const fund = side(1, 'International Monetary Fund', { facts: ['Also known as the IMF'] })
  const { reasons } = weigh(fund, side(2, 'IMF'))
  expect(reasons.at(-1)?.text).toBe('A fact says "Also known as the IMF"')
})

test('a different type counts against it', () => {
  expect(weigh(ada({ type: 'ship' }), lovelace()).score).toBeLessThan(alone)
})

test('however much speaks for it, nothing is certain', () => {
  const facts = Array.from({ length: 9 }, (_, i) => `wrote letter number ${i} to Charles in autumn`)
  const relations = [9, 10, 11, 12].map((neighbour) => ({ neighbour, type: 'knows' }))
  const many = new Map([9, 10, 11, 12].map((id) => [id, { name: `Friend ${id}`, degree: 1 }]))
  const one = side(1, 'Ada Lovelace', { facts, relations: [...relations, ...knows(2, 'same_as').relations] })
  const { score, reasons } = weighPair(one, side(2, 'ada lovelace', { facts, relations }), many)!
  expect(score).toBe(0.99)
  expect(reasons.map(({ kind }) => kind)).toEqual(['name', 'type', 'relation', 'neighbours', 'wording'])
  expect(reasons[3]?.text).toBe('Both are related to Friend 9, Friend 10, Friend 11 and 1 more')
  expect(reasons[4]?.text).toContain('and 8 more')
})

test('a neighbour is not shared if it is one of the two, nor if only one has it', () => {
  const known = new Map([1, 2, 8, 9].map((id) => [id, { name: `Thing ${id}`, degree: 2 }]))
  const kinds = (one: Partial<Side>, other: Partial<Side>) =>
    weighPair(ada(one), lovelace(other), known)!.reasons.map(({ kind }) => kind)
  expect(kinds(knows(1), knows(1))).not.toContain('neighbours')
  expect(kinds(knows(9), knows(8))).not.toContain('neighbours')
  expect(kinds(knows(9), knows(9))).toContain('neighbours')
})

test.each([
  ['Short for Advanced Data Archive', true],
  ['Formerly called ADVANCED data archive', true],
  ['a.k.a. “Advanced-Data Archive”', true],
  ['It is an advanced archive of data', false],
  ['Known as a fine archive. Nobody knows who made Advanced Data Archive', false],
  ['Unknown as yet; Advanced Data Archive may say', false],
])('the fact %j gives the other name: %s', (fact, gives) => {
  const { reasons } = weigh(side(1, 'ADA', { facts: [fact] }), side(2, 'Advanced Data Archive'))
  expect(reasons.some(({ text }) => text.startsWith('A fact says'))).toBe(gives)
})

test('facts of a few words, and very long ones, are no evidence by themselves', () => {
  const same = (fact: string) => weigh(ada({ facts: [fact] }), lovelace({ facts: [fact] })).reasons.at(-1)
  expect(same('likes tea')?.kind).toBe('type')
  expect(same('likes strong black tea')?.kind).toBe('wording')
  expect(same(`${'word '.repeat(3_000)}end`)?.kind).toBe('type')
  const cut = same(`she said ${'🧠'.repeat(200)} at length`)
  expect(cut?.text.isWellFormed()).toBe(true)
  expect(cut?.text.length).toBeLessThan(200)
})
