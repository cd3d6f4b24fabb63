import type { MonthlySummary, OperationCounts, OperationType } from '@loci/contract/analytics'
import type { OperationCount } from '../../tenancy/usage/usage.repo.ts'

/** Sums by operation type. */
export function sumByType(counts: readonly OperationCount[]): OperationCounts {
  const requestsOf = (type: OperationType) =>
    sum(counts.filter((count) => count.operation === type).map((count) => count.requests))
  return {
    queries: requestsOf('query'),
    creates: requestsOf('create'),
    updates: requestsOf('update'),
    deletes: requestsOf('delete'),
    total: sum(counts.map((count) => count.requests)),
  }
}

/** Sums the days: one detail per operation and resource, the most requested first. */
export function toMonthlySummary(counts: readonly OperationCount[]): MonthlySummary {
  const { total, ...breakdown } = sumByType(counts)
  const groups = Map.groupBy(counts, (count) => `${count.operation} ${count.resource}`)
  const details = [...groups.values()].map((group) => {
    const requests = sum(group.map((count) => count.requests))
    return {
      operation_type: group[0]!.operation,
      resource_type: group[0]!.resource,
      avg_response_time: toMilliseconds(sum(group.map((count) => count.responseUs)) / requests),
      request_count: requests,
    }
  })
  return {
    totalRequests: total,
    breakdown,
    details: details.sort((a, b) => b.request_count - a.request_count),
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

/** Microseconds to milliseconds with two decimals. */
const toMilliseconds = (microseconds: number) => Math.round(microseconds / 10) / 100
