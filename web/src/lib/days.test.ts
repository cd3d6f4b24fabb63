import { afterEach, expect, test, vi } from 'vitest'
import { dayAgo, momentsOf } from './days.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

test("days begin and end in the reader's calendar, also those of 23 hours", () => {
  vi.stubEnv('TZ', 'America/New_York')
  expect(momentsOf({ after: '2026-03-08', before: '2026-03-08' })).toEqual({
    begin: '2026-03-08T05:00:00.000Z',
    end: '2026-03-09T04:00:00.000Z',
  })
  vi.useFakeTimers({ now: Date.UTC(2026, 2, 9, 3) })
  expect([dayAgo(0), dayAgo(6)]).toEqual(['2026-03-08', '2026-03-02'])
})

test('what is no day bounds nothing', () => {
  expect(momentsOf({ after: 'yesterday', before: undefined })).toEqual({ begin: undefined, end: undefined })
})
