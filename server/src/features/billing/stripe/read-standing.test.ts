import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { endOf, linesOf, standingOf, taxOf } from './read-standing.ts'

const seconds = (text: string) => Date.parse(text) / 1_000
const invoice = (more: object) => more as Stripe.Invoice
const over = (more: object = {}) =>
  ({
    ...{ status: 'canceled', ended_at: seconds('2026-11-01'), canceled_at: seconds('2026-10-20') },
    ...{ trial_end: null, cancellation_details: null },
    ...{ items: { data: [{ price: { id: 'price_pro' } }] }, ...more },
  }) as unknown as Stripe.Subscription

describe('how often payment was tried', () => {
  const tries = (invoices: object[], status = 'past_due') => standingOf({ status }, invoices.map(invoice))

  test('is told of the newest open invoice', () => {
    const retriedAt = '2026-11-04T10:00:00Z'
    const invoices = [
      { status: 'paid', attempt_count: 1, next_payment_attempt: null },
      { status: 'open', attempt_count: 2, next_payment_attempt: seconds(retriedAt) },
      { status: 'open', attempt_count: 4, next_payment_attempt: null },
    ]
    expect(tries(invoices)).toEqual({ failedPayments: 2, nextTryAt: Date.parse(retriedAt) })
  })

  test('tells no next try after the last one', () => {
    expect(tries([{ status: 'open', attempt_count: 4, next_payment_attempt: null }])).toEqual({
      ...{ failedPayments: 4, nextTryAt: null },
    })
  })

  test.each(['active', 'trialing', 'unpaid'])('is nothing for a subscription that is %s', (status) => {
    expect(tries([{ status: 'open', attempt_count: 3, next_payment_attempt: 1 }], status)).toEqual({
      ...{ failedPayments: 0, nextTryAt: null },
    })
  })

  test('is nothing without an open invoice', () => {
    expect(tries([{ status: 'uncollectible', attempt_count: 4 }])).toMatchObject({ failedPayments: 0 })
  })
})

describe('how a subscription ended', () => {
  const planOf = (price: string | undefined) => ({ price_pro: 'pro', price_small: 'starter' })[price ?? '']
  const reason = (more: object) => endOf([over(more)], planOf).endReason

  test('is told of the one that ended last, in whatever order Stripe lists them', () => {
    const earlier = over({
      ended_at: seconds('2026-03-01'),
      items: { data: [{ price: { id: 'price_small' } }] },
    })
    for (const list of [
      [earlier, over()],
      [over(), earlier],
    ]) {
      expect(endOf(list, planOf)).toEqual({
        ...{ endedPlan: 'pro', endedAt: Date.parse('2026-11-01'), endReason: 'cancelled' },
      })
    }
  })

  test.each([
    ['none is over', [over({ status: 'active', ended_at: null })]],
    ['none ever began', []],
    ['it was never paid', [over({ status: 'incomplete_expired' })]],
    ['its price is not sold here', [over({ items: { data: [{ price: { id: 'price_other' } }] } })]],
    ['it had no item', [over({ items: { data: [] } })]],
  ])('is not known if %s', (_, subscriptions) => {
    expect(endOf(subscriptions, planOf)).toEqual({ endedPlan: null, endedAt: null, endReason: null })
  })

  test('is a payment that failed, also on the last day of a trial', () => {
    const failed = { cancellation_details: { reason: 'payment_failed' } }
    expect(reason(failed)).toBe('payment_failed')
    expect(reason({ ...failed, trial_end: seconds('2026-11-01') })).toBe('payment_failed')
  })

  test('is the end of the trial if Stripe ended it for want of a card', () => {
    const at = seconds('2026-11-01')
    expect(reason({ trial_end: at, ended_at: at, canceled_at: at })).toBe('trial_ended')
    expect(reason({ trial_end: at, ended_at: at, canceled_at: null })).toBe('trial_ended')
  })

  test('is a cancellation if a person cancelled the trial, or long after it', () => {
    const at = seconds('2026-11-01')
    expect(reason({ trial_end: at, ended_at: at, canceled_at: at - 60 })).toBe('cancelled')
    expect(reason({ trial_end: at - 86_400, ended_at: at, canceled_at: at })).toBe('cancelled')
    expect(reason({ trial_end: at, ended_at: at - 86_400, canceled_at: at - 86_400 })).toBe('cancelled')
  })
})

describe('the lines of an invoice of Stripe', () => {
  const period = { start: seconds('2026-11-01'), end: seconds('2026-12-01') }
  const inMs = { start: Date.parse('2026-11-01'), end: Date.parse('2026-12-01') }

  test('are what was sold, then the discounts in one line', () => {
    const lines = { data: [{ description: 'Pro', amount: 2_000, period }], has_more: false }
    const discounts = [{ amount: 300 }, { amount: 200 }]
    expect(linesOf(invoice({ lines, total: 1_500, total_discount_amounts: discounts }))).toEqual([
      { description: 'Pro', amount: 2_000, period: inMs },
      { description: 'Discount', amount: -500 },
    ])
  })

  test('keep a line without words, and have no line for a discount of nothing', () => {
    const lines = { data: [{ description: null, amount: -250, period }], has_more: false }
    expect(linesOf(invoice({ lines, total: -250, total_discount_amounts: [{ amount: 0 }] }))).toEqual([
      { description: '', amount: -250, period: inMs },
    ])
  })

  test.each([
    ['there are more than Stripe sends at once', { data: [], has_more: true }],
    ['Stripe sends none', undefined],
  ])('are one line of the whole without tax if %s', (_, lines) => {
    const taxes = [{ amount: 380 }, { amount: 20 }]
    expect(linesOf(invoice({ lines, total: 2_400, total_taxes: taxes }))).toEqual([
      { description: 'Items of this invoice', amount: 2_000 },
    ])
  })

  test.each([
    [null, 0],
    [[], 0],
    [[{ amount: 380 }, { amount: 95 }], 475],
  ])('have the taxes %j, which are %i cents', (total_taxes, sum) => {
    expect(taxOf(invoice({ total_taxes }))).toBe(sum)
  })
})
