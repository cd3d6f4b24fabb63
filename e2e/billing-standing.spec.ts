import type { Page } from '@playwright/test'
import { violationsIn } from './axe.ts'
import { test as base, expect, type Person, password, subscribe } from './fixtures.ts'

/** The server's billing clock can be moved. */
const test = base.extend<object, object>({
  environment: [{ LOCI_TEST_CLOCK: 'true' }, { scope: 'worker' }],
})

const day = 86_400
const pass = ({ rest }: Person, days: number) =>
  rest.moveTestClock({ body: { advanceBySeconds: days * day } })

async function addCard({ rest }: Person, number: string) {
  const { clientSecret } = await rest.createSetupIntent({ body: {} })
  await rest.confirmTestCard({ body: { clientSecret, number, expMonth: 12, expYear: 2090, cvc: '123' } })
}

const utc = (epochSeconds: number) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(epochSeconds * 1_000)

// West of UTC, an early hour's local day is the previous day.
test.use({ timezoneId: 'Pacific/Honolulu', locale: 'en-US' })

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the billing page reports a trial, a failed payment and the end of a plan, ${colorScheme}`, async ({
    page,
    person,
  }) => {
    await page.emulateMedia({ colorScheme })
    if (colorScheme === 'dark') await page.setViewportSize({ width: 390, height: 844 })
    const picture = async (name: string) => {
      await page.screenshot({ path: test.info().outputPath(`${name}.png`), fullPage: true })
      expect(await violationsIn(page)).toEqual([])
    }
    await subscribe(person, 'pro')
    const { trialEnd } = await person.rest.subscription()
    await page.goto('/dashboard')
    await expect(
      page.getByText(
        `Your Pro trial ends on ${utc(trialEnd!)} (UTC). Add a payment method before then, or your account returns to Free.`,
      ),
    ).toBeVisible()
    await picture('trial')

    await addCard(person, '4000000000000341')
    await pass(person, 14)
    const { pastDue } = await person.rest.subscription()
    const failed = `Your last payment for Pro failed. We will try again on ${utc(pastDue!.nextTryAt!)} (UTC). If it is not paid by ${utc(pastDue!.endsAt!)} (UTC), your account returns to Free. Nothing you stored is deleted.`
    await page.goto('/dashboard')
    await expect(page.getByRole('alert').getByText(failed)).toBeVisible()
    await picture('past-due')
    await page.getByRole('link', { name: 'Go to billing' }).click()
    await expect(page.getByRole('alert').getByText(failed)).toBeVisible()
    await expect(page.getByText(`Next payment attempt: ${utc(pastDue!.nextTryAt!)} (UTC)`)).toBeVisible()
    await expect(page.getByText(/Next billing date/)).toHaveCount(0)
    await picture('past-due-billing')

    for (const days of [3, 5, 7]) await pass(person, days)
    await page.goto('/dashboard')
    const { ended } = await person.rest.subscription()
    await expect(
      page.getByText(`Pro ended on ${utc(ended!.at)} (UTC) because the payment failed.`, { exact: false }),
    ).toBeVisible()
    await page.goto('/billing')
    await expect(page.getByText('You are on Free now')).toBeVisible()
  })

  test(`an open invoice can be paid from the billing history, ${colorScheme}`, async ({
    page,
    person,
    context,
  }) => {
    await page.emulateMedia({ colorScheme })
    if (colorScheme === 'dark') await page.setViewportSize({ width: 390, height: 844 })
    await subscribe(person, 'pro')
    await addCard(person, '4000000000000341')
    await pass(person, 14)
    await page.goto('/billing')
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: /^Pay invoice/ }).click()
    const invoice = await opened
    await invoice.emulateMedia({ colorScheme })
    await expect(invoice.getByRole('heading', { name: 'Pay this invoice' })).toBeVisible()
    expect(await violationsIn(invoice)).toEqual([])
    await invoice.screenshot({ path: test.info().outputPath('open.png'), fullPage: true })
    await invoice.getByLabel('Card number').fill('4242424242424242')
    await invoice.getByLabel('Expires').fill('12/40')
    await invoice.getByLabel('Security code').fill('123')
    await invoice.getByRole('button', { name: 'Pay $20.00' }).click()
    await expect(invoice.getByText(/^Paid on .* with Visa ending in 4242$/)).toBeVisible()
    await invoice.screenshot({ path: test.info().outputPath('paid.png'), fullPage: true })
    await page.reload()
    await expect(page.getByRole('link', { name: /^View invoice/ })).toBeVisible()
    await expect(page.getByText(/Next billing date/)).toBeVisible()
  })
}

test('removing the last card of a plan asks for a second confirmation', async ({ page, person }) => {
  await addCard(person, '4242424242424242')
  await subscribe(person, 'pro')
  const { currentPeriodEnd } = await person.rest.subscription()
  await page.goto('/billing')
  await page.getByRole('button', { name: 'Remove Visa ending in 4242' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove Payment Method' })
  await expect(
    dialog.getByText(
      `Visa ending in 4242 is the only payment method for Pro. Without it, your account returns to Free when the trial ends on ${utc(currentPeriodEnd!)} (UTC).`,
      { exact: false },
    ),
  ).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(dialog.getByText('Are you sure? No payment method will be left for Pro.')).toBeVisible()
  expect((await person.rest.listPaymentMethods()).paymentMethods).toHaveLength(1)
  await dialog.getByRole('button', { name: 'Remove Last Payment Method' }).click()
  await expect(page.getByText('Payment method removed')).toBeVisible()
  await expect(page.getByText('No payment methods on file')).toBeVisible()
})

test('billing details are stored and printed on the next invoice', async ({ page, person }) => {
  await page.goto('/billing')
  const details = page.getByRole('region', { name: 'Billing Details' })
  await details.getByLabel('Name or company').fill('Analytical Engines Ltd')
  await details.getByLabel('Tax number').fill('GB123456789')
  await details.getByLabel('City').fill('London')
  await details.getByRole('combobox', { name: 'Country' }).fill('United K')
  await page.getByRole('option', { name: 'United Kingdom' }).click()
  await details.getByRole('button', { name: 'Save Billing Details' }).click()
  await expect(page.getByText('Billing details updated')).toBeVisible()
  await page.reload()
  await expect(details.getByLabel('Tax number')).toHaveValue('GB123456789')
  await expect(details.getByRole('combobox', { name: 'Country' })).toHaveValue('United Kingdom')
  await addCard(person, '4242424242424242')
  await subscribe(person, 'pro')
  await pass(person, 14)
  const { invoices } = await person.rest.listInvoices()
  await page.goto(invoices[0]!.hostedInvoiceUrl!)
  for (const text of ['Analytical Engines Ltd', 'London', 'United Kingdom', 'GB123456789']) {
    await expect(page.getByText(text)).toBeVisible()
  }
})

test.describe('Choosing a plan before reaching billing', () => {
  const expectPlan = async (page: Page, name: RegExp) => {
    const dialog = page.getByRole('dialog', { name: 'Change Plan' })
    await expect(dialog.getByRole('radio', { name })).toBeChecked()
    return dialog
  }

  test('when signed in, the pricing page opens the dialog with that plan', async ({ page, person: _ }) => {
    await page.goto('/pricing')
    await page.getByRole('link', { name: 'Choose Pro' }).first().click()
    await expect(page).toHaveURL('/billing?plan=pro&billing=monthly')
    const dialog = await expectPlan(page, /^Pro, \$20 a month/)
    await expect(dialog.getByRole('button', { name: 'Change Plan' })).toBeEnabled()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page).toHaveURL('/billing')
  })

  test('signing in on the way does the same', async ({ page, newPerson }) => {
    const { email } = await newPerson()
    await page.goto('/signup?plan=power-user&billing=annual')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in to Loci' })).toBeVisible()
    await page.getByLabel('Email Address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL('/billing?plan=power-user&billing=annual')
    await expectPlan(page, /^Power User, \$600 a year/)
  })

  test('the current plan cannot be chosen', async ({ page, person }) => {
    await subscribe(person, 'pro')
    await page.goto('/billing?plan=pro&billing=monthly')
    const dialog = await expectPlan(page, /^Pro/)
    await expect(dialog.getByRole('button', { name: 'Change Plan' })).toBeDisabled()
    await dialog.getByRole('radio', { name: /^Starter/ }).click()
    await expect(dialog.getByRole('button', { name: 'Change Plan' })).toBeEnabled()
  })
})

test('the test clock takes a subscription from trial to first payment', async ({ page, person }) => {
  await addCard(person, '4242424242424242')
  await subscribe(person, 'pro')
  const { trialEnd } = await person.rest.subscription()
  await page.goto('/billing')
  const clock = page.getByRole('region', { name: 'Test clock' })
  await clock.getByRole('button', { name: 'Move ahead 30 days' }).click()
  await expect.poll(async () => (await person.rest.subscription()).status).toBe('active')
  const { now } = await person.rest.moveTestClock({ body: {} })
  expect(now).toBeGreaterThan(trialEnd!)
  await expect(clock).toContainText(utc(now))
  await expect(page.getByRole('region', { name: 'Billing History' })).toContainText('$20.00')
})
