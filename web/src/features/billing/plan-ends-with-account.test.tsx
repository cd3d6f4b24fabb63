// @vitest-environment jsdom
import type { Subscription } from '@loci/contract/billing'
import { expect, test } from 'vitest'
import { onFree, seconds, subscriptionWith } from '../../../test/billing.ts'
import { show } from '../../../test/screen.tsx'
import { serve } from '../../../test/server-double.ts'
import { PlanEndsWithAccount } from './plan-ends-with-account.tsx'

const wordsFor = async (subscription: Subscription) => {
  const server = serve({ subscription })
  await show(<PlanEndsWithAccount />)
  await expect.poll(() => server.callsOf('subscription').length).toBe(1)
  return () => document.body.textContent
}

test('a paid plan ends with its account, without a refund', async () => {
  const words = await wordsFor(subscriptionWith({ plan: 'pro-annual' }))
  await expect.poll(words).toContain('Your Pro plan ends now, and nothing is refunded.')
})

test('a trial ends with its account', async () => {
  const trialEnd = seconds('2027-01-20T00:00:00Z')
  const words = await wordsFor(subscriptionWith({ plan: 'starter', status: 'trialing', trialEnd }))
  await expect.poll(words).toContain('Your Starter trial ends now.')
  expect(words()).not.toContain('refunded')
})

test('where nothing is paid, nothing is said', async () => {
  const words = await wordsFor(onFree)
  expect(words()).not.toContain('ends now')
})
