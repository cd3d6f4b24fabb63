import type { Page } from '@playwright/test'
import { type StripeDouble, signEvent, startStripeDouble } from '../server/test/stripe-double.ts'
import { violationsIn } from './axe.ts'
import { test as base, expect } from './fixtures.ts'
import { stripeFrame, stripeJs } from './stripe-js.ts'

/** The server uses Stripe, which `stripe` replaces. */
const test = base.extend<object, { stripe: StripeDouble }>({
  stripe: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
    async ({}, use) => {
      const stripe = await startStripeDouble(Date.now)
      await use(stripe)
      await stripe.close()
    },
    { scope: 'worker' },
  ],
  environment: [
    async ({ stripe }, use) => {
      const { secretKey, publishableKey, webhookSecret, apiUrl = '', prices } = stripe.config
      await use({
        STRIPE_SECRET_KEY: secretKey,
        STRIPE_PUBLISHABLE_KEY: publishableKey,
        STRIPE_WEBHOOK_SECRET: webhookSecret,
        STRIPE_API_URL: apiUrl,
        STRIPE_PRICE_STARTER_MONTHLY: prices.starter ?? '',
        STRIPE_PRICE_STARTER_ANNUAL: prices['starter-annual'] ?? '',
        STRIPE_PRICE_PRO_MONTHLY: prices.pro ?? '',
        STRIPE_PRICE_PRO_ANNUAL: prices['pro-annual'] ?? '',
        STRIPE_PRICE_POWER_USER_MONTHLY: prices['power-user'] ?? '',
        STRIPE_PRICE_POWER_USER_ANNUAL: prices['power-user-annual'] ?? '',
      })
    },
    { scope: 'worker' },
  ],
})

type Told = { id: string; type: 'setup_intent.succeeded' | 'checkout.session.completed'; customer: string }

/** Stripe sends its event to the server, possibly more than once. */
async function tell(url: string, { id, type, customer }: Told) {
  const { body, signature } = signEvent({ id, type, object: { customer } }, Date.now())
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  expect((await fetch(`${url}/api/billing/webhook`, { method: 'POST', headers, body })).status).toBe(200)
}

const newestCustomer = ({ state }: StripeDouble) => [...state.customers.keys()].at(-1)!

/** Mocks all of Stripe's addresses that a browser uses; `confirm` is called when a card is submitted. */
async function routeStripe(page: Page, confirm: (form: URLSearchParams) => Promise<object>) {
  await page.route('https://js.stripe.com/**', (route) =>
    route.request().resourceType() === 'script'
      ? route.fulfill({ contentType: 'text/javascript', body: stripeJs })
      : route.fulfill({ contentType: 'text/html', body: stripeFrame }),
  )
  await page.route('https://api.stripe.com/**', async (route) => {
    const json = await confirm(new URLSearchParams(route.request().postData() ?? ''))
    await route.fulfill({ json, headers: { 'access-control-allow-origin': '*' } })
  })
}

test('a card goes to Stripe only, and appears once the webhook arrives', async ({
  page,
  person: _,
  serverUrl,
  stripe,
}) => {
  const sent: Record<string, string>[] = []
  const sentToUs: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(serverUrl)) sentToUs.push(request.postData() ?? '')
  })
  await routeStripe(page, async (form) => {
    sent.push(Object.fromEntries(form))
    if (form.get('number') === '4000000000000002') return { error: { message: 'Your card was declined.' } }
    const customer = newestCustomer(stripe)
    stripe.state.addCard(customer)
    const told = { id: 'evt_card', type: 'setup_intent.succeeded', customer } as const
    // Sent after the response, twice.
    setTimeout(() => void tell(serverUrl, told).then(() => tell(serverUrl, told)), 1_500)
    return { status: 'succeeded' }
  })
  await page.goto('/billing')
  await page.getByRole('button', { name: 'Add Payment Method' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Payment Method' })
  const number = dialog.frameLocator('iframe').getByLabel('Card number')
  await number.fill('4000000000000002')
  await dialog.getByRole('button', { name: 'Add Card' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Your card was declined.')

  await number.fill('4242424242424242')
  await dialog.getByRole('button', { name: 'Add Card' }).click()
  await expect(page.getByText('Payment method added successfully')).toBeVisible()
  const cards = page.getByRole('region', { name: 'Payment Methods' }).getByRole('listitem')
  await expect(cards).toHaveText([/Visa •••• 4242.*Default/])
  expect(sent.at(-1)).toEqual({
    key: 'pk_test_double',
    client_secret: 'seti_1_secret_x',
    number: '4242424242424242',
    redirect: 'if_required',
    return_url: `${serverUrl}/billing`,
  })
  expect(sentToUs.filter((body) => body.includes('4242424242424242'))).toEqual([])
})

test("a failure to load Stripe's form is reported, and a second try helps", async ({ page, person: _ }) => {
  await page.route('https://js.stripe.com/**', (route) => route.abort())
  await page.goto('/billing')
  await page.getByRole('button', { name: 'Add Payment Method' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Payment Method' })
  await expect(dialog.getByRole('alert')).toContainText('Failed to add payment method')
  await routeStripe(page, async () => ({}))
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.frameLocator('iframe').getByLabel('Card number')).toBeVisible()
})

test('choosing a plan goes through Stripe and waits for a late webhook', async ({
  page,
  person,
  serverUrl,
  stripe,
}) => {
  await page.route('https://checkout.stripe.test/**', (route) =>
    route.fulfill({ body: 'Checkout at Stripe' }),
  )
  await page.goto('/billing')
  await page.getByRole('button', { name: 'Change Plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change Plan' })
  await dialog.getByRole('radio', { name: /^Pro/ }).click()
  await dialog.getByRole('button', { name: 'Change Plan' }).click()
  await expect(page.getByText('Checkout at Stripe')).toBeVisible()

  const customer = newestCustomer(stripe)
  stripe.state.addSubscription(customer, 'price_pro', 14)
  await page.goto('/dashboard?success=true&plan=pro')
  await expect(page.getByText('Pro is being set up')).toBeVisible()
  await expect(page.getByText('Free plan')).toBeVisible()
  await tell(serverUrl, { id: 'evt_checkout', type: 'checkout.session.completed', customer })
  await expect(page.getByText('You are subscribed to Pro')).toBeVisible()
  await expect(page.getByText('Pro plan')).toBeVisible()
  expect((await person.rest.subscription()).status).toBe('trialing')
})

test('oddities at Stripe are shown on the billing screen', async ({ page, person, serverUrl, stripe }) => {
  await person.rest.createSetupIntent({ body: {} })
  const customer = newestCustomer(stripe)
  for (const price of ['price_pro', 'price_starter']) stripe.state.addSubscription(customer, price)
  await tell(serverUrl, { id: 'evt_second', type: 'checkout.session.completed', customer })
  await expect.poll(async () => (await person.rest.subscription()).notices.length).toBe(1)
  await page.goto('/billing')
  await expect(page.getByRole('status').filter({ hasText: 'Stripe charges 2 subscriptions' })).toBeVisible()
  expect(await violationsIn(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('notice.png') })
})
