import { afterEach, expect, test, vi } from 'vitest'
import { dayAgo, momentsOf } from './days.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

test("days begin and end in the reader's calendar, also those of 23 hours", () => {
  vi.stubEnv('TZ', 'America/New_York')
  expect(momentsOf({ after: '2026-03-08', before: '2026-03-08' })).toEqual({
    begin: '2026-03-08T00:00:00.000-05:00',
    end: '2026-03-09T00:00:00.000-04:00',
  })
  vi.useFakeTimers({ now: Date.UTC(2026, 2, 9, 3) })
  expect([dayAgo(0), dayAgo(6)]).toEqual(['2026-03-08', '2026-03-02'])
})

test('days say how far their calendar is from UTC', () => {
  vi.stubEnv('TZ', 'Asia/Kathmandu')
  expect(momentsOf({ after: '2026-02-10' }).begin).toBe('2026-02-10T00:00:00.000+05:45')
  vi.stubEnv('TZ', 'UTC')
  expect(momentsOf({ after: '2026-02-10' }).begin).toBe('2026-02-10T00:00:00.000+00:00')
})

test('what is no day bounds nothing', () => {
  expect(momentsOf({ after: 'yesterday', before: undefined })).toEqual({ begin: undefined, end: undefined })
})
