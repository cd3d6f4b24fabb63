import { createRestClient } from '@loci/client/rest'
import { violationsIn } from './axe.ts'
import { test as base, expect } from './fixtures.ts'

/** The server does not charge. */
const test = base.extend<object, object>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  environment: [async ({}, use) => use({ LOCI_BILLING: 'off' }), { scope: 'worker' }],
})

test('the billing screen says so and shows no plan, card or invoice', async ({ page, person }) => {
  await person.rest.createEntity({ body: { name: 'Ada', type: 'person' } })
  await page.goto('/billing')
  await expect(page.getByRole('heading', { name: 'This server does not charge' })).toBeVisible()
  await expect(page.getByText('1, unlimited')).toBeVisible()
  await expect(page.getByRole('button', { name: /Plan|Payment/ })).toHaveCount(0)
  await expect(page.getByText(/\$\d/)).toHaveCount(0)
  expect(await violationsIn(page)).toEqual([])
})

test('the dashboard says so too', async ({ page, person }) => {
  await person.rest.createEntity({ body: { name: 'Ada', type: 'person' } })
  await page.goto('/dashboard')
  await expect(page.getByText('This server does not charge and sets no limits.')).toBeVisible()
  await expect(page.getByText(/plan$/)).toHaveCount(0)
})

test('the pricing page has no prices and leads to a plain sign-up', async ({ page }) => {
  await page.goto('/pricing')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This server does not charge')
  await expect(page.getByText(/\$\d/)).toHaveCount(0)
  expect(await violationsIn(page)).toEqual([])
  await page.getByRole('main').getByRole('link', { name: 'Create Account' }).click()
  await expect(page).toHaveURL('/signup')
})

test('the landing page leads to sign-up and names no prices', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Pricing' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Get Started Free' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Get Started', exact: true }).first().click()
  await expect(page).toHaveURL('/signup')
})

test('nor does a phone name prices', async ({ browser, baseURL }) => {
  const phone = await browser.newContext({
    baseURL: baseURL!,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await phone.newPage()
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Pricing' })).toHaveCount(0)
  await phone.close()
})

test('a plan in the sign-up address is not offered', async ({ page }) => {
  await page.goto('/signup?plan=pro&billing=annual')
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeVisible()
  await expect(page.getByText('Selected Plan')).toHaveCount(0)
})

test('operation counts on one screen agree', async ({ page, person, serverUrl }) => {
  const agent = createRestClient({ baseUrl: serverUrl, token: () => person.apiKey })
  for (const name of ['Ada', 'Charles', 'Grace']) {
    await agent.createEntity({ body: { name, type: 'person' } })
  }
  await agent.listEntities()
  await page.goto('/billing')
  const today = page.getByText(/^\d+ operations today$/)
  await expect(today).toBeVisible()
  const operations = Number.parseInt((await today.textContent()) ?? '', 10)
  expect(operations).toBe(4)
  await expect(page.getByText(`${operations}, unlimited`, { exact: true })).toBeVisible()
  const total = page.getByRole('listitem').filter({ hasText: 'Total operations' })
  await expect(total).toHaveText(`Total operations${operations}100%`)
})
