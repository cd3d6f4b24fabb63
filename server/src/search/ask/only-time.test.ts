import { describe, expect, test } from 'vitest'
import { readOnlyTime } from './question-times.ts'

/** A Wednesday. */
const now = Date.UTC(2026, 10, 18, 15, 30)
const daysOf = (query: string) =>
  readOnlyTime(query, now)?.map(({ from, to }) =>
    [from, to].map((at) => new Date(at).toISOString().slice(0, 10)),
  )

describe('a question about nothing but a time', () => {
  test.each([
    ['what happened yesterday?', '2026-11-17', '2026-11-18'],
    ['yesterday', '2026-11-17', '2026-11-18'],
    ['What did we do on Monday', '2026-11-16', '2026-11-17'],
    ['Was haben wir gestern gemacht?', '2026-11-17', '2026-11-18'],
    ['what was stored in May 2024', '2024-05-01', '2024-06-01'],
  ])('%j covers %s to %s', (query, from, to) => {
    expect(daysOf(query)).toEqual([[from, to]])
  })

  test.each(["what's new?", 'any news', 'latest updates', 'Was gibt es Neues?'])(
    'of news, %j, covers two weeks up to now',
    (query) => {
      expect(readOnlyTime(query, now)).toEqual([{ from: now - 14 * 86_400_000, to: now + 1 }])
    },
  )
})

test.each([
  ['has a subject', 'what did Ada do yesterday'],
  ['has a subject and asks for news', 'news about Ada'],
  ['names no time', 'what did we do'],
  ['is a season, which is a word to search for', 'summer'],
  ['mixes languages', 'what passiert tea yesterday'],
])('a question that %s is no question about a time only: %s', (_, query) => {
  expect(readOnlyTime(query, now)).toBeUndefined()
})
