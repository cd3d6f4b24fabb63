import type { OperationType } from '@loci/contract/analytics'
import type { AgentCalls } from './agents.repo.ts'
import type { Created } from './created.repo.ts'
import type { KeyCount, KeyDay, MonthCount, OperationCount } from './usage.repo.ts'

/** Calls of one kind by one caller on one day (UTC), counted together. */
export type CallCount = {
  accountId: number
  keyId: string | undefined
  /** The agent's name over MCP, as it reports itself. */
  client: string | undefined
  day: string
  operation: OperationType
  resource: string
  requests: number
  /** How many of them were not counted towards the month by a write. */
  uncounted: number
  /** Sum of the response times, in microseconds. */
  responseUs: number
  lastUsedAt: number
}

export type CallCounts = Map<string, CallCount>

/** Adds to the tally of the same kind, or starts one. */
export function addCallCount(tallies: CallCounts, tally: CallCount): void {
  const { accountId, keyId = '', client = '', day, operation, resource } = tally
  addTo(tallies, `${accountId} ${keyId} ${day} ${operation} ${resource} ${client}`, tally, (sum) => {
    sum.requests += tally.requests
    sum.uncounted += tally.uncounted
    sum.responseUs += tally.responseUs
    sum.lastUsedAt = Math.max(sum.lastUsedAt, tally.lastUsedAt)
  })
}

/** Adds to what was created in the same space on the same day. */
export function addCreated(counts: Map<string, Created>, created: Created): void {
  addTo(counts, `${created.accountId} ${created.spaceId} ${created.day}`, { ...created }, (sum) => {
    sum.entities += created.entities
    sum.relations += created.relations
    sum.observations += created.observations
  })
}

export function toOperationCounts(tallies: Iterable<CallCount>): OperationCount[] {
  const counts = new Map<string, OperationCount>()
  for (const { accountId, day, operation, resource, requests, responseUs } of tallies) {
    const count = { accountId, day, operation, resource, requests, responseUs }
    addTo(counts, `${accountId} ${day} ${operation} ${resource}`, count, (sum) => {
      sum.requests += requests
      sum.responseUs += responseUs
    })
  }
  return inOrder(counts)
}

export function toMonthCounts(tallies: Iterable<CallCount>): MonthCount[] {
  const counts = new Map<string, MonthCount>()
  for (const { accountId, day, uncounted } of tallies) {
    if (uncounted === 0) continue
    const month = day.slice(0, 7)
    addTo(counts, `${accountId} ${month}`, { accountId, month, operations: uncounted }, (sum) => {
      sum.operations += uncounted
    })
  }
  return inOrder(counts)
}

export function toKeyDays(tallies: Iterable<CallCount>): KeyDay[] {
  const days = new Map<string, KeyDay>()
  for (const { accountId, keyId, day } of tallies) {
    if (keyId !== undefined) days.set(`${accountId} ${keyId} ${day}`, { accountId, keyId, day })
  }
  return inOrder(days)
}

export function toKeyCounts(tallies: Iterable<CallCount>): KeyCount[] {
  const counts = new Map<string, KeyCount>()
  for (const { accountId, keyId, requests, lastUsedAt, operation, resource } of tallies) {
    if (keyId === undefined) continue
    const last = { lastUsedAt, lastOperation: operation, lastResource: resource }
    addTo(counts, `${accountId} ${keyId}`, { accountId, keyId, requests, ...last }, (sum) => {
      sum.requests += requests
      if (lastUsedAt >= sum.lastUsedAt) Object.assign(sum, last)
    })
  }
  return inOrder(counts)
}

export function toAgentCalls(tallies: Iterable<CallCount>): AgentCalls[] {
  const agents = new Map<string, AgentCalls>()
  for (const { accountId, client, day, requests, lastUsedAt } of tallies) {
    if (!client) continue
    const calls = { accountId, name: client, day, calls: requests, lastUsedAt }
    addTo(agents, `${accountId} ${day} ${client}`, calls, (sum) => {
      sum.calls += requests
      sum.lastUsedAt = Math.max(sum.lastUsedAt, lastUsedAt)
    })
  }
  return inOrder(agents)
}

function addTo<T>(sums: Map<string, T>, key: string, value: T, add: (sum: T) => void): void {
  const sum = sums.get(key)
  if (sum === undefined) sums.set(key, value)
  else add(sum)
}

/** The same order everywhere, so that processes that store concurrently do not deadlock. */
export function inOrder<T>(counts: ReadonlyMap<string, T>): T[] {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
}
