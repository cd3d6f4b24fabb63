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
  rows.map((row) => (row.kind !== 'observation' ? row.kind : row.isLast ? `${row.key}.` : row.key))

describe('the timeline', () => {
  test('groups by day, newest or oldest first', () => {
    expect(keys(toTimeline(observations, { order: 'newest' }))).toEqual(['day', 'c', 'b.', 'day', 'a.'])
    expect(keys(toTimeline(observations, { order: 'oldest' }))).toEqual(['day', 'a.', 'day', 'b', 'c.'])
    expect(toTimeline([], { order: 'newest' })).toEqual([])
  })

  test('groups by the year in which facts began, with what they replaced; longer chains are folded', () => {
    const [a, b, c] = observations.map((one, place) => ({
      ...one,
      at: ['2024', '2025-03', '2026-02-01'][place]!,
    }))
    const chain = [{ ...a!, replacedBy: 'b' }, { ...b!, replacedBy: 'c' }, c!]
    const other = { ...a!, id: 'd', at: '2025' }
    const rows = toTimeline([...chain, other], { order: 'newest' })
    expect(keys(rows)).toEqual(['year', 'c', 'b.', 'year', 'd.'])
    expect(rows[2]).toMatchObject({ before: { top: 'c', by: { id: 'c' }, folded: 1 } })
    const unfolded = new Set(['c'])
    expect(keys(toTimeline(chain, { order: 'newest', unfolded }))).toEqual(['year', 'c', 'b', 'a.'])
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
