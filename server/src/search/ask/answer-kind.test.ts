import { describe, expect, test } from 'vitest'
import { readAnswerKind, tellsKind } from './answer-kind.ts'
import { fitsTime } from './question-times.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

test.each([
  ['When did Ada move?', 'time'],
  ['WHAT YEAR was it', 'time'],
  ['since when does she live there', 'time'],
  ['which day is the launch', 'time'],
  ['when and how many', 'time'],
  ['How long does a build take?', 'span'],
  ['how often is it deployed', 'rhythm'],
  ['how old is Bob', 'age'],
  ['How many servers do we run?', 'number'],
  ['how much is the rent', 'number'],
  ['How far is Porto', 'number'],
  ['whenever it rains', undefined],
  ['somewhen', undefined],
  ['Why did Bob leave?', 'reason'],
  ['the reasons for the move', 'reason'],
  ['who is Bob', 'name'],
  ['What is the name of the dog?', 'name'],
  ['what is her cat called', 'name'],
  ['Which city did they visit?', 'name'],
  ['who moved when', 'time'],
  ['which one', undefined],
  ['how is Bob', undefined],
  ['', undefined],
  [`${'x'.repeat(1_000)} when`, undefined],
])('%j asks for: %s', (query, kind) => expect(readAnswerKind(query)).toBe(kind))

test.each([
  ['time', 'She moved in March', true],
  ['time', 'The launch was last Tuesday', true],
  ['time', 'We met three days ago', true],
  ['time', 'Built in 1843', true],
  ['time', 'Dinner is served at 18:00', true],
  ['time', '85 refrigerated trucks', false],
  ['time', 'She likes tea', false],
  ['span', 'Tokens expire after 15 minutes', true],
  ['span', 'Takes an hour', true],
  ['span', 'Has lived there since the flood', true],
  ['span', 'A day out in Porto with 15 friends', true],
  ['span', 'Needs version 15', false],
  ['rhythm', 'Leaves every second Tuesday', true],
  ['rhythm', 'Eats twice a day', true],
  ['rhythm', 'Version 10 or newer', false],
  ['age', 'Turned eleven in June', true],
  ['age', 'Born in Lisbon', true],
  ['age', 'Severe nut allergy', false],
  ['number', 'There are twelve servers', true],
  ['number', 'It has 12 servers', true],
  ['number', 'A couple of them', true],
  ['number', 'The rent is €900', true],
  ['number', 'Severe nut allergy', false],
  ['number', 'Someone is often there', false],
  ['reason', 'Left because of the noise', true],
  ['reason', 'Moved to be near her mother', true],
  ['reason', 'Severe nut allergy', false],
] as const)('a %s is told by %j: %s', (kind, text, tells) => expect(tellsKind(kind, text, '')).toBe(tells))

test.each([
  ['We went to see the Alhambra', true],
  ['Her name is (Luna)', true],
  ['Reads "dune" again', true],
  ['We adopted a dog', false],
  ['It rained. Everybody left', false],
  ['Sleeps: Always at noon', false],
  ["A walk with Ada's dog", false],
])('the name that Ada is asked for is told by %j: %s', (text, tells) =>
  expect(tellsKind('name', text, "What is Ada's dog called?")).toBe(tells),
)

describe('how well a moment fits a time', () => {
  const from = Date.parse('2026-11-01')
  const day = { from, to: from + dayMs }
  const year = { from, to: from + 365 * dayMs }

  test.each([
    ['at its beginning', day, 0, 1],
    ['just before it', day, -1, 0],
    ['at its last moment', day, dayMs - 1, 1],
    ['two days after a day', day, 3 * dayMs, Math.exp(-1)],
    ['thirty days after a year', year, 395 * dayMs, Math.exp(-1)],
  ])('%s', (_, span, after, fit) => {
    expect(fitsTime([span], from + after)).toBeCloseTo(fit, 9)
  })

  test('is the best of several times, and nothing without any', () => {
    expect(fitsTime([{ from: 0, to: 1 }, day], from + hourMs)).toBe(1)
    expect(fitsTime([], from)).toBe(0)
  })

  test('fades and never grows again', () => {
    const fits = Array.from({ length: 60 }, (_, days) => fitsTime([day], from + days * dayMs))
    expect(fits).toEqual(fits.toSorted((a, b) => b - a))
  })
})
