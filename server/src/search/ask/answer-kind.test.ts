import { describe, expect, test } from 'vitest'
import { analyse } from '../analyse/analyser.ts'
import { readAnswerKind, tellsKind, termsOfKind } from './question.ts'
import { fitsTime } from './question-times.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const termsOf = (text: string) =>
  analyse(text)
    .tokens.map(({ term }) => term)
    .join(' ')

test.each([
  ['When did Ada move?', 'time'],
  ['WHAT YEAR was it', 'time'],
  ['since when does she live there', 'time'],
  ['which day is the launch', 'time'],
  ['How many servers do we run?', 'number'],
  ['how old is Bob', 'number'],
  ['How far is Porto', 'number'],
  ['when and how many', 'time'],
  ['whenever it rains', undefined],
  ['somewhen', undefined],
  ['how is Bob', undefined],
  ['who is Bob', undefined],
  ['', undefined],
  [`${'x'.repeat(1_000)} when`, undefined],
])('%j asks for: %s', (query, kind) => expect(readAnswerKind(query)).toBe(kind))

test.each([
  ['time', 'She moved in March', true],
  ['time', 'The launch was last Tuesday', true],
  ['time', 'We met three days ago', true],
  ['time', 'Built in 1843', true],
  ['time', 'She likes tea', false],
  ['number', 'There are twelve servers', true],
  ['number', 'It has 12 servers', true],
  ['number', 'A couple of them', true],
  ['number', 'She likes tea', false],
] as const)('a %s is told by %j: %s', (kind, text, tells) => {
  expect(tellsKind(kind, termsOf(text))).toBe(tells)
})

test('the words of a kind are stems, each of which tells it', () => {
  for (const kind of ['time', 'number'] as const) {
    for (const term of termsOfKind(kind)) expect([term, tellsKind(kind, `x ${term} y`)]).toEqual([term, true])
    expect(tellsKind(kind, 'todays onest')).toBe(false)
  }
})

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
