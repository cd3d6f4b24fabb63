// @vitest-environment jsdom
import type { UsageResponse } from '@loci/contract/analytics'
import type { Invoice } from '@loci/contract/billing'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { cardEnding, onFree, plansOnSale, seconds, subscriptionWith } from '../../../test/billing.ts'
import { serverSays } from '../../../test/browser.ts'
import { button, dialogNamed, wordsOf } from '../../../test/find.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { emptySummary } from '../../features/analytics/analytics.queries.ts'
import { BillingPage } from './billing-page.tsx'

const usage: UsageResponse = {
  plan: 'pro',
  limits: { maxEntities: 100_000, maxBytes: 1_000, maxQueries: 1_000, maxApiKeys: 10, maxWebhooks: 0 },
  entities: 1_234,
  storedBytes: 0,
  operations: 0,
  apiKeys: 0,
  webhooks: 0,
  periodStart: '2026-01-01T00:00:00.000Z',
  periodEnd: '2026-02-01T00:00:00.000Z',
  agentSeenAt: null,
  agents: [],
}
const use: Answers = {
  usage,
  usageDays: { days: [{ day: '2026-11-25', queries: 0, creates: 0, updates: 0, deletes: 0, total: 0 }] },
  analytics: { ...emptySummary, userPlan: 'pro' },
}
const account: Answers = {
  ...use,
  subscription: subscriptionWith(),
  listPaymentMethods: { paymentMethods: [cardEnding('4242', { isDefault: true })] },
  listInvoices: { invoices: [] },
  listPlans: { plans: plansOnSale },
  billingDetails: {
    name: '',
    line1: '',
    line2: '',
    city: '',
    region: '',
    postalCode: '',
    country: '',
    taxId: '',
    editable: true,
  },
}

async function showPage(answers: Answers = {}, at = '/billing', as = personAs('owner')) {
  const server = serve({ ...account, ...answers })
  const shown = await show(<BillingPage />, { at, route: '/billing', as })
  return { ...shown, server }
}

const sectionOf = async (title: string) => {
  const section = (await screen.findByRole('heading', { name: title })).closest('section')
  if (section === null) throw new Error(`No section ${title}`)
  return section
}

test.each(['member', 'viewer'] as const)('a %s sees the use, and nothing of money is asked', async (role) => {
  const { server } = await showPage({}, '/billing', personAs(role))
  expect(
    screen.getByText("Only owners and admins can see this account's plan, cards and invoices."),
  ).toBeTruthy()
  expect(await screen.findByText(/1,234/)).toBeTruthy()
  expect(new Set(server.calls.map(({ id }) => id))).toEqual(new Set(['usage', 'usageDays', 'analytics']))
})

test('a server that does not charge has no plans to show', async () => {
  serverSays({ isCharging: false })
  const { server } = await showPage()
  expect(screen.getByText('There are no plans, no prices and no limits here.')).toBeTruthy()
  await waitFor(() => expect(server.calls.length).toBeGreaterThan(0))
  expect(server.callsOf('subscription')).toEqual([])
})

test('the current plan shows its price, its next date and its limits', async () => {
  await showPage()
  const plan = wordsOf(await sectionOf('Current Plan'))
  expect(plan).toContain('ProMost Popular$20 a month')
  expect(plan).toContain('Next billing date: Feb 1, 2027 (UTC)')
  const limits = wordsOf(await sectionOf('Plan Features'))
  expect(limits).toContain('Max Entities100,000')
  expect(limits).toContain('Stored Text20 GB')
  expect(limits).toContain('Webhook EndpointsUnlimited')
  expect(screen.getByText('Test mode: no real money moves')).toBeTruthy()
})

test('a subscription is cancelled after a question, and reactivated', async () => {
  const { user, server } = await showPage({
    cancelSubscription: new Refusal('billing_unavailable', 'Stripe does not answer'),
  })
  const cancel = async () => {
    await user.click(await screen.findByRole('button', { name: 'Cancel Subscription' }))
    const question = await dialogNamed('Cancel Subscription')
    expect(question.getByText(/You keep Pro until/).textContent).toContain('Feb 1, 2027 (UTC)')
    await user.click(question.getByRole('button', { name: 'Cancel Subscription' }))
  }
  await cancel()
  expect(await screen.findByText('Stripe does not answer')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const ending = subscriptionWith({ cancelAtPeriodEnd: true })
  server.answer({ cancelSubscription: ending, subscription: ending })
  await cancel()
  expect(
    await screen.findByText('Subscription will be cancelled at the end of the billing period'),
  ).toBeTruthy()
  expect(server.callsOf('cancelSubscription').map(({ body }) => body)).toEqual([
    { immediate: false },
    { immediate: false },
  ])
  expect(wordsOf(await sectionOf('Current Plan'))).toContain('Subscription ends on Feb 1, 2027 (UTC)')
  server.answer({ reactivateSubscription: subscriptionWith(), subscription: subscriptionWith() })
  await user.click(button('Reactivate'))
  expect(await screen.findByText('Subscription reactivated')).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Cancel Subscription' })).toBeTruthy()
})

test('a scheduled downgrade is named, and can be revoked', async () => {
  await showPage({ subscription: subscriptionWith({ pendingPlan: 'starter' }) })
  expect(await screen.findByRole('button', { name: 'Keep Pro' })).toBeTruthy()
  expect(wordsOf(await sectionOf('Current Plan'))).toContain('Feb 1, 2027 (UTC), when Starter starts')
})

test('an upgrade that the bank wants confirmed says so, with the page for that', async () => {
  const expiresAt = seconds('2027-01-20T00:00:00Z')
  const confirmUrl = 'https://pay.example/invoice'
  await showPage({
    subscription: subscriptionWith({ pendingUpgrade: { plan: 'power-user', confirmUrl, expiresAt } }),
  })
  const notice = await screen.findByText(/Your bank wants you to confirm the payment for Power User/)
  expect(notice.textContent).toContain('nothing changes and nothing is charged')
  const link = screen.getByRole('link', { name: 'Confirm Payment' })
  expect(link.getAttribute('href')).toBe(confirmUrl)
})

test('a failed payment says how to pay now', async () => {
  const subscription = subscriptionWith({
    status: 'past_due',
    pastDue: { nextTryAt: seconds('2027-01-20T00:00:00Z'), endsAt: null },
  })
  await showPage({ subscription, listPaymentMethods: { paymentMethods: [] } })
  const plan = await sectionOf('Current Plan')
  await waitFor(() => expect(wordsOf(plan)).toContain('Add a payment method to pay now.'))
  expect(wordsOf(plan)).toContain('past due')
  expect(wordsOf(plan)).toContain('Next payment attempt: Jan 20, 2027 (UTC)')
})

test('the free plan has nothing to cancel', async () => {
  await showPage({ subscription: onFree, listPaymentMethods: { paymentMethods: [] } })
  expect(wordsOf(await sectionOf('Current Plan'))).toContain('FreeNo charge')
  expect(screen.queryByRole('button', { name: 'Cancel Subscription' })).toBeNull()
  expect(screen.getByText('No billing history available')).toBeTruthy()
})

test('a plan chosen earlier opens the dialog with it, and is removed from the address', async () => {
  const { user, address } = await showPage({ subscription: onFree }, '/billing?plan=pro&billing=annual')
  const dialog = await dialogNamed('Change Plan')
  expect(await dialog.findByRole('radio', { name: 'Pro, $200 a year', checked: true })).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(address()).toBe('/billing'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a cancelled checkout is mentioned until it is dismissed', async () => {
  const { user, address } = await showPage({ subscription: onFree }, '/billing?canceled=true&plan=pro')
  expect(await screen.findByText('Checkout was cancelled')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(button('Dismiss'))
  await waitFor(() => expect(address()).toBe('/billing'))
  expect(screen.queryByText('Checkout was cancelled')).toBeNull()
})

test('invoices show dollars, with links to pay or view them', async () => {
  const invoice = (number: string, more: Partial<Invoice> = {}): Invoice => ({
    id: number,
    number,
    created: seconds('2027-01-01T00:00:00Z'),
    currency: 'usd',
    amount: 2_000,
    credit: 0,
    refunded: 0,
    credited: 0,
    dispute: null,
    status: 'paid',
    hostedInvoiceUrl: null,
    invoicePdf: null,
    ...more,
  })
  await showPage({
    listInvoices: {
      invoices: [
        invoice('L-3', { status: 'open', hostedInvoiceUrl: 'https://pay.example/3' }),
        invoice('L-2', { amount: 0, credit: 1_050 }),
        invoice('L-1', { invoicePdf: 'https://pay.example/1.pdf' }),
      ],
    },
  })
  const history = within(await sectionOf('Billing History'))
  const rows = (await history.findAllByRole('row')).map(wordsOf)
  expect(rows.slice(1)).toEqual([
    'L-3Jan 1, 2027$20.00openPay',
    'L-2Jan 1, 2027$10.50 creditpaid',
    'L-1Jan 1, 2027$20.00paidPDF',
  ])
  const pay = history.getByRole('link', { name: 'Pay invoice L-3' })
  expect(pay.getAttribute('href')).toBe('https://pay.example/3')
  expect(pay.getAttribute('rel')).toBe('noreferrer')
})

test('each part that fails to load can be retried separately', async () => {
  const refusal = new Refusal('forbidden', 'No')
  const { user, server } = await showPage({ listPaymentMethods: refusal, listInvoices: refusal })
  const cards = within(await sectionOf('Payment Methods'))
  expect(await cards.findByText('Failed to load payment methods')).toBeTruthy()
  expect(await screen.findByText('Failed to load billing history')).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Change Plan' })).toBeTruthy()
  server.answer({ listPaymentMethods: account.listPaymentMethods! })
  await user.click(cards.getByRole('button', { name: 'Try again' }))
  expect(await cards.findByText('Visa •••• 4242')).toBeTruthy()
  expect(screen.getByText('Failed to load billing history')).toBeTruthy()
})

test("removing the plan's only card warns first", async () => {
  const { user, server } = await showPage()
  await user.click(await screen.findByRole('button', { name: 'Remove Visa ending in 4242' }))
  const dialog = await dialogNamed('Remove Payment Method')
  expect(dialog.getByText(/is the only payment method for Pro/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(server.callsOf('deletePaymentMethod')).toEqual([])
})

test('in test mode the clock can be advanced, and everything reloads', async () => {
  serverSays({ hasTestClock: true })
  let now = seconds('2027-01-10T12:00:00Z')
  const { user, server } = await showPage({
    moveTestClock: ({ body }) => {
      now += (body as { advanceBySeconds: number }).advanceBySeconds
      return { now }
    },
  })
  expect(await screen.findByText('Jan 10, 2027, 12:00 PM UTC')).toBeTruthy()
  const before = server.callsOf('subscription').length
  await user.click(button('Move ahead 1 week'))
  expect(await screen.findByText('Jan 17, 2027, 12:00 PM UTC')).toBeTruthy()
  await waitFor(() => expect(server.callsOf('subscription').length).toBeGreaterThan(before))
})
