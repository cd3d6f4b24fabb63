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

test('a shared neighbour counts, a hub less', () => {
  const few = weigh(ada(knows(9)), lovelace(knows(9)))
  const hub = weigh(ada(knows(9)), lovelace(knows(9)), 10_000)
  expect(few.score).toBeGreaterThan(hub.score)
  expect(hub.score).toBeGreaterThan(alone)
  expect(few.reasons.at(-1)).toEqual({ kind: 'neighbours', text: 'Both are related to Engine' })
})

test('a relation between the two says that they are two, unless it says that they are one', () => {
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

test('a fact that gives the other name counts', () => {
  const fund = side(1, 'International Monetary Fund', { facts: ['Also known as the IMF'] })
  const { reasons } = weigh(fund, side(2, 'IMF'))
  expect(reasons.at(-1)?.text).toBe('A fact says "Also known as the IMF"')
})

test('another type counts against it', () => {
  expect(weigh(ada({ type: 'ship' }), lovelace()).score).toBeLessThan(alone)
})
