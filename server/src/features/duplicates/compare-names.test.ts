import { expect, test } from 'vitest'
import { compareNames } from './compare-names.rules.ts'

const scoreOf = (one: string, other: string, type: string) =>
  compareNames({ name: one, type }, { name: other, type })?.score ?? 0

/** Proposed if the types match, without further evidence. */
const enough = 0.55

test.each([
  ['checkout-service', 'CheckoutService', 'service'],
  ['İzmir', 'Izmir', 'city'],
  ['U.S. Navy', 'United States Navy', 'organisation'],
  ['Tesla, Inc.', 'Tesla', 'company'],
  ['Waddam’s Grove', 'waddams grove', 'place'],
  ['Tukaram Gangadhar Gadakh', 'Gadakh Tukaram Gangadhar', 'person'],
  ['Murtala Mohammed Airport', 'Murtala Muhammed Airport', 'place'],
  ['Dick Gephardt', 'Richard Gephardt', 'person'],
  ['Emil Fischer', 'Emil B. Fischer', 'person'],
  ['NATO', 'North Atlantic Treaty Organization', 'organisation'],
  ['Loci', 'Loci project', 'project'],
  ['デジタルカメラ', 'でじたるかめら', 'thing'],
])('%s and %s may be one', (one, other, type) => {
  expect(scoreOf(one, other, type)).toBeGreaterThanOrEqual(enough)
  expect(scoreOf(other, one, type)).toBe(scoreOf(one, other, type))
})

test.each([
  ['Release 12', 'Release 13', 'event'],
  ['Elizabeth I', 'Elizabeth II', 'person'],
  ['Joseph Smith', 'Joseph Smith Sr.', 'person'],
  ['Nigeria', 'Nigerian', 'country'],
  ['Austria', 'Australia', 'country'],
  ['Maria Miller', 'Mario Miller', 'person'],
  ['Ada', 'Ada Lovelace', 'person'],
  ['Team A', 'Team B', 'team'],
  ['U.S. Navy', 'Union Navy', 'organisation'],
  ['CIA', 'Chennai International Airport', 'organisation'],
  ['Mr. Olympia', 'Olympia', 'event'],
  ['Vienna to Prague', 'Prague to Vienna', 'route'],
  ['!!!', '???', 'band'],
])('%s and %s are two without further evidence', (one, other, type) => {
  expect(scoreOf(one, other, type)).toBeLessThan(enough)
  expect(scoreOf(other, one, type)).toBe(scoreOf(one, other, type))
})

test('a name that is an alias of the other says so', () => {
  const [one, other] = [
    { name: 'Robert', type: 'person', aliases: ['Bobby', 'Big B'] },
    { name: 'big b', type: 'person' },
  ]
  expect(compareNames(one, other)).toMatchObject({ score: 0.95, isAlias: true })
})
