import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addCallCount,
  type CallCount,
  type CallCounts,
  toAgentCalls,
  toKeyCounts,
  toKeyDays,
  toMonthCounts,
  toOperationCounts,
} from './call-counts.ts'

const tally = (part: Partial<CallCount> = {}): CallCount => ({
  accountId: 7,
  keyId: undefined,
  client: undefined,
  day: '2026-11-20',
  operation: 'query',
  resource: 'entities',
  requests: 1,
  uncounted: 1,
  responseUs: 1_500,
  lastUsedAt: 100,
  ...part,
})

function together(...parts: Partial<CallCount>[]): CallCount[] {
  const tallies: CallCounts = new Map()
  for (const part of parts) addCallCount(tallies, tally(part))
  return [...tallies.values()]
}

describe('tallies', () => {
  test('add up calls of the same kind and keep the time of the latest', () => {
    expect(together({ lastUsedAt: 300 }, { uncounted: 0, responseUs: 500, lastUsedAt: 200 })).toEqual([
      tally({ requests: 2, uncounted: 1, responseUs: 2_000, lastUsedAt: 300 }),
    ])
  })

  test.each<[string, Partial<CallCount>]>([
    ['account', { accountId: 8 }],
    ['key', { keyId: 'key_1' }],
    ['agent', { client: 'claude-code' }],
    ['day', { day: '2026-11-21' }],
    ['operation', { operation: 'create' }],
    ['resource', { resource: 'relations' }],
  ])('of another %s are kept apart', (_, part) => {
    expect(together({}, part)).toHaveLength(2)
  })

  test('of an agent whose name has spaces are not mixed up with those of another', () => {
    const names = ['my agent', 'my', 'agent'].map((client) => ({ client }))
    expect(together(...names)).toHaveLength(3)
  })
})

describe('what is stored of tallies', () => {
  test('operations are counted by account, day, operation and resource, whoever called', () => {
    const counts = toOperationCounts(
      together({ keyId: 'key_1' }, { keyId: 'key_2', responseUs: 500 }, { operation: 'update' }),
    )
    expect(counts).toEqual([
      {
        accountId: 7,
        day: '2026-11-20',
        operation: 'query',
        resource: 'entities',
        requests: 2,
        responseUs: 2_000,
      },
      {
        accountId: 7,
        day: '2026-11-20',
        operation: 'update',
        resource: 'entities',
        requests: 1,
        responseUs: 1_500,
      },
    ])
  })

  test('a month includes what no write has counted yet, and is left out if that is nothing', () => {
    const tallies = together(
      { day: '2026-11-29' },
      { day: '2026-11-30', uncounted: 2 },
      { day: '2026-12-01', uncounted: 0 },
    )
    expect(toMonthCounts(tallies)).toEqual([{ accountId: 7, month: '2026-11', operations: 3 }])
  })

  test('a month ends on its last day, UTC', () => {
    const months = toMonthCounts(together({ day: '2026-12-31' }, { day: '2027-01-01' }))
    expect(months.map(({ month }) => month)).toEqual(['2026-12', '2027-01'])
  })

  test('a key is used once on each of its days, and calls without a key count for none', () => {
    const used = together({ keyId: 'key_1' }, { keyId: 'key_1', operation: 'create' }, {})
    expect(toKeyDays(used)).toEqual([{ accountId: 7, keyId: 'key_1', day: '2026-11-20' }])
  })

  test('a key remembers its latest call, in whatever order the tallies come', () => {
    const late = { keyId: 'key_1', operation: 'create' as const, resource: 'relations', lastUsedAt: 500 }
    const early = { keyId: 'key_1', lastUsedAt: 400 }
    for (const parts of [
      [late, early],
      [early, late],
    ])
      expect(toKeyCounts(together(...parts))).toEqual([
        {
          accountId: 7,
          keyId: 'key_1',
          requests: 2,
          lastUsedAt: 500,
          lastOperation: 'create',
          lastResource: 'relations',
        },
      ])
    expect(toKeyCounts(together({}))).toEqual([])
  })

  test('an agent is counted per day across everything it did, and one without a name not at all', () => {
    const calls = toAgentCalls(
      together(
        { client: 'claude-code', lastUsedAt: 900 },
        { client: 'claude-code', operation: 'update', lastUsedAt: 800 },
        { client: 'cursor' },
        { client: '' },
        {},
      ),
    )
    expect(calls).toEqual([
      { accountId: 7, name: 'claude-code', day: '2026-11-20', calls: 2, lastUsedAt: 900 },
      { accountId: 7, name: 'cursor', day: '2026-11-20', calls: 1, lastUsedAt: 100 },
    ])
  })

  const anyTally = fc.record({
    accountId: fc.integer({ min: 1, max: 3 }),
    keyId: fc.option(fc.constantFrom('key_1', 'key_2'), { nil: undefined }),
    client: fc.option(fc.constantFrom('cursor', 'my agent', ''), { nil: undefined }),
    day: fc.constantFrom('2026-11-30', '2026-12-01'),
    operation: fc.constantFrom<CallCount['operation']>('query', 'create', 'delete'),
    resource: fc.constantFrom('entities', 'relations'),
    requests: fc.integer({ min: 1, max: 9 }),
    uncounted: fc.integer({ min: 0, max: 9 }),
    responseUs: fc.nat(10_000),
    lastUsedAt: fc.nat(10),
  })
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

  test('no call is lost or counted twice on the way', () => {
    fc.assert(
      fc.property(fc.array(anyTally, { maxLength: 20 }), (parts) => {
        const tallies = together(...parts)
        const operations = toOperationCounts(tallies)
        expect(sum(operations.map(({ requests }) => requests))).toBe(sum(parts.map((part) => part.requests)))
        expect(sum(operations.map((count) => count.responseUs))).toBe(
          sum(parts.map((part) => part.responseUs)),
        )
        const months = toMonthCounts(tallies)
        expect(sum(months.map((month) => month.operations))).toBe(sum(parts.map((part) => part.uncounted)))
        const keyed = parts.filter(({ keyId }) => keyId !== undefined)
        expect(sum(toKeyCounts(tallies).map(({ requests }) => requests))).toBe(
          sum(keyed.map(({ requests }) => requests)),
        )
      }),
    )
  })

  test('rows come in the same order however the calls came, so that processes do not deadlock', () => {
    fc.assert(
      fc.property(fc.array(anyTally, { maxLength: 12 }), (parts) => {
        const keysOf = (some: typeof parts) => {
          const tallies = together(...some)
          return [
            toOperationCounts(tallies).map(({ requests: _, responseUs: __, ...key }) => key),
            toMonthCounts(tallies).map(({ month, accountId }) => ({ month, accountId })),
            toKeyDays(tallies),
            toKeyCounts(tallies).map(({ accountId, keyId }) => ({ accountId, keyId })),
            toAgentCalls(tallies).map(({ accountId, day, name }) => ({ accountId, day, name })),
          ]
        }
        expect(keysOf(parts.toReversed())).toEqual(keysOf(parts))
      }),
    )
  })
})
