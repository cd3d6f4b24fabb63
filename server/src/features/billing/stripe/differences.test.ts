import { describe, expect, test } from 'vitest'
import type { StoredInvoice } from '../invoices.repo.ts'
import type { StoredCard } from '../payment-methods.repo.ts'
import { ended, type StoredSubscription } from '../subscriptions.repo.ts'
import { differencesTo } from './differences.ts'
import type { StripeState } from './read-stripe.ts'

const subscription = (more: Partial<StoredSubscription> = {}) =>
  ({ ...ended, customerId: 'cus_1', notices: '[]', ...more }) as StoredSubscription
const card = (last4: string, isDefault = false) => ({ brand: 'visa', last4, isDefault }) as StoredCard
const invoice = (number: string, amount = 2_000, status = 'paid') =>
  ({ number, amount, status }) as StoredInvoice

type Side = { subscription?: StoredSubscription; cards?: StoredCard[]; invoices?: StoredInvoice[] }
const between = (there: Side, here: Side) => {
  const empty = { subscription: subscription(), cards: [], invoices: [] }
  return differencesTo({ ...empty, ...there } as unknown as StripeState, { ...empty, ...here })
}

describe('what differs from Stripe', () => {
  test('is nothing if both sides have the same, in any order', () => {
    const [one, other] = [card('4242', true), card('4444')]
    const same = { invoices: [invoice('A-1'), invoice('A-2')] }
    expect(between({ cards: [one, other], ...same }, { cards: [other, one], ...same })).toEqual([])
  })

  test.each<[Partial<StoredSubscription>, Partial<StoredSubscription>, string]>([
    [{ plan: 'free' }, { plan: 'pro' }, 'plan: pro here, free at Stripe'],
    [{ status: 'past_due' }, { status: 'active' }, 'status: active here, past_due at Stripe'],
    [{ periodEnd: 2 }, { periodEnd: null }, 'periodEnd: null here, 2 at Stripe'],
    [
      { cancelAtPeriodEnd: true },
      { cancelAtPeriodEnd: false },
      'cancelAtPeriodEnd: false here, true at Stripe',
    ],
    [{ pendingPlan: 'starter' }, { pendingPlan: null }, 'pendingPlan: null here, starter at Stripe'],
    [{ subscriptionId: 'sub_2' }, { subscriptionId: 'sub_1' }, 'subscriptionId: sub_1 here, sub_2 at Stripe'],
  ])('%j there and %j here is told', (there, here, line) => {
    expect(between({ subscription: subscription(there) }, { subscription: subscription(here) })).toEqual([
      line,
    ])
  })

  test('is no difference in what only this server knows', () => {
    const ours = subscription({ credit: 500, invoicesMade: 9, syncedAt: 1 })
    expect(between({}, { subscription: ours })).toEqual([])
  })

  test('names the cards of each side, and a card that is the default of one side only on both', () => {
    expect(between({ cards: [card('4242', true)] }, { cards: [card('4242'), card('4444')] })).toEqual([
      'cards: only at Stripe visa 4242 (default)',
      'cards: only here visa 4242, visa 4444',
    ])
  })

  test('names invoices that are missing or differ here, not those that Stripe lists no longer', () => {
    const here = [invoice('A-1'), invoice('A-3', 2_000, 'open')]
    expect(between({ invoices: [invoice('A-2', 500), invoice('A-3')] }, { invoices: here })).toEqual([
      'invoices: only at Stripe A-2 500 paid, A-3 2000 paid',
    ])
  })
})
