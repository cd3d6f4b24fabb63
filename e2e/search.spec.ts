import { expect, test } from './fixtures.ts'

test.describe('Search', () => {
  test('ranks results, marks matches, and keeps filters in the address', async ({ page, person }) => {
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
    const deploys = page.getByRole('listitem').filter({ hasText: 'Reviews happen on Monday' })
    await expect(deploys.getByText('Ada Lovelace')).toBeVisible()
    await deploys.hover()
    await deploys.getByText('Why this result?').click()
    await expect(deploys.getByText('It contains your words')).toBeVisible()
    const context = page.getByRole('region', { name: 'What an agent would get' })
    await context.getByText('Show the answer').click()
    await expect(context).toContainText('Reviews happen on Monday')
    await expect(page.getByRole('region', { name: 'Where it was found' })).toBeVisible()
    await page.getByRole('button', { name: /^person/ }).click()
    await expect(page).toHaveURL('/search?query=reviews&type=person')
    await expect(page.getByRole('link', { name: 'Deploys', exact: true })).toHaveCount(0)
    await page.getByRole('button', { name: 'Choose dates…' }).click()
    await page.getByLabel('Until').fill('2001-01-01')
    await expect(page.getByText('No results found')).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('link', { name: 'Ada', exact: true })).toBeVisible()
  })

  test('both ends of a relation are readable, however long the name of one', async ({ page, person }) => {
    const long = 'Reviewers of every change '.repeat(19).trim()
    await person.rest.createBatch({
      body: {
        entities: [
          { name: long, type: 'team' },
          { name: 'Ada', type: 'person' },
        ],
        relations: [{ from: long, to: 'Ada', type: 'led_by' }],
      },
    })
    await page.goto('/search?query=ada')
    const line = page.getByRole('region', { name: 'Relations' }).getByRole('listitem')
    const end = line.getByRole('link', { name: 'Ada', exact: true })
    await expect(end).toBeVisible()
    const isCut = await end.locator('bdi').evaluate((name) => name.scrollWidth > name.clientWidth)
    expect(isCut).toBe(false)
  })

  test('a question too long for an address is answered', async ({ page, person }) => {
    await person.rest.createEntity({
      body: { name: 'Ada', type: 'person', observations: ['Prefers asynchronous reviews'] },
    })
    await page.goto('/search')
    const asked = page.waitForRequest((request) => request.url().endsWith('/api/search/observations'))
    await page.getByLabel('Search knowledge').fill(`reviews ${'漢'.repeat(2_500)}`)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    expect((await asked).method()).toBe('POST')
    await expect(page.getByRole('link', { name: 'Ada', exact: true })).toBeVisible()
  })

  test('says how a question was understood, and sets guesses apart', async ({ page, person }) => {
    await person.rest.createBatch({
      body: {
        entities: [
          { name: 'Ada', type: 'person', observations: ['Fixes every deadlock'] },
          {
            name: 'Outage',
            type: 'incident',
            metadata: { severity: 'sev1' },
            observations: ['Began at noon'],
          },
        ],
        relations: [{ from: 'Ada', to: 'Outage', type: 'handled' }],
      },
    })
    await page.goto('/search?query=dedlocks%20zeppelin')
    await expect(page.getByRole('heading', { name: 'Similar spelling: deadlock' })).toBeVisible()
    await expect(page.getByRole('list', { name: 'How the query was interpreted' })).toContainText('zeppelin')
    await page.goto('/search?query=severity%20sev1')
    await expect(page.getByRole('region', { name: 'Entities' })).toContainText('severity: sev1')
    await page.goto('/search?query=who%20handled%20the%20outage')
    await expect(page.getByText('handled', { exact: true }).first()).toBeVisible()
  })
})
