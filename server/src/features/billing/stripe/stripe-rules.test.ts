import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import type { Context } from '../../../tenancy/context.ts'
import { isEnding, kindOfChange, prorationDate, requireItem } from './change-plan.ts'
import { noticesAbout } from './stripe-notices.ts'

const prices = { starter: 'price_s', pro: 'price_p', 'pro-annual': 'price_py', 'power-user': 'price_u' }
const ctx = {
  config: { billing: 'stripe', stripe: { prices, secretKey: 'sk_test_1' } },
} as unknown as Context
const [start, end] = [Date.parse('2026-11-01') / 1_000, Date.parse('2026-12-01') / 1_000]
const subscription = (price = 'price_p', more: object = {}) =>
  ({
    ...{ id: 'sub_1', status: 'active', cancel_at: null, cancel_at_period_end: false },
    items: { data: [{ price: { id: price }, current_period_start: start, current_period_end: end }] },
    ...more,
  }) as unknown as Stripe.Subscription

describe('a choice at Stripe', () => {
  test.each([
    ['price_p', 'pro', 'stay'],
    ['price_p', 'power-user', 'upgrade'],
    ['price_p', 'pro-annual', 'upgrade'],
    ['price_py', 'pro', 'later'],
    ['price_p', 'starter', 'later'],
    ['price_unknown', 'starter', 'upgrade'],
  ])('with the price %s of %s means: %s', (price, plan, kind) => {
    expect(kindOfChange(ctx, subscription(price), { plan, priceId: 'price_x' })).toBe(kind)
  })

  test('of no price ends the subscription, also while a payment is overdue', () => {
    const overdue = subscription('price_p', { status: 'past_due' })
    expect(kindOfChange(ctx, overdue, { plan: 'free', priceId: null })).toBe('end')
    expect(kindOfChange(ctx, overdue, { plan: 'pro', priceId: 'price_p' })).toBe('stay')
  })

  test.each(['starter', 'power-user'])('of %s waits until an overdue payment is made', (plan) => {
    const overdue = subscription('price_p', { status: 'past_due' })
    expect(() => kindOfChange(ctx, overdue, { plan, priceId: 'price_x' })).toThrow(
      expect.objectContaining({ code: 'billing_conflict' }),
    )
  })

  test('needs a subscription with an item', () => {
    expect(() => requireItem(subscription('price_p', { items: { data: [] } }))).toThrow(
      expect.objectContaining({ code: 'billing_conflict' }),
    )
  })

  test.each([
    ['2026-11-16T10:00:00.999Z', '2026-11-16T10:00:00Z'],
    ['2026-10-31T23:59:59Z', '2026-11-01T00:00:00Z'],
    ['2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'],
  ])('previewed at %s is prorated from %s', (moment, second) => {
    expect(prorationDate(subscription(), Date.parse(moment))).toBe(Date.parse(second) / 1_000)
  })
})

test.each([
  [{}, false],
  [{ cancel_at_period_end: true }, true],
  [{ cancel_at: end }, true],
])('a subscription with %j ends: %s', (more, ends) => {
  expect(isEnding(subscription('price_p', more))).toBe(ends)
})

describe('notices to the owner', () => {
  const codes = (running: Stripe.Subscription[], current = running[0]) =>
    noticesAbout(ctx, running, current).map(({ code }) => code)

  test('are none if all is well, or if nothing runs', () => {
    expect(codes([subscription()])).toEqual([])
    expect(codes([])).toEqual([])
  })

  test('tell of a second subscription, and how many there are', () => {
    const three = [subscription(), subscription('price_s'), subscription('price_u')]
    expect(codes(three)).toEqual(['two_subscriptions'])
    expect(noticesAbout(ctx, three, three[0])[0]?.message).toContain('3 subscriptions')
  })

  test.each([
    [{ status: 'unpaid' }, ['unpaid']],
    [{ items: { data: [{ price: { id: 'price_other' } }] } }, ['unknown_price']],
    [{ items: { data: [] } }, ['unknown_price']],
    [{ cancel_at: end + 1 }, ['ends_later']],
    [{ cancel_at: end }, []],
    [{ cancel_at: end - 86_400 }, []],
  ])('of %j are %j', (more, expected) => {
    expect(codes([subscription('price_p', more)])).toEqual(expected)
  })

  test('name the day on which a subscription ends after its period', () => {
    const later = subscription('price_p', { cancel_at: Date.parse('2027-03-31T23:30:00Z') / 1_000 })
    expect(noticesAbout(ctx, [later], later)[0]?.message).toContain('March 31, 2027 (UTC)')
  })
})
