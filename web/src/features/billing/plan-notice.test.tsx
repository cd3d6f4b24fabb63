// @vitest-environment jsdom
import type { Subscription } from '@loci/contract/billing'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { cardEnding, onFree, seconds, subscriptionWith } from '../../../test/billing.ts'
import { button, wordsOf } from '../../../test/find.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { serve } from '../../../test/server-double.ts'
import { CheckoutNotice } from './checkout-notice.tsx'
import { DashboardPlanNotice } from './dashboard-plan-notice.tsx'
import { PlanNotice } from './plan-notice.tsx'

const day = seconds('2027-01-20T00:00:00Z')
const later = seconds('2027-02-03T00:00:00Z')
const trial = { status: 'trialing', trialEnd: day } as const
const pastDue = { status: 'past_due', pastDue: { nextTryAt: day, endsAt: later } } as const
const ended = (reason: 'cancelled' | 'payment_failed' | 'trial_ended') =>
  ({ plan: 'free', currentPeriodEnd: null, ended: { plan: 'starter', at: day, reason } }) as const

test.each<[Partial<Subscription>, boolean, string]>([
  [trial, true, 'Your Pro trial ends on Jan 20, 2027 (UTC). After that, Pro costs $20 a month.'],
  [
    trial,
    false,
    'Your Pro trial ends on Jan 20, 2027 (UTC). Add a payment method before then, or your account returns to Free.',
  ],
  [
    pastDue,
    true,
    'Your last payment for Pro failed. We will try again on Jan 20, 2027 (UTC). If it is not paid by Feb 3, 2027 (UTC), your account returns to Free. Nothing you stored is deleted.',
  ],
  [
    { ...pastDue, pastDue: { nextTryAt: null, endsAt: null } },
    true,
    'Your last payment for Pro failed. We will not try again automatically. If it is not paid, your account returns to Free.',
  ],
  [ended('cancelled'), false, 'Starter was cancelled and ended on Jan 20, 2027 (UTC).'],
  [ended('payment_failed'), true, 'Starter ended on Jan 20, 2027 (UTC) because the payment failed.'],
  [ended('trial_ended'), false, 'Your Starter trial ended on Jan 20, 2027 (UTC) without a payment method.'],
])('%j with a card: %s says what happens and when', async (change, hasCard, words) => {
  serve({})
  await show(<PlanNotice subscription={subscriptionWith(change)} hasCard={hasCard} />)
  const role = 'pastDue' in change ? 'alert' : 'status'
  expect(wordsOf(screen.getByRole(role))).toContain(words)
})

test('a plan in good order shows no notice', async () => {
  serve({})
  await show(<PlanNotice subscription={subscriptionWith()} hasCard />)
  expect(screen.queryByRole('status')).toBeNull()
})

test('the dashboard repeats what an owner must know, and links to billing', async () => {
  serve({
    subscription: subscriptionWith(pastDue),
    listPaymentMethods: { paymentMethods: [cardEnding('4242')] },
  })
  const { user, address } = await show(<DashboardPlanNotice />)
  await user.click(await screen.findByRole('link', { name: 'Go to billing' }))
  expect(address()).toBe('/billing')
})

test('the end of a plan is no news on the dashboard after two weeks', async () => {
  const weeksAgo = Math.floor(Date.now() / 1_000) - 15 * 86_400
  const server = serve({
    subscription: subscriptionWith({ ...onFree, ended: { plan: 'pro', at: weeksAgo, reason: 'cancelled' } }),
    listPaymentMethods: { paymentMethods: [] },
  })
  await show(<DashboardPlanNotice />)
  await waitFor(() => expect(server.calls).toHaveLength(2))
  expect(screen.queryByText('You are on Free now')).toBeNull()
})

test.each(['member', 'viewer'] as const)('a %s is told nothing of money', async (role) => {
  const server = serve({})
  await show(<DashboardPlanNotice />, { as: personAs(role) })
  expect(server.calls).toEqual([])
})

test('a finished checkout waits for the plan, then says that it has arrived', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 })
  const server = serve({ subscription: onFree })
  await show(<CheckoutNotice result={{ outcome: 'success', plan: 'pro' }} onDismiss={() => {}} />)
  expect(screen.getByText('Pro is being set up. This takes a moment.')).toBeTruthy()
  await waitFor(() => expect(server.calls).toHaveLength(1))
  server.answer({ subscription: subscriptionWith() })
  expect(await screen.findByText('You are subscribed to Pro')).toBeTruthy()
  vi.useRealTimers()
})

test('a cancelled checkout says that nothing was charged, requests nothing, and can be dismissed', async () => {
  const onDismiss = vi.fn()
  const server = serve({})
  const { user } = await show(<CheckoutNotice result={{ outcome: 'cancelled' }} onDismiss={onDismiss} />)
  expect(wordsOf(screen.getByRole('status'))).toContain('Nothing was charged and your plan is unchanged.')
  expect(server.calls).toEqual([])
  await user.click(button('Dismiss'))
  expect(onDismiss).toHaveBeenCalledOnce()
})
