import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OperationDetails } from './operation-details.tsx'
import { UsageBreakdown } from './usage-breakdown.tsx'

const textOf = (node: ReactNode) =>
  renderToStaticMarkup(<MantineProvider>{node}</MantineProvider>)
    .replace(/<style.*?<\/style>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

const counts = { queries: 2, creates: 1, updates: 0, deletes: 0, total: 3 }

test('each kind of operation has its share of the total, and a part of the bar if there is any', () => {
  const text = textOf(<UsageBreakdown counts={counts} />)
  expect(text).toContain('Queries 2 67% Creates 1 33% Updates 0 0% Deletes 0 0% Total operations 3 100%')
  const bar = renderToStaticMarkup(<UsageBreakdown counts={counts} />)
  expect(bar.match(/flex-grow/g)).toHaveLength(2)
})

test('no operations do not divide by zero', () => {
  const none = { queries: 0, creates: 0, updates: 0, deletes: 0, total: 0 }
  expect(textOf(<UsageBreakdown counts={none} />)).toContain('Total operations 0 0%')
})

test('the first five details are shown, each with its average in milliseconds', () => {
  const details = Array.from({ length: 6 }, (_, i) => ({
    operation_type: 'query' as const,
    resource_type: `thing${i}`,
    avg_response_time: 12.345,
    request_count: 1_000 + i,
  }))
  const text = textOf(<OperationDetails details={details} />)
  expect(text).toContain('query thing0 12.3 ms 1,000')
  expect(text).toContain('thing4')
  expect(text).not.toContain('thing5')
  expect(textOf(<OperationDetails details={[]} />)).toContain('No operations this month')
})
