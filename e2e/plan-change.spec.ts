import { violationsIn } from './axe.ts'
import { test as base, expect, subscribe } from './fixtures.ts'

/** The server's billing clock can be moved. */
const test = base.extend<object, object>({
  environment: [{ LOCI_TEST_CLOCK: 'true' }, { scope: 'worker' }],
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`an upgrade shows its cost and asks before charging, ${colorScheme}`, async ({ page, person }) => {
    await page.emulateMedia({ colorScheme })
    if (colorScheme === 'dark') await page.setViewportSize({ width: 390, height: 844 })
    const { rest } = person
    const { clientSecret } = await rest.createSetupIntent({ body: {} })
    const card = { number: '4242424242424242', expMonth: 12, expYear: 2090, cvc: '123' }
    await rest.confirmTestCard({ body: { clientSecret, ...card } })
    await subscribe(person, 'starter')
    const advanceBySeconds = 14 * 86_400
    await rest.moveTestClock({ body: { advanceBySeconds } })

    await page.goto('/billing')
    await page.getByRole('button', { name: 'Change Plan' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change Plan' })
    await dialog.getByRole('radio', { name: /^Power User/ }).click()
    await dialog.getByRole('button', { name: 'Change Plan' }).click()
    await expect(dialog.getByText('Power User (monthly) starts now.')).toBeVisible()
    await expect(dialog.getByRole('row', { name: /^Unused time on Starter \(monthly\) -\$/ })).toBeVisible()
    await expect(dialog.getByRole('row', { name: /^Due now \$50\.00$/ })).toBeVisible()
    expect(await violationsIn(page, '[role=dialog]')).toEqual([])
    await page.screenshot({ path: test.info().outputPath('dialog.png') })
    expect(await rest.listInvoices()).toMatchObject({ invoices: [{ amount: 1_000 }] })

    await dialog.getByRole('button', { name: 'Pay $50.00' }).click()
    await expect(page.getByText('Plan changed successfully')).toBeVisible()
    await expect(page.getByRole('cell', { name: '$50.00' })).toBeVisible()
  })
}
