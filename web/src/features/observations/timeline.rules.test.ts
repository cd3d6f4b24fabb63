import { describe, expect, test } from 'vitest'
import { toTimeline, withEdited, writersOf } from './timeline.rules.ts'

const agent = (client: string) => ({ kind: 'personal_key' as const, id: 'u', name: 'Maya', client })
const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString()
const observations = [
  { id: 'a', content: 'one', createdAt: at(12, 9), by: agent('cursor') },
  { id: 'b', content: 'two', createdAt: at(19, 8), by: agent('claude-code') },
  { id: 'c', content: 'three', createdAt: at(19, 16), by: agent('claude-code') },
]
const keys = (rows: ReturnType<typeof toTimeline>) =>
  rows.map((row) => (row.kind === 'day' ? 'day' : row.isLastOfDay ? `${row.key}.` : row.key))

describe('the timeline', () => {
  test('groups by day, newest or oldest first', () => {
    expect(keys(toTimeline(observations, { order: 'newest' }))).toEqual(['day', 'c', 'b.', 'day', 'a.'])
    expect(keys(toTimeline(observations, { order: 'oldest' }))).toEqual(['day', 'a.', 'day', 'b', 'c.'])
    expect(toTimeline([], { order: 'newest' })).toEqual([])
  })

  test('shows those of one writer', () => {
    expect(writersOf(observations)).toEqual([
      { name: 'claude-code', count: 2 },
      { name: 'cursor', count: 1 },
    ])
    expect(keys(toTimeline(observations, { order: 'newest', writer: 'cursor' }))).toEqual(['day', 'a.'])
  })

  test('keeps an edited observation that is deleted elsewhere', () => {
    const [a, b, c] = observations as [
      (typeof observations)[0],
      (typeof observations)[0],
      (typeof observations)[0],
    ]
    expect(withEdited([a, c], b)).toEqual([a, b, c])
    expect(withEdited([a, b], c)).toEqual([a, b, c])
    expect(withEdited(observations, { ...b, content: 'older' })).toBe(observations)
    expect(withEdited(observations, undefined)).toBe(observations)
  })
})
