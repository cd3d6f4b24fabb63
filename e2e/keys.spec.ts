import { expect, test } from './fixtures.ts'

test.describe('API Keys', () => {
  test('empty, then a first key that is shown whole only once', async ({ page, person: _ }) => {
    await page.goto('/api-keys')
    await expect(page.getByText('No API keys yet')).toBeVisible()
    await page.getByRole('button', { name: 'Create Your First API Key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create API Key' })
    const create = dialog.getByRole('button', { name: 'Create API Key' })
    await expect(create).toBeDisabled()
    await dialog.getByLabel('Name').fill('   ')
    await expect(create).toBeDisabled()
    await dialog.getByLabel('Name').fill('Laptop')
    await create.click()
    await expect(page.getByText("Save this key now - you won't be able to see it again!")).toBeVisible()
    const card = page.getByRole('article')
    await expect(card.getByText('Never', { exact: true })).toBeVisible()
    await expect(card.getByText('Never expires')).toBeVisible()
    await expect(card.locator('code')).toHaveText(/^loci_.…....$/)
    await card.getByRole('button', { name: 'Reveal key' }).click()
    await expect(card.locator('code')).toHaveText(/^loci_[0-9A-Za-z]{46}$/)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.reload()
    await expect(card.locator('code')).toHaveText(/…/)
    await expect(page.getByRole('button', { name: 'Reveal key' })).toHaveCount(0)
  })

  test('over the plan: the limit is told in the dialog', async ({ page, person }) => {
    await person.rest.createKey({ body: { name: 'One', permissions: [] } })
    await page.goto('/api-keys')
    await page.getByRole('button', { name: 'Create API Key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create API Key' })
    await dialog.getByLabel('Name').fill('Two')
    await dialog.getByRole('button', { name: 'Create API Key' }).click()
    await expect(dialog.getByRole('alert')).toBeVisible()
    await expect(dialog.getByLabel('Name')).toHaveValue('Two')
  })

  test('rolling shows a new key and leaves the old one to expire', async ({ page, person }) => {
    await person.rest.createKey({ body: { name: 'Laptop', permissions: [] } })
    await page.goto('/api-keys')
    await page.getByRole('button', { name: 'Roll' }).click()
    await expect(page.getByText(/stays active for 2 weeks/)).toBeVisible()
    await page.getByRole('button', { name: 'Roll Key' }).click()
    await expect(page.getByText('"Laptop" was rolled')).toBeVisible()
    await expect(page.getByText('Expires Soon')).toBeVisible()
  })

  test('deleting lists the consequences', async ({ page, person }) => {
    await person.rest.createKey({ body: { name: 'Laptop', permissions: [] } })
    await page.goto('/api-keys')
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(3)
    await page.getByRole('button', { name: 'Delete Key' }).click()
    await expect(page.getByText('No API keys yet')).toBeVisible()
  })

  test("'Failed to load API keys'", async ({ page, person: _ }) => {
    await page.route('**/api/keys', (route) => route.fulfill({ status: 400, json: {} }))
    await page.goto('/api-keys')
    await expect(page.getByRole('alert')).toContainText('Failed to load API keys')
  })
})
