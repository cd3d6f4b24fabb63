import { expect, test } from './fixtures.ts'

test.describe('History', () => {
  test('shows what each call changed and who made it, and undoes a call', async ({ page, person }) => {
    const { rest } = person
    const { entities } = await rest.createBatch({
      body: {
        entities: [
          { name: 'Settlement', type: 'service', observations: ['Never restart from 01:00 to 02:00 UTC.'] },
          { name: 'Ada', type: 'person' },
        ],
        relations: [{ from: 'Ada', to: 'Settlement', type: 'owns' }],
      },
    })
    const { id } = entities.created.find(({ name }) => name === 'Settlement')!
    const [observation] = (await rest.getEntity({ params: { id } })).entity.observations
    const params = { id, observationId: observation!.id }
    await rest.updateObservation({ params, body: { content: 'Never restart from 01:00 to 02:30 UTC.' } })
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'History' }).first().click()
    await expect(page).toHaveURL('/history')
    const calls = page.getByRole('article')
    await expect(calls).toHaveCount(2)
    await expect(calls.last().getByRole('listitem')).toHaveCount(4)
    await expect(calls.last()).toContainText('Ada owns Settlement')
    await expect(calls.last().getByRole('link', { name: 'Settlement' })).toHaveCount(3)
    await expect(calls.first().locator('del')).toHaveText('02:00 ')
    await expect(calls.first().locator('ins')).toHaveText('02:30 ')

    await calls.first().getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Undone')).toBeVisible()
    await expect(calls).toHaveCount(3)
    expect((await rest.getEntity({ params: { id } })).entity.observations).toMatchObject([
      { id: observation!.id, content: 'Never restart from 01:00 to 02:00 UTC.' },
    ])

    const facet = (name: string) => page.getByRole('button', { name, exact: true })
    await expect(facet('Relations 1')).toBeVisible()
    await facet('Relations 1').click()
    await expect(page).toHaveURL('/history?kind=relations')
    await expect(calls).toHaveCount(1)
    await facet('Merges 0').click()
    await expect(page.getByText('No changes match these filters')).toBeVisible()
    await page.getByRole('link', { name: 'Clear Filters' }).click()
    await expect(calls).toHaveCount(3)
  })

  test('a call whose changes were changed again cannot be undone, and says why', async ({ page, person }) => {
    const { entity } = await person.rest.createEntity({ body: { name: 'Ada', type: 'person' } })
    await person.rest.updateEntity({ params: { id: entity.id }, body: { name: 'Ada L.', type: 'person' } })
    await page.goto(`/entities/${entity.id}`)
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByRole('article').last().getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to undo' })).toBeVisible()
    expect((await person.rest.getEntity({ params: { id: entity.id } })).entity.name).toBe('Ada L.')
  })
})
