import { expect, test } from 'vitest'
import type { OperationCount } from '../../tenancy/usage/usage.repo.ts'
import { sumByType, toMonthlySummary } from './analytics.rules.ts'

const count = (operation: OperationCount['operation'], resource: string, requests: number, responseUs = 0) =>
  ({ accountId: 1, day: '2026-11-23', operation, resource, requests, responseUs }) as OperationCount

test('sums are by type, and the total holds them all', () => {
  const counts = [
    count('query', 'entity', 5),
    count('query', 'graph', 2),
    count('create', 'entity', 3),
    count('delete', 'relation', 1),
  ]
  expect(sumByType(counts)).toEqual({ queries: 7, creates: 3, updates: 0, deletes: 1, total: 11 })
})

test('nothing counted is nothing', () => {
  expect(toMonthlySummary([])).toEqual({
    totalRequests: 0,
    breakdown: { queries: 0, creates: 0, updates: 0, deletes: 0 },
    details: [],
  })
})

test('days of the same operation are one detail, with the mean of all its calls', () => {
  const { details } = toMonthlySummary([
    count('query', 'entity', 1, 10_000),
    { ...count('query', 'entity', 3, 2_000), day: '2026-11-24' },
    count('create', 'entity', 9, 9_000),
    count('query', 'relation', 4, 50),
  ])
  expect(details).toEqual([
    { operation_type: 'create', resource_type: 'entity', request_count: 9, avg_response_time: 1 },
    { operation_type: 'query', resource_type: 'entity', request_count: 4, avg_response_time: 3 },
    { operation_type: 'query', resource_type: 'relation', request_count: 4, avg_response_time: 0.01 },
  ])
})

test('times are in milliseconds, to a hundredth', () => {
  const meanOf = (requests: number, us: number) =>
    toMonthlySummary([count('query', 'entity', requests, us)]).details[0]?.avg_response_time
  expect(meanOf(3, 10_000)).toBe(3.33)
  expect(meanOf(1, 4)).toBe(0)
  expect(meanOf(1, 5)).toBe(0.01)
  expect(meanOf(1_000_000_000, 1_000_000_000_000)).toBe(1)
})
