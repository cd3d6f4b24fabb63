import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRestClient } from '@loci/client/rest'
import type { Page } from '@playwright/test'
import { expect, password, test } from './fixtures.ts'
import { type RunningServer, startServer } from './server.ts'

const title = "Take over this computer's memory"
let server: RunningServer

test.beforeEach(async () => {
  server = await startServer()
})
test.afterEach(() => server.stop())

/** Stores entities without an account, as an agent does. */
async function store(...names: string[]) {
  const dir = await mkdtemp(join(tmpdir(), 'loci-e2e-claim-'))
  const file = join(dir, 'memory.jsonl')
  const lines = names.map((name) => ({ type: 'entity', name, entityType: 'thing', observations: ['A fact'] }))
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  await server.run('import', file)
  await rm(dir, { recursive: true })
}

async function fill(page: Page) {
  await page.getByLabel('First Name').fill('Ada')
  await page.getByLabel('Last Name').fill('Lovelace')
  await page.getByLabel('Email Address').fill(`${randomUUID()}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
}

async function signUp(page: Page) {
  await fill(page)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.waitForURL('**/dashboard')
}

test('memory stored before sign-up belongs to whoever signs up with the link, and to nobody before', async ({
  page,
}) => {
  await store('Early')
  await page.goto(`${server.url}/signup`)
  await expect(page.getByText('This computer holds memory without an account')).toBeVisible()
  await signUp(page)
  await page.goto(`${server.url}/entities`)
  await expect(page.getByText('Early')).toHaveCount(0)

  await page.evaluate(() => localStorage.clear())
  await page.goto('about:blank')
  await page.goto((await server.run('claim')).trim())
  await expect(page.getByText(title)).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/signup`)
  await signUp(page)
  await expect(page.getByText(title)).toHaveCount(0)
  await page.goto(`${server.url}/entities`)
  await expect(page.getByText('Early').first()).toBeVisible()
})

test('a person with an account adds the memory to theirs', async ({ page }) => {
  await store('Early', 'Other')
  const link = (await server.run('claim')).trim()
  const email = `${randomUUID()}@example.com`
  const anonymous = createRestClient({ baseUrl: server.url })
  await anonymous.register({ body: { email, password, firstName: 'Ada', lastName: 'Lovelace' } })
  await page.goto(link)
  await page.getByRole('link', { name: 'Sign in' }).click()
  // The sign-up page has fields of the same names.
  await expect(page.getByRole('heading', { name: 'Sign in to Loci' })).toBeVisible()
  await expect(page.getByText(title)).toBeVisible()
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.getByRole('button', { name: 'Add to my memory' }).click()
  await expect(page.getByText('Memory taken over: added 2 entities and 2 observations')).toBeVisible()
  await expect(page.getByText(title)).toHaveCount(0)
  await page.goto(`${server.url}/entities`)
  await expect(page.getByText('Early').first()).toBeVisible()

  // The link no longer works.
  await page.goto('about:blank')
  await page.goto(link)
  await page.getByRole('button', { name: 'Add to my memory' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'This link has been used' })).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText(title)).toHaveCount(0)
})

test('a sign-up link that is no longer valid promises nothing', async ({ page }) => {
  await store('Early')
  await page.goto(`${server.url}/signup#claim=used`)
  await expect(page.getByText(title)).toBeVisible()
  await fill(page)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'This link has been used' })).toBeVisible()
  await expect(page.getByText(title)).toHaveCount(0)
  await expect(page.getByText('This computer holds memory without an account')).toBeVisible()
})
