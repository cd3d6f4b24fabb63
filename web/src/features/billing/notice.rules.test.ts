import type { PaymentMethod, Subscription } from '@loci/contract/billing'
import { expect, test } from 'vitest'
import { findChosenPlan, isNeeded, isRecentEnd, noticeOf } from './billing.rules.ts'

const subscription: Subscription = {
  plan: 'pro',
  status: 'active',
  cancelAtPeriodEnd: false,
  currentPeriodEnd: 2_000_000_000,
  trialEnd: null,
  pendingPlan: null,
  pendingUpgrade: null,
  pastDue: null,
  ended: null,
  notices: [],
  features: {
    maxEntities: 1,
    maxBytes: 1,
    maxQueries: 1,
    maxApiKeys: 1,
    maxWebhooks: 1,
    features: [],
  },
  testMode: true,
}
const pastDue = { nextTryAt: null, endsAt: null }
const ended = { plan: 'pro', at: 1, reason: 'cancelled' } as const

test.each([
  ['nothing of a plan that runs', {}, undefined],
  ['a failed payment', { status: 'past_due', pastDue }, 'past_due'],
  ['why the plan is Free', { plan: 'free', currentPeriodEnd: null, ended }, 'ended'],
  ['the end of a trial', { status: 'trialing', trialEnd: 2_000_000_000 }, 'trial'],
  ['nothing of a trial that was cancelled', { status: 'trialing', cancelAtPeriodEnd: true }, undefined],
] as const)('the notice tells %s', (_, change, kind) => {
  expect(noticeOf({ ...subscription, ...change })?.kind).toBe(kind)
})

test('the end of a plan is news for two weeks', () => {
  const day = 86_400
  expect(isRecentEnd(100 * day, 113 * day * 1_000)).toBe(true)
  expect(isRecentEnd(100 * day, 115 * day * 1_000)).toBe(false)
})

test.each([
  ['pro', undefined, 'pro'],
  ['pro', 'annual', 'pro-annual'],
  ['pro-annual', undefined, 'pro-annual'],
  ['free', undefined, undefined],
  ['team', undefined, undefined],
  ['nonsense', 'annual', undefined],
  [undefined, 'annual', undefined],
])('the plan %s by %s that was chosen before is %s', (plan, billing, chosen) => {
  expect(findChosenPlan(plan, billing)).toBe(chosen)
})

test('the last card of a continuing plan is needed', () => {
  const card = { id: 'a' } as PaymentMethod
  const other = { id: 'b' } as PaymentMethod
  expect(isNeeded(card, [card], subscription)).toBe(true)
  expect(isNeeded(card, [card, other], subscription)).toBe(false)
  expect(isNeeded(card, [card], { ...subscription, cancelAtPeriodEnd: true })).toBe(false)
  expect(isNeeded(card, [card], { ...subscription, currentPeriodEnd: null })).toBe(false)
  expect(isNeeded(card, [card], undefined)).toBe(false)
})
