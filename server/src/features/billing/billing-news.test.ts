import { describe, expect, test } from 'vitest'
import { dayMs } from '../../ground/lib/time.ts'
import { newsOf } from './billing-news.ts'
import type { StoredInvoice } from './invoices.repo.ts'
import { ended, neverEnded, type StoredSubscription } from './subscriptions.repo.ts'

const now = Date.parse('2026-11-23T12:00:00Z')
const subscription = (more: Partial<StoredSubscription> = {}) =>
  ({ ...ended, ...neverEnded, ...more }) as StoredSubscription
const paid = (id: string, more: Partial<StoredInvoice> = {}) =>
  ({ id, status: 'paid', amount: 2_000, paidAt: now - 1_000, ...more }) as StoredInvoice
const open = (id: string) => paid(id, { status: 'open', paidAt: null })
const state = (more: Partial<StoredSubscription> = {}, invoices: StoredInvoice[] = []) => ({
  ...{ subscription: subscription(more), invoices },
})
const idsOf = (...given: Parameters<typeof newsOf>) => newsOf(...given).map(({ id }) => id)

describe('a receipt', () => {
  test('is due for each invoice that was paid since, and for none twice', () => {
    const after = state({}, [paid('in_3'), paid('in_2'), paid('in_1')])
    expect(idsOf(state({}, [paid('in_1'), open('in_2')]), after, now)).toEqual([
      ...['receipt-in_3', 'receipt-in_2'],
    ])
    expect(idsOf(after, after, now)).toEqual([])
  })

  test.each<[string, Partial<StoredInvoice>]>([
    ['of nothing', { amount: 0 }],
    ['that is still open', { status: 'open', paidAt: null }],
    ['that was voided', { status: 'void' }],
    ['paid at a time that nobody knows', { paidAt: null }],
    ['paid exactly three days ago', { paidAt: now - 3 * dayMs }],
  ])('is not due for an invoice %s', (_, more) => {
    expect(idsOf(state(), state({}, [paid('in_1', more)]), now)).toEqual([])
  })

  test('is due for an invoice paid a moment less than three days ago', () => {
    expect(idsOf(state(), state({}, [paid('in_1', { paidAt: now - 3 * dayMs + 1 })]), now)).toHaveLength(1)
  })
})

describe('a failed payment', () => {
  const failed = (failedPayments: number, nextTryAt: number | null = now + dayMs) =>
    state({ plan: 'pro', status: 'past_due', failedPayments, nextTryAt }, [open('in_1')])

  test('is told once for each try', () => {
    const before = state({ plan: 'pro' }, [open('in_1')])
    expect(idsOf(before, failed(1), now)).toEqual(['payment-failed-in_1-1'])
    expect(idsOf(failed(1), failed(1), now)).toEqual([])
    expect(idsOf(failed(1), failed(2), now)).toEqual(['payment-failed-in_1-2'])
  })

  test('is told with the last try too, after which there is no other', () => {
    expect(idsOf(failed(3), failed(4, null), now)).toEqual(['payment-failed-in_1-4'])
  })

  test('is not told while a retry is due, which has its own news', () => {
    expect(idsOf(failed(1), failed(2, now), now)).toEqual([])
  })

  test('is not told without an open invoice, or once the plan is paid', () => {
    expect(idsOf(state(), state({ status: 'past_due', failedPayments: 1 }), now)).toEqual([])
    expect(idsOf(failed(1), state({ plan: 'pro' }, [paid('in_1')]), now)).toEqual(['receipt-in_1'])
  })
})

describe('the end of a plan', () => {
  const over = (endReason: StoredSubscription['endReason'], endedAt = now - 1_000) =>
    state({ endedPlan: 'pro', endedAt, endReason })

  test.each(['payment_failed', 'trial_ended'] as const)('is told if its reason is %s', (reason) => {
    const [news] = newsOf(state({ plan: 'pro' }), over(reason), now)
    expect(news).toEqual({
      ...{ id: `plan-ended-${now - 1_000}`, kind: 'plan_ended', plan: 'pro', reason },
    })
    expect(idsOf(over(reason), over(reason), now)).toEqual([])
  })

  test('is not told to a person who cancelled, nor after days', () => {
    expect(idsOf(state({ plan: 'pro' }), over('cancelled'), now)).toEqual([])
    expect(idsOf(state({ plan: 'pro' }), over('payment_failed', now - 3 * dayMs), now)).toEqual([])
  })

  test('is not told if another plan runs by now', () => {
    const after = state({ ...over('payment_failed').subscription, plan: 'starter' })
    expect(idsOf(state({ plan: 'pro' }), after, now)).toEqual([])
  })
})
