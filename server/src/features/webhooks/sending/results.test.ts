import { describe, expect, test } from 'vitest'
import type { StoredDelivery } from '../deliveries.repo.ts'
import type { Posted } from './post.ts'
import { afterAttempt, isEmpty, noResults, noteHealth, waitsForRecovery } from './results.ts'
import { isGone, isSuccess, isUnwell, nextAttemptAfter } from './retries.rules.ts'
import type { Target } from './targets.repo.ts'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const start = Date.parse('2026-11-23T12:00:00Z')
const delivery = (more: Partial<StoredDelivery> = {}) =>
  ({
    event: 'entity.created',
    tries: 0,
    attempts: [],
    answer: null,
    status: 'pending',
    ...more,
  }) as StoredDelivery
const posted = (statusCode: number | null, more: Partial<Posted> = {}): Posted => ({
  ...{
    at: start,
    statusCode,
    ms: 12,
    answer: null,
    error: isSuccess(statusCode) ? undefined : 'failed',
    ...more,
  },
})
const endedAt = start + 300

describe('retries', () => {
  test('end after the tenth attempt, and a test event has only one', () => {
    expect(nextAttemptAfter('entity.created', 10, start)).toBeNull()
    expect(nextAttemptAfter('webhook.test', 1, start)).toBeNull()
  })

  test('before the scheduled time do not count, and leave the schedule as it was', () => {
    const failed = afterAttempt(
      afterAttempt(delivery(), posted(500), start),
      posted(500, { at: start + 5_001 }),
      start + 5_002,
    )
    const early = afterAttempt(failed, posted(500, { at: start + minuteMs }), start + minuteMs)
    expect(failed.attempts.map(({ early }) => early)).toEqual([undefined, undefined])
    expect(early).toMatchObject({ tries: 2, nextAttemptAt: start + 5_001 + 5 * minuteMs })
    expect([failed, early].map(waitsForRecovery)).toEqual([true, false])
    expect(waitsForRecovery(afterAttempt(delivery(), posted(400), start))).toBe(false)
  })
})

test.each([
  [200, { ok: true, gone: false, unwell: false }],
  [204, { ok: true, gone: false, unwell: false }],
  [299, { ok: true, gone: false, unwell: false }],
  [199, { ok: false, gone: false, unwell: false }],
  [301, { ok: false, gone: false, unwell: false }],
  [400, { ok: false, gone: false, unwell: false }],
  [404, { ok: false, gone: false, unwell: false }],
  [408, { ok: false, gone: false, unwell: true }],
  [410, { ok: false, gone: true, unwell: false }],
  [429, { ok: false, gone: false, unwell: true }],
  [500, { ok: false, gone: false, unwell: true }],
  [599, { ok: false, gone: false, unwell: true }],
  [null, { ok: false, gone: false, unwell: true }],
])('an answer of %s means %j', (status, meaning) => {
  expect({ ok: isSuccess(status), gone: isGone(status), unwell: isUnwell(status) }).toEqual(meaning)
})

describe('a delivery after an attempt', () => {
  test('that succeeded is delivered, and keeps the attempt and the answer', () => {
    expect(afterAttempt(delivery(), posted(202, { answer: 'ok' }), endedAt)).toMatchObject({
      status: 'delivered',
      tries: 1,
      nextAttemptAt: null,
      answer: 'ok',
      attempts: [{ at: '2026-11-23T12:00:00.000Z', statusCode: 202, ms: 12 }],
    })
  })

  test('that failed waits from the end of the attempt on, and says why it failed', () => {
    const after = afterAttempt(delivery(), posted(null), start + 20_000)
    expect(after).toMatchObject({ status: 'pending', nextAttemptAt: start + 25_000 })
    expect(after.attempts[0]).toMatchObject({ statusCode: null, error: 'failed' })
  })

  test('without an answer keeps the answer before', () => {
    expect(afterAttempt(delivery({ answer: 'busy' }), posted(null), endedAt).answer).toBe('busy')
    expect(afterAttempt(delivery({ answer: 'busy' }), posted(200, { answer: '' }), endedAt).answer).toBe('')
  })

  test('keeps the last twenty attempts and counts them all', () => {
    const attempts = Array.from({ length: 20 }, (_, i) => ({ at: 'earlier', statusCode: 500, ms: i }))
    const after = afterAttempt(delivery({ attempts, tries: 33 }), posted(200), endedAt)
    expect(after.attempts).toHaveLength(20)
    expect(after.attempts.map(({ ms }) => ms)).toEqual([...attempts.slice(1).map(({ ms }) => ms), 12])
    expect(after.tries).toBe(34)
  })

  test('is made anew; the delivery before stays as it was', () => {
    const before = delivery()
    afterAttempt(before, posted(200), endedAt)
    expect(before).toEqual(delivery())
  })
})

describe('the health of an endpoint', () => {
  const results = (failingSince: number | null = null) => noResults({ failingSince } as Target)
  const after = (failingSince: number | null, status: number | null, when = start) => {
    const noted = results(failingSince)
    noteHealth(noted, posted(status, { at: when }))
    return noted
  }

  test('is good after a success, however long it failed before', () => {
    expect(after(start - 9 * dayMs, 200)).toMatchObject({
      ...{ succeededAt: start, failingSince: null, disable: null },
    })
  })

  test('is bad since the first failure', () => {
    expect(after(null, 500)).toMatchObject({ failingSince: start, disable: null, succeededAt: null })
    expect(after(start - hourMs, 404)).toMatchObject({ failingSince: start - hourMs, disable: null })
  })

  test('is given up after five days of failures, not a moment earlier', () => {
    expect(after(start - 5 * dayMs + 1, 500).disable).toBeNull()
    expect(after(start - 5 * dayMs, 500).disable).toBe('failing')
  })

  test('is given up at once where nothing is wanted any more', () => {
    expect(after(null, 410).disable).toBe('gone')
    expect(after(start - 6 * dayMs, 410).disable).toBe('gone')
  })
})

test('results are empty until something is to be stored', () => {
  const results = noResults({ failingSince: null } as Target)
  expect(isEmpty(results)).toBe(true)
  expect(isEmpty({ ...results, added: [delivery()] })).toBe(false)
  expect(isEmpty({ ...results, tried: [{ delivery: delivery(), dueAt: null }] })).toBe(false)
  expect(isEmpty({ ...results, cursors: new Map([[1, 5]]) })).toBe(false)
})
