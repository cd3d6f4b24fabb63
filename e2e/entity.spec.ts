import type {} from '../web/src/graph-engine/view/test-handle.ts'
import { expect, test } from './fixtures.ts'

test.describe('Entity detail', () => {
  test('shows relations both ways, observations and the graph', async ({ page, person }) => {
    const { rest } = person
    const { entities } = await rest.createBatch({
      body: {
        entities: [
          {
            name: 'Ada',
            type: 'person',
            observations: ['First', { content: 'Second', metadata: { source: 'chat' } }],
          },
          { name: 'Charles', type: 'person' },
          { name: 'Engine', type: 'product' },
        ],
        relations: [
          { from: 'Ada', to: 'Engine', type: 'works_on' },
          { from: 'Charles', to: 'Ada', type: 'knows' },
        ],
      },
    })
    const id = entities.created.find(({ name }) => name === 'Ada')!.id
    await page.goto(`/entities/${id}`)
    await expect(page.getByRole('heading', { name: 'Ada', level: 1 })).toBeVisible()
    const relations = page.getByRole('region', { name: 'Relationships' })
    await expect(relations.getByRole('link', { name: /Works on outgoing Engine/ })).toBeVisible()
    await expect(relations.getByRole('link', { name: /Knows incoming Charles/ })).toBeVisible()
    await expect(page.getByText('Has metadata')).toHaveCount(1)
    const graph = page
      .getByRole('region', { name: 'Connected Entities' })
      .getByRole('application', { name: 'Graph with 3 entities and 2 relations' })
    await expect(graph).toBeVisible()
    expect(await graph.locator('..').evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThan(395)
    await relations.getByRole('link', { name: /Engine/ }).click()
    await expect(page.getByRole('heading', { name: 'Engine', level: 1 })).toBeVisible()

    await expect(
      page.getByRole('application', { name: 'Graph with 2 entities and 1 relation' }),
    ).toBeVisible()
    await expect.poll(() => page.evaluate(() => window.__graph?.settled())).toBe(true)
    const place = await page.evaluate((node) => window.__graph!.screen(node)!, id)
    await page.mouse.move(place.x, place.y)
    const selected = page.getByRole('region', { name: 'Selected Entity' })
    await expect(selected).toContainText('Ada')
    await expect(selected.getByRole('link', { name: 'View Entity' })).toHaveAttribute(
      'href',
      `/entities/${id}`,
    )
    await page.mouse.click(place.x, place.y)
    await expect(page).toHaveURL(`/entities/${id}`)
    await page.getByRole('link', { name: 'Back' }).click()
    await expect(page).toHaveURL('/entities')
  })

  test('what is typed outlives a failed refresh, and that the entity is deleted elsewhere', async ({
    page,
    person,
  }) => {
    const { entity } = await person.rest.createEntity({ body: { name: 'Ada', type: 'person' } })
    const params = { id: entity.id }
    await page.goto(`/entities/${entity.id}`)
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Edit' }).click()
    const name = page.getByRole('dialog').getByLabel('Name')
    await name.fill('Half typed')
    const fail = { status: 400, json: {} }
    await page.route(`**/api/entities/${entity.id}`, (route) => route.fulfill(fail), { times: 1 })
    await person.rest.createObservations({ params, body: { content: 'News' } })
    await expect(page.getByText('Failed to load entity data')).toBeAttached()
    await person.rest.deleteEntity({ params })
    await expect(page.getByText('Entity not found')).toBeAttached()
    await expect(name).toHaveValue('Half typed')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.getByText('Failed to save entity')).toBeVisible()
    await expect(name).toHaveValue('Half typed')
  })

  test('an observation, a relation and an entity that were deleted come back with Undo', async ({
    page,
    person,
  }) => {
    const { entities } = await person.rest.createBatch({
      body: {
        entities: [
          { name: 'Ada', type: 'person', observations: ['Plays chess'] },
          { name: 'Engine', type: 'product' },
        ],
        relations: [{ from: 'Ada', to: 'Engine', type: 'works_on' }],
      },
    })
    const undo = async (toast: string) => {
      const alert = page.getByRole('alert').filter({ hasText: toast })
      await alert.getByRole('button', { name: 'Undo' }).click()
      await expect(alert).toHaveCount(0)
      await expect(page.getByText('Undone').last()).toBeVisible()
    }
    await page.goto(`/entities/${entities.created.find(({ name }) => name === 'Ada')!.id}`)
    await page.getByRole('button', { name: 'Delete observation' }).click()
    await expect(page.getByText('No observations found')).toBeVisible()
    await undo('Observation deleted')
    await expect(page.getByText('Plays chess')).toBeVisible()

    await page.goto('/entities?type=person')
    await page.getByRole('button', { name: 'Entity actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete Entity' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByRole('article')).toHaveCount(0)
    await undo('Entity deleted successfully')
    await expect(page.getByRole('article')).toContainText('Ada')

    await page.goto('/relations')
    await page.getByRole('button', { name: 'Relation actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete Relation' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByText('No relations found')).toBeVisible()
    await undo('Relation deleted successfully')
    await expect(page.getByRole('row', { name: /Works on/ })).toBeVisible()
  })

  test('an entity that stands alone has the empty texts', async ({ page, person }) => {
    const { entity } = await person.rest.createEntity({ body: { name: 'Alone', type: 'concept' } })
    await page.goto(`/entities/${entity.id}`)
    await expect(page.getByText('No connected entities found')).toBeVisible()
    await expect(page.getByText('No relationships found')).toBeVisible()
    await expect(page.getByText('No observations found')).toBeVisible()
  })

  test('an observation is added and deleted in place', async ({ page, person }) => {
    const { entity } = await person.rest.createEntity({ body: { name: 'Ada', type: 'person' } })
    await page.goto(`/entities/${entity.id}`)
    await page.getByLabel('New observation').fill('Likes trains')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByText('Likes trains')).toBeVisible()
    await expect(page.getByLabel('New observation')).toHaveValue('')
    await page.getByText('Likes trains').hover()
    await page.getByRole('button', { name: 'Delete observation' }).click()
    await expect(page.getByText('No observations found')).toBeVisible()
  })

  test('a missing entity is told, with a way back', async ({ page, person: _ }) => {
    await page.goto('/entities/ent_missing')
    await expect(page.getByRole('alert')).toContainText('Entity not found')
    await expect(page.getByRole('link', { name: 'Back' })).toBeVisible()
  })

  test('another failure is told in other words, loading before it', async ({ page, person: _ }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/entities/ent_1', async (route) => {
      await held
      await route.fulfill({ status: 400, json: {} })
    })
    await page.goto('/entities/ent_1')
    await expect(page.getByText('Loading entity data...')).toBeVisible()
    release()
    await expect(page.getByRole('alert')).toContainText('Failed to load entity data')
  })

  test('without the graph call, the graph is made of the first ten observations; without relations, none', async ({
    page,
    person,
  }) => {
    const observations = Array.from({ length: 12 }, (_, i) => `Observation number ${i}`)
    const { entity } = await person.rest.createEntity({
      body: { name: 'Ada', type: 'person', observations },
    })
    await page.route('**/api/relations**', (route) => route.fulfill({ status: 400, json: {} }))
    await page.route('**/api/relations/graph/**', (route) => route.fulfill({ status: 400, json: {} }))
    await page.goto(`/entities/${entity.id}`)
    await expect(
      page.getByRole('application', { name: 'Graph with 11 entities and 10 relations' }),
    ).toBeVisible()
    await expect(page.getByText('No relationships found')).toBeVisible()
  })

  test('deleting leads back to the list', async ({ page, person }) => {
    const { entity } = await person.rest.createEntity({ body: { name: 'Ada', type: 'person' } })
    await page.goto(`/entities/${entity.id}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByText('Are you sure you want to delete "Ada"?')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page).toHaveURL('/entities')
    await expect(page.getByText('No entities found')).toBeVisible()
  })
})
