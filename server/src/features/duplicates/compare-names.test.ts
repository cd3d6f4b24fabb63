import { expect, test } from 'vitest'
import { compareNames } from './compare-names.rules.ts'
import { keysOf } from './name-keys.rules.ts'
import { readName } from './read-name.rules.ts'

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
  ['JRR Tolkien', 'J. R. R. Tolkien', 'person'],
  ['J.R.R. Tolkien', 'John Ronald Reuel Tolkien', 'person'],
  ['Liz Taylor', 'Elizabeth Taylor', 'person'],
  ['The Who', 'Who', 'band'],
  ['Acme GmbH', 'Acme', 'company'],
  ['van Gogh', 'Vincent van Gogh', 'person'],
  ['user_service', 'user_services', 'service'],
  ['Straße', 'STRASSE', 'place'],
  ['Γιώργος', 'ΓΙΩΡΓΟΣ', 'person'],
  ['C++ compiler', 'c++ Compiler', 'tool'],
  ['Route 66', 'Route-66', 'road'],
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
  ['C', 'C++', 'language'],
  ['C', 'C#', 'language'],
  ['C++', 'C#', 'language'],
  ['Google', 'Google+', 'product'],
  ['Version 2.1', 'Version 21', 'release'],
  ['World War I', 'World War II', 'event'],
  ['server-1', 'server-2', 'machine'],
  ['Alexander', 'Alexandra', 'person'],
  ['North Korea', 'South Korea', 'country'],
  ['Upload', 'Download', 'action'],
  ['us', 'United States', 'country'],
  ['👍', '👎', 'reaction'],
  [`${'a'.repeat(499)}b`, `${'a'.repeat(499)}c`, 'thing'],
])('%s and %s are two without further evidence', (one, other, type) => {
  expect(scoreOf(one, other, type)).toBeLessThan(enough)
  expect(scoreOf(other, one, type)).toBe(scoreOf(one, other, type))
})

test.each([
  ['C++', 'C++', '++'],
  ['C#', 'c# ', '#'],
  ['C', 'c', ''],
  ['Ctrl+C', 'ctrl c', ''],
  ['#general', 'general', ''],
  ['Release 12', 'release-12', '12'],
  ['Elizabeth II', 'elizabeth ii', 'ii'],
])('%s and %s have the same marks: %s', (one, other, marks) => {
  expect([readName(one).marks, readName(other).marks]).toEqual([marks, marks])
})

test('names that may be one share a key, so that they are compared at all', () => {
  const shares = (one: string, other: string) => {
    const [a, b] = [one, other].map((name) => Object.values(keysOf(name)).flat())
    return a!.some((key) => b!.includes(key))
  }
  for (const [one, other] of [
    ['checkout-service', 'CheckoutService'],
    ['Tukaram Gangadhar Gadakh', 'Gadakh Tukaram Gangadhar'],
    ['Murtala Mohammed Airport', 'Murtala Muhammed Airport'],
    ['Dick Gephardt', 'Richard Gephardt'],
    ['NATO', 'North Atlantic Treaty Organization'],
    ['J. Smith', 'John Smith'],
    ['Kubernetes', 'Kuberntes'],
  ] as const) {
    expect([one, shares(one, other)]).toEqual([one, true])
  }
  expect(shares('Ada Lovelace', 'Grace Hopper')).toBe(false)
  expect(shares('Release 12', 'Release 13')).toBe(true)
  expect(keysOf('???')).toEqual({ close: [], loose: [] })
})

test('a name that is an alias of the other says so', () => {
  const [one, other] = [
    { name: 'Robert', type: 'person', aliases: ['Bobby', 'Big B'] },
    { name: 'big b', type: 'person' },
  ]
  expect(compareNames(one, other)).toMatchObject({ score: 0.95, isAlias: true })
})

test('the strongest of names and aliases counts, and the reason quotes both', () => {
  const one = { name: 'GitHub', type: 'company', aliases: ['Octocat Inc', 'GH'] }
  const other = { name: 'Hub', type: 'company', aliases: ['octocat'] }
  expect(compareNames(one, other)).toEqual({
    score: 0.9,
    isAlias: true,
    reason: 'The names differ only in a title or an article ("Octocat Inc", "octocat")',
  })
  expect(compareNames(other, one)?.score).toBe(0.9)
})

test('a very long alias is cut in the reason, never within a character', () => {
  const long = `${'x'.repeat(78)}🧠${'y'.repeat(400)}`
  const reason = compareNames(
    { name: 'A b', type: 't', aliases: [long] },
    { name: long.toUpperCase(), type: 't' },
  )!.reason
  expect(reason.isWellFormed()).toBe(true)
  expect(reason.length).toBeLessThan(250)
})
