import { expect, test } from './fixtures.ts'

test.describe('Search', () => {
  test('ranks, marks what matched, and keeps filters in the address', async ({ page, person }) => {
    await person.rest.createBatch({
      body: {
        entities: [
          { name: 'Ada', type: 'person', observations: ['Prefers asynchronous reviews'] },
          { name: 'Deploys', type: 'concept', observations: ['Reviews happen on Monday'] },
          { name: 'Kyoto', type: 'event', observations: ['Nothing to see'] },
        ],
      },
    })
    await page.goto('/search')
    await page.getByLabel('Search knowledge').fill('reviews')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page).toHaveURL('/search?query=reviews')
    await expect(page.locator('mark').first()).toHaveText(/reviews/i)
    await expect(page.getByRole('link', { name: 'Ada', exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Deploys', exact: true })).toBeVisible()
    const deploys = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: 'Deploys', exact: true }) })
    await expect(deploys.getByText('It has the words you asked for')).toBeHidden()
    await deploys.getByText('Why this result?').click()
    await expect(deploys.getByText('It has the words you asked for')).toBeVisible()
    await page.getByRole('combobox', { name: 'Entity type' }).click()
    await page.getByRole('option', { name: 'Person' }).click()
    await expect(page).toHaveURL('/search?query=reviews&type=person')
    await expect(page.getByRole('link', { name: 'Deploys', exact: true })).toHaveCount(0)
    await page.getByLabel('Until').fill('2001-01-01')
    await expect(page.getByText('No results found')).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('link', { name: 'Ada', exact: true })).toBeVisible()
  })

  test('a question too long for an address is answered', async ({ page, person }) => {
    await person.rest.createEntity({
      body: { name: 'Ada', type: 'person', observations: ['Prefers asynchronous reviews'] },
    })
    await page.goto('/search')
    const asked = page.waitForRequest((request) => request.url().endsWith('/api/search'))
    await page.getByLabel('Search knowledge').fill(`reviews ${'漢'.repeat(2_500)}`)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    expect((await asked).method()).toBe('POST')
    await expect(page.getByRole('link', { name: 'Ada', exact: true })).toBeVisible()
  })
})
