// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '../../../test/screen.tsx'
import { serve } from '../../../test/server-double.ts'
import { UsageDays } from './usage-days.tsx'

const dayWith = (day: string, total: number) => ({
  ...{ day, total, queries: total },
  ...{ creates: 0, updates: 0, deletes: 0 },
})

test('names the busiest day, and tells each day in words', async () => {
  serve({
    usageDays: {
      days: [dayWith('2026-11-23', 4), dayWith('2026-11-24', 0), dayWith('2026-11-25', 1_200)],
    },
  })
  await show(<UsageDays />)
  expect(await screen.findByText(/Last 3 days. Most on .*: 1,200/)).toBeTruthy()
  const bars = within(screen.getByRole('list')).getAllByRole('listitem')
  expect(bars.map(({ textContent }) => textContent?.split(': ')[1])).toEqual([
    '4 operations',
    '0 operations',
    '1,200 operations',
  ])
  expect(bars[2]!.querySelector('span')!.style.height).toBe('100%')
})

test.each([
  [[], 'None yet'],
  [[dayWith('2026-11-25', 0)], 'None in the last day'],
  [[dayWith('2026-11-24', 0), dayWith('2026-11-25', 0)], 'None in the last 2 days'],
])('%j: %s', async (days, words) => {
  serve({ usageDays: { days } })
  await show(<UsageDays />)
  expect(await screen.findByText(words)).toBeTruthy()
})
