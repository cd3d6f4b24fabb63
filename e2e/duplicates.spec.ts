import { expect, test } from './fixtures.ts'

test('duplicates are merged under the chosen name, separated again, and marked as different', async ({
  page,
  person,
}) => {
  await person.rest.createBatch({
    body: {
      entities: [
        { name: 'Robert Miller', type: 'person', observations: ['Works at Acme', 'Plays chess on Sundays'] },
        { name: 'Bob Miller', type: 'person', observations: ['Plays chess on Sundays'] },
        { name: 'Ada Lovelace', type: 'person' },
      ],
      relations: [],
    },
  })
  await page.goto('/entities')
  await page.getByRole('link', { name: 'Health' }).click()
  await page.getByRole('link', { name: 'Compare duplicates' }).click()
  await expect(page.getByRole('heading', { name: 'Duplicates', level: 1 })).toBeVisible()
  const pair = page.getByRole('article')
  await expect(pair).toHaveCount(1)
  await expect(pair.getByText('Robert and Bob are forms of one name')).toBeVisible()
  await expect(pair.getByText('Both say "Plays chess on Sundays"')).toBeVisible()
  await expect(pair.getByRole('radio', { name: 'Keep the name Robert Miller' })).toBeChecked()

  await pair.getByRole('radio', { name: 'Keep the name Bob Miller' }).check()
  await pair.getByRole('button', { name: 'Merge' }).click()
  await expect(page.getByText('Robert Miller merged into Bob Miller')).toBeVisible()
  await expect(page.getByText('No duplicates found')).toBeVisible()
  const { entities } = await person.rest.listEntities({ query: { query: 'Robert Miller' } })
  expect(entities[0]).toMatchObject({ name: 'Bob Miller', aliases: ['Robert Miller'] })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(pair).toHaveCount(1)

  let asked = 0
  await page.route('**/api/duplicates?*', async (route) => {
    if (!route.request().url().includes('cursor=')) {
      const response = await route.fetch()
      return route.fulfill({ response, json: { ...(await response.json()), nextCursor: 'more' } })
    }
    asked += 1
    const last = { duplicates: [], total: 1, nextCursor: null }
    return route.fulfill(asked === 1 ? { status: 400, json: {} } : { json: last })
  })
  await page.reload()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(page.getByRole('alert')).toContainText('Failed to look for more')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(pair).toHaveCount(1)
  await page.unroute('**/api/duplicates?*')

  await pair.getByRole('button', { name: 'Not the same' }).click()
  await expect(page.getByText('Robert Miller and Bob Miller kept separate')).toBeVisible()
  await expect(page.getByText('No duplicates found')).toBeVisible()
  await page.reload()
  await expect(page.getByText('No duplicates found')).toBeVisible()
})
