import { randomUUID } from 'node:crypto'
import { createRestClient } from '@loci/client/rest'
import type { Page } from '@playwright/test'
import { violationsIn } from './axe.ts'
import { expect, type Person, password, signIn, subscribe, test } from './fixtures.ts'

/** These run on both databases; all others on SQLite only. */
const both = { tag: '@both' }

async function addCard({ rest }: Person, number: string) {
  const { clientSecret } = await rest.createSetupIntent({ body: {} })
  await rest.confirmTestCard({ body: { clientSecret, number, expMonth: 12, expYear: 2034, cvc: '123' } })
}

async function fillCard(page: Page, number: string, expiry = '12/34') {
  const dialog = page.getByRole('dialog', { name: 'Add Payment Method' })
  await dialog.getByLabel('Card number').fill(number)
  await dialog.getByLabel('Expires').fill(expiry)
  await dialog.getByLabel('Security code').fill('123')
  await dialog.getByRole('button', { name: 'Add Card' }).click()
  return dialog
}

const section = (page: Page, name: string) => page.getByRole('region', { name })

test.describe('Signup with a plan', () => {
  async function signUp(page: Page, query: string) {
    await page.goto(`/signup?${query}`)
    await page.getByLabel('First Name').fill('Ada')
    await page.getByLabel('Last Name').fill('Lovelace')
    await page.getByLabel('Email Address').fill(`${randomUUID()}@example.com`)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm Password').fill(password)
    await page.getByRole('button', { name: /Create Account & Subscribe to/ }).click()
  }

  test('goes through checkout to the dashboard', both, async ({ page }) => {
    await signUp(page, 'plan=pro&billing=annual')
    await expect(page.getByRole('heading', { name: 'Subscribe to Pro (yearly)' })).toBeVisible()
    await page.getByRole('button', { name: 'Start free trial without a card' }).click()
    await expect(page).toHaveURL('/dashboard?payment=success')
    await expect(page.getByRole('status').getByText('You are subscribed')).toBeVisible()
    await expect(page.getByText('Pro plan')).toBeVisible()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(page).toHaveURL('/dashboard')
  })

  test('a cancelled checkout leads to the dashboard on the free plan', async ({ page }) => {
    await signUp(page, 'plan=starter&billing=monthly')
    await page.getByRole('link', { name: 'Cancel and go back' }).click()
    await expect(page).toHaveURL('/dashboard?payment=cancelled&plan=starter')
    await expect(page.getByText('Checkout was cancelled')).toBeVisible()
    await expect(page.getByText('Free plan')).toBeVisible()
  })

  test('a checkout that fails leads to the dashboard after two seconds', async ({ page }) => {
    await page.route('**/api/billing/checkout', (route) => route.abort())
    await signUp(page, 'plan=pro')
    await expect(page.getByText(/Account created successfully!/)).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })
})

test.describe('Payment methods', () => {
  test('add, default, remove', both, async ({ page, person: _ }) => {
    await page.goto('/billing')
    const cards = section(page, 'Payment Methods')
    await expect(cards.getByText('No payment methods on file')).toBeVisible()

    await cards.getByRole('button', { name: 'Add Payment Method' }).click()
    const dialog = await fillCard(page, '4242 4242 4242 4242')
    await expect(page.getByText('Payment method added successfully')).toBeVisible()
    await expect(dialog).toHaveCount(0)
    await expect(cards.getByText('Visa •••• 4242')).toBeVisible()
    await expect(cards.getByText('Expires 12/2034')).toBeVisible()

    await cards.getByRole('button', { name: 'Add Payment Method' }).click()
    await fillCard(page, '5555555555554444')
    const second = cards.getByRole('listitem').filter({ hasText: 'Mastercard •••• 4444' })
    await second.getByRole('button', { name: 'Set as Default' }).click()
    await expect(page.getByText('Default payment method updated')).toBeVisible()
    await expect(second.getByText('Default', { exact: true })).toBeVisible()

    await cards.getByRole('button', { name: 'Remove Visa ending in 4242' }).click()
    await page
      .getByRole('dialog', { name: 'Remove Payment Method' })
      .getByText('Remove', { exact: true })
      .click()
    await expect(page.getByText('Payment method removed')).toBeVisible()
    await expect(cards.getByRole('listitem')).toHaveCount(1)
  })

  test('a declined card says why, and a second try succeeds', async ({ page, person: _ }) => {
    await page.goto('/billing')
    await page.getByRole('button', { name: 'Add Payment Method' }).click()
    const dialog = await fillCard(page, '4000 0000 0000 0002')
    await expect(dialog.getByRole('alert')).toHaveText('Your card was declined.')
    await fillCard(page, '4000 0025 0000 3155')
    await dialog.getByRole('button', { name: 'Fail authentication' }).click()
    await expect(dialog.getByRole('alert')).toContainText('could not confirm that it was you')
    await fillCard(page, '4000 0025 0000 3155')
    await dialog.getByRole('button', { name: 'Complete authentication' }).click()
    await expect(page.getByText('Visa •••• 3155')).toBeVisible()
  })
})

test.describe('Plan', () => {
  async function choosePlan(page: Page, name: RegExp) {
    await section(page, 'Current Plan').getByRole('button', { name: 'Change Plan' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change Plan' })
    await dialog.getByRole('radio', { name }).click()
    return dialog
  }

  test('upgrading from free goes through checkout; a cancelled checkout is reported', async ({
    page,
    person: _,
  }) => {
    await page.goto('/billing')
    await expect(page.getByText('No billing history available')).toBeVisible()
    const dialog = await choosePlan(page, /^Starter/)
    await dialog.getByRole('radio', { name: 'Free' }).click()
    await expect(dialog.getByRole('button', { name: 'Downgrade' })).toBeDisabled()
    await dialog.getByText('Annual').click()
    await expect(dialog.getByRole('button', { name: 'Change Plan' })).toBeDisabled()
    await dialog.getByText('Monthly').click()
    await dialog.getByRole('radio', { name: /^Starter/ }).click()
    await dialog.getByRole('button', { name: 'Change Plan' }).click()
    await page.getByRole('link', { name: 'Cancel and go back' }).click()
    await expect(page).toHaveURL('/billing?canceled=true&plan=starter')
    await expect(page.getByText('Checkout was cancelled')).toBeVisible()

    await (await choosePlan(page, /^Starter/)).getByRole('button', { name: 'Change Plan' }).click()
    await page.getByRole('button', { name: 'Start free trial without a card' }).click()
    await expect(page).toHaveURL('/dashboard?success=true&plan=starter')
    await expect(page.getByText('You are subscribed to Starter')).toBeVisible()
  })

  test('upgrade, downgrade, cancel, reactivate', both, async ({ page, person }) => {
    await subscribe(person, 'starter')
    // What an agent's key does is counted; what a person does in the browser is not.
    const response = await fetch(`${person.url}/api/entities`, {
      headers: { authorization: `Bearer ${person.apiKey}` },
    })
    expect(response.status).toBe(200)
    await page.goto('/billing')
    const plan = section(page, 'Current Plan')
    await expect(plan.getByText('trial', { exact: true })).toBeVisible()
    await expect(page.getByRole('list', { name: 'Included' }).getByRole('listitem')).toHaveText([
      'Real-time sync',
      'Email support',
      'Single user',
    ])
    for (const part of ['Queries', 'Creates', 'Updates', 'Deletes', 'Total operations']) {
      await expect(section(page, 'Monthly usage').getByText(part, { exact: true })).toBeVisible()
    }
    await expect(section(page, 'Monthly usage').getByText('100%', { exact: true }).last()).toBeVisible()
    await expect(section(page, 'Operation details').getByRole('columnheader')).toHaveText([
      'Operation',
      'Resource',
      'Avg. response',
      'Requests',
    ])

    const dialog = await choosePlan(page, /^Pro/)
    await dialog.getByRole('button', { name: 'Change Plan' }).click()
    await expect(dialog.getByText('Pro (monthly) starts now.')).toBeVisible()
    await expect(dialog.getByText(/^You pay nothing now, then \$20\.00 on /)).toBeVisible()
    await dialog.getByRole('button', { name: 'Back' }).click()
    await expect(dialog.getByRole('radio', { name: /^Pro/ })).toBeChecked()
    await dialog.getByRole('button', { name: 'Change Plan' }).click()
    expect((await person.rest.subscription()).plan).toBe('starter')
    await dialog.getByRole('button', { name: 'Confirm Change' }).click()
    await expect(page.getByText('Plan changed successfully')).toBeVisible()
    await expect(dialog).toHaveCount(0)
    await expect(plan.getByText('Most Popular')).toBeVisible()
    await expect(section(page, 'Plan Features').getByText('1,000,000')).toBeVisible()

    await choosePlan(page, /^Starter/)
    await dialog.getByRole('button', { name: 'Change Plan' }).click()
    await expect(
      dialog.getByText(/^You keep Pro until .*\. Then Starter \(monthly\) starts\.$/),
    ).toBeVisible()
    await dialog.getByRole('button', { name: 'Confirm Change' }).click()
    await expect(plan.getByText(/when Starter starts/)).toBeVisible()
    await expect(dialog).toHaveCount(0)
    await plan.getByRole('button', { name: 'Keep Pro' }).click()
    await expect(page.getByText('Subscription reactivated')).toBeVisible()
    await expect(plan.getByText(/when Starter/)).toHaveCount(0)

    await plan.getByRole('button', { name: 'Cancel Subscription' }).click()
    const confirmation = page.getByRole('dialog', { name: 'Cancel Subscription' })
    await confirmation.getByRole('button', { name: 'Cancel Subscription' }).click()
    await expect(
      page.getByText('Subscription will be cancelled at the end of the billing period'),
    ).toBeVisible()
    await expect(plan.getByText(/Subscription ends on/)).toBeVisible()
    await expect(plan.getByRole('button', { name: 'Cancel Subscription' })).toHaveCount(0)
    await plan.getByRole('button', { name: 'Reactivate' }).click()
    await expect(plan.getByText(/Next billing date/)).toBeVisible()

    await choosePlan(page, /^Free/)
    await dialog.getByRole('button', { name: 'Downgrade' }).click()
    await expect(dialog.getByText(/Then your account moves to Free\.$/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Confirm Downgrade' }).click()
    await expect(page.getByText('Plan changed to Free')).toBeVisible()
    await expect(plan.getByText(/Subscription ends on/)).toBeVisible()
  })

  test('the dialog opens on the yearly tab for a yearly plan, and that tab has no free plan', async ({
    page,
    person,
  }) => {
    await subscribe(person, 'pro-annual')
    await page.goto('/billing')
    await page.getByRole('button', { name: 'Change Plan' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change Plan' })
    await expect(dialog.getByRole('radio', { name: /^Pro/ })).toBeChecked()
    await expect(dialog.getByRole('radio', { name: /a year/ })).toHaveCount(3)
    await expect(dialog.getByRole('radio', { name: 'Free' })).toHaveCount(0)
    await expect(dialog.getByText('Save 17%')).toBeVisible()
    await dialog.getByText('Monthly').click()
    await expect(dialog.getByRole('radio', { name: 'Free' })).toBeVisible()
  })

  test('a member sees usage, but no plan, cards or invoices', both, async ({ page, server, newPerson }) => {
    const owner = await newPerson()
    await subscribe(owner, 'starter')
    const email = `${randomUUID()}@example.com`
    await server.run('user', 'create', email, '--member-of', owner.email)
    const { token } = await createRestClient({ baseUrl: server.url }).login({ body: { email, password } })
    await signIn(page, token)
    await page.goto('/billing')
    await expect(page.getByText('Only owners and admins can see this')).toBeVisible()
    await expect(section(page, 'Monthly usage').getByText('Total operations')).toBeVisible()
    await expect(section(page, 'Current Plan')).toHaveCount(0)
    await expect(section(page, 'Billing History')).toHaveCount(0)
  })
})

test('invoices open in a new tab, as a page and as a PDF', both, async ({ page, person, context }) => {
  await addCard(person, '4242424242424242')
  await subscribe(person, 'starter')
  await person.rest.cancelSubscription({ body: { immediate: true } })
  await subscribe(person, 'pro')
  await page.goto('/billing')
  const row = section(page, 'Billing History').getByRole('row').nth(1)
  await expect(row).toContainText('$20.00')
  await expect(row.getByText('paid')).toBeVisible()
  const opened = context.waitForEvent('page')
  await row.getByRole('link', { name: /View invoice/ }).click()
  await expect((await opened).getByRole('heading', { level: 1 })).toContainText(/Invoice/)
  const pdf = row.getByRole('link', { name: /PDF/ })
  await expect(pdf).toHaveAttribute('target', '_blank')
  const answer = await page.request.get((await pdf.getAttribute('href'))!)
  expect((await answer.body()).subarray(0, 5).toString()).toBe('%PDF-')
})

test('failed loads and actions are reported', async ({ page, person }) => {
  await addCard(person, '4242424242424242')
  await addCard(person, '5555555555554444')
  await subscribe(person, 'pro')
  await person.rest.cancelSubscription({ body: {} })
  const fail = (path: string) => page.route(path, (route) => route.fulfill({ status: 400, json: {} }))
  await fail('**/api/billing/plans')
  await page.goto('/billing')
  await expect(page.getByText('Mastercard •••• 4444')).toBeVisible()
  await fail('**/api/billing/**')
  await fail('**/api/analytics')
  await fail('**/api/analytics/**')

  await page.getByRole('button', { name: 'Set as Default' }).click()
  await expect(page.getByText('Failed to update default payment method')).toBeVisible()
  await page.getByRole('button', { name: 'Remove Visa ending in 4242' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('Failed to remove payment method')).toBeVisible()
  await page.getByRole('button', { name: 'Reactivate' }).click()
  await expect(page.getByText('Failed to reactivate subscription')).toBeVisible()
  await page.getByRole('button', { name: 'Add Payment Method' }).click()
  await expect(page.getByRole('dialog').getByText('Failed to add payment method')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Change Plan' }).click()
  await expect(page.getByRole('dialog').getByText('Failed to load plans')).toBeVisible()

  await page.reload()
  for (const what of ['subscription information', 'payment methods', 'billing history', 'usage data']) {
    await expect(page.getByText(`Failed to load ${what}`)).toBeVisible()
  }
  // These two get default values silently.
  await expect(page.getByText('0 operations today')).toBeVisible()
  await expect(page.getByText('No operations this month')).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the screen and its dialogs are accessible, ${colorScheme}`, async ({ page, person }) => {
    await page.emulateMedia({ colorScheme })
    const coloursOnly = colorScheme === 'dark'
    await addCard(person, '4242424242424242')
    await subscribe(person, 'pro')
    await page.goto('/billing?canceled=true')
    await expect(page.getByText('Visa •••• 4242')).toBeVisible()
    expect(await violationsIn(page, undefined, coloursOnly)).toEqual([])
    for (const name of ['Change Plan', 'Add Payment Method', 'Cancel Subscription']) {
      await page.getByRole('button', { name }).click()
      await expect(page.getByRole('dialog', { name }).getByRole('button').nth(1)).toBeVisible()
      expect(await violationsIn(page, '[role=dialog]', coloursOnly)).toEqual([])
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
  })
}
