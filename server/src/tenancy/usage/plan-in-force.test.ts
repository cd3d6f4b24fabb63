import type { Operation } from '@loci/contract/endpoint'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../ground/config/config.ts'
import {
  isLimited,
  limitsInForce,
  lowestOperationsMax,
  operationsLimitReached,
  operationsMaxOf,
  planInForce,
  wayOut,
} from './plan-in-force.ts'

const configOf = (billing: 'off' | 'sandbox' | 'stripe') => ({
  ...readConfig({ LOCI_PUBLIC_URL: 'http://loci.test' }),
  billing,
})

describe('the monthly limit', () => {
  const operation = (requires: Operation['requires'], type: Operation['type']): Operation => ({
    requires,
    type,
    resource: 'entities',
  })

  test('applies to whatever stores memory', () => {
    expect(isLimited(operation('memory:write', 'create'))).toBe(true)
    expect(isLimited(operation('memory:write', 'update'))).toBe(true)
  })

  test.each([
    ['deleting', operation('memory:write', 'delete')],
    ['reading', operation('memory:read', 'query')],
    ['changing keys', operation('session', 'create')],
    ['what needs no right', operation('credential', 'update')],
  ])('does not hold for %s, so that nobody is locked out', (_, free) => {
    expect(isLimited(free)).toBe(false)
  })

  test('is that of the plan, monthly or yearly', () => {
    expect(operationsMaxOf('free')).toBe(15_000)
    expect(operationsMaxOf('pro')).toBe(1_000_000)
    expect(operationsMaxOf('pro-annual')).toBe(1_000_000)
  })

  test('does not exist on a plan without limits', () => {
    expect(operationsMaxOf('self-hosted')).toBe(Number.POSITIVE_INFINITY)
  })

  test('is that of the free plan for an unknown plan', () => {
    expect(operationsMaxOf('platinum')).toBe(operationsMaxOf('free'))
  })

  test('is on no plan below the limit that needs no look at the plan', () => {
    for (const plan of ['free', 'starter', 'pro', 'power-user', 'team', 'self-hosted', 'unknown'])
      expect(operationsMaxOf(plan)).toBeGreaterThanOrEqual(lowestOperationsMax)
  })
})

describe('the refusal at the monthly limit', () => {
  const refuse = (now: string, plan = 'free', billing: 'sandbox' | 'stripe' = 'stripe') =>
    operationsLimitReached(configOf(billing), Date.parse(now), plan)

  test('states the limit, that reading works, and where to upgrade', () => {
    const error = refuse('2026-11-20T10:00:00Z')
    expect(error.code).toBe('operations_limit_reached')
    expect(error.message).toBe(
      'Your plan allows 15,000 operations a month. Reading still works. ' +
        'Upgrade at http://loci.test/billing to store more before the month ends.',
    )
    expect(error.details).toEqual([{ limit: 15_000, used: 15_000, plan: 'free' }])
  })

  test.each([
    ['2026-11-30T23:59:59.000Z', 1],
    ['2026-11-30T23:59:58.999Z', 2],
    ['2026-12-31T23:59:00.000Z', 60],
    ['2028-02-29T00:00:00.000Z', 86_400],
    ['2027-02-01T00:00:00.000Z', 28 * 86_400],
  ])('at %s says to try again in %i seconds, when the month has ended', (now, seconds) => {
    const { retryAfter, rateLimit } = refuse(now)
    expect(retryAfter).toBe(seconds)
    expect(rateLimit).toEqual({ limit: 15_000, remaining: 0, resetSeconds: seconds })
  })
})

describe('the plan in force', () => {
  test("is the account's plan if plans are sold", () => {
    expect(planInForce({ billing: 'stripe' }, 'starter')).toBe('starter')
    expect(limitsInForce({ billing: 'sandbox' }, 'starter').maxEntities).toBe(10_000)
  })

  test('has no limits if billing is off, whatever plan the account once had', () => {
    expect(planInForce({ billing: 'off' }, 'free')).toBe('self-hosted')
    expect(Object.values(limitsInForce({ billing: 'off' }, 'free'))).toEqual(Array(5).fill(-1))
  })

  test('can be lifted by the operator, unless Stripe charges for it', () => {
    const way = (billing: 'sandbox' | 'stripe') => wayOut(configOf(billing), 'add more entities')
    expect(way('stripe')).toBe('Upgrade at http://loci.test/billing to add more entities.')
    expect(way('sandbox')).toBe(
      'Upgrade at http://loci.test/billing to add more entities, or lift the limit with "loci account set-plan" on the server.',
    )
  })
})
