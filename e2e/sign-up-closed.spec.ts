import { violationsIn } from './axe.ts'
import { test as base, expect } from './fixtures.ts'

/** On this server only the operator can create accounts. */
const test = base.extend<object, object>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  environment: [async ({}, use) => use({ LOCI_SIGN_UP: 'invited' }), { scope: 'worker' }],
})

test('the sign-up page says that sign-up is closed and leads to sign-in', async ({ page }) => {
  await page.goto('/signup?plan=pro')
  await expect(page.getByRole('status')).toContainText('By invitation only')
  await expect(page.getByText('Ask the person who runs this server for an account.')).toBeVisible()
  await expect(page.getByLabel('Email Address')).toHaveCount(0)
  await expect(page.getByText('Selected Plan')).toHaveCount(0)
  expect(await violationsIn(page)).toEqual([])
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('link', { name: 'Back to home' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create an account' })).toHaveCount(0)
})
