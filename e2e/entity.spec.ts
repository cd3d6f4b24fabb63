import { expect, test } from './fixtures.ts'

test.describe('Entity detail', () => {
  test('shows relations in both directions, observations and the graph', async ({ page, person }) => {
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
      .getByRole('group', { name: 'Graph with 3 entities and 2 relations' })
    await expect(graph).toBeVisible()
    expect(await graph.locator('..').evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThan(395)
    await relations.getByRole('link', { name: /Engine/ }).click()
    await expect(page.getByRole('heading', { name: 'Engine', level: 1 })).toBeVisible()

    const node = page
      .getByRole('group', { name: 'Graph with 2 entities and 1 relation' })
      .getByRole('link', { name: 'Ada, person' })
    await node.hover()
    const selected = page.getByRole('region', { name: 'Selected Entity' })
    await expect(selected).toContainText('Ada')
    await expect(selected.getByRole('link', { name: 'View Entity' })).toHaveAttribute(
      'href',
      `/entities/${id}`,
    )
    await node.click()
    await expect(page).toHaveURL(`/entities/${id}`)
    await page.getByRole('link', { name: 'Back' }).click()
    await expect(page).toHaveURL('/entities')
  })

  test('on a phone, values of metadata have more room than their keys', async ({ page, person }) => {
    const metadata = { url: `https://example.com/${'a'.repeat(200)}` }
    const { entity } = await person.rest.createEntity({ body: { name: 'Ada', type: 'person', metadata } })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/entities/${entity.id}?tab=metadata`)
    const value = page.getByRole('definition').filter({ hasText: 'example.com' })
    await expect(value).toBeVisible()
    expect((await value.boundingBox())!.width).toBeGreaterThan(195)
  })

  test('an overtaken undo is withdrawn, and Ctrl+Z goes back change by change', { tag: '@both' }, async ({
    page,
    person,
  }) => {
    const { entity } = await person.rest.createEntity({
      body: { name: 'Ada', type: 'person', observations: ['First wording'] },
    })
    const contents = async () => {
      const { observations } = (await person.rest.getEntity({ params: { id: entity.id } })).entity
      return observations.map(({ content }) => content)
    }
    await page.goto(`/entities/${entity.id}`)
    await page.getByText('First wording').hover()
    await page.getByRole('button', { name: 'Edit observation' }).click()
    await page.getByLabel('Observation text').fill('Second wording')
    await page.keyboard.press('Alt+2')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Observation updated')).toBeVisible()
    await page.getByText('Second wording').hover()
    await page.getByRole('button', { name: 'Delete observation' }).click()
    await expect(page.getByText('Observation deleted')).toBeVisible()
    await expect(page.getByText('Observation updated')).toHaveCount(0)
    await page.getByRole('heading', { name: 'Ada', level: 1 }).click()
    await page.keyboard.press('Control+z')
    await expect.poll(contents).toEqual(['Second wording'])
    await page.keyboard.press('Control+z')
    await expect.poll(contents).toEqual(['First wording'])
  })

  test('typed text survives a failed refresh and a deletion elsewhere', async ({ page, person }) => {
    const { entity } = await person.rest.createEntity({ body: { name: 'Ada', type: 'person' } })
    const params = { id: entity.id }
    await page.goto(`/entities/${entity.id}`)
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
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

  test('Undo restores a deleted observation, relation and entity', async ({ page, person }) => {
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

  test('an entity without relations or observations shows the empty texts', async ({ page, person }) => {
    const { entity } = await person.rest.createEntity({ body: { name: 'Alone', type: 'concept' } })
    await page.goto(`/entities/${entity.id}`)
    await expect(page.getByText('No connected entities found')).toBeVisible()
    await expect(page.getByText('No relationships found')).toBeVisible()
    await expect(page.getByText('No observations found')).toBeVisible()
  })

  test('an observation can be added and deleted in place', async ({ page, person }) => {
    const { entity } = await person.rest.createEntity({ body: { name: 'Ada', type: 'person' } })
    await page.goto(`/entities/${entity.id}`)
    await page.getByLabel('New observation').fill('Likes trains')
    await page.getByRole('tab', { name: 'History' }).click()
    await expect(page.getByText('No changes are kept').or(page.getByText('1 change').first())).toBeVisible()
    await page.getByRole('tab', { name: 'Memory' }).click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByText('Likes trains')).toBeVisible()
    await expect(page.getByLabel('New observation')).toHaveValue('')
    await page.getByText('Likes trains').hover()
    await page.getByRole('button', { name: 'Delete observation' }).click()
    await expect(page.getByText('No observations found')).toBeVisible()
  })

  test('a missing entity is reported with a way back', async ({ page, person: _ }) => {
    await page.goto('/entities/ent_missing')
    await expect(page.getByRole('alert')).toContainText('Entity not found')
    await expect(page.getByRole('link', { name: 'Back' })).toBeVisible()
  })

  test('another failure has its own text, after the loading text', async ({ page, person: _ }) => {
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

  test('builds the graph from the first ten observations if the graph call fails, and says that relations failed', async ({
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
    await expect(page.getByRole('group', { name: 'Graph with 11 entities and 10 relations' })).toBeVisible()
    await expect(page.getByText('Relationships could not be loaded')).toBeVisible()
    await expect(page.getByText('No relationships found')).toHaveCount(0)
  })

  test('deleting returns to the list; the page of a deleted entity can restore it', async ({
    page,
    person,
  }) => {
    const { entity } = await person.rest.createEntity({
      body: { name: 'Ada', type: 'person', observations: ['Plays chess'] },
    })
    await page.goto(`/entities/${entity.id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(page.getByText('Are you sure you want to delete "Ada"?')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page).toHaveURL('/entities')
    await expect(page.getByText('No entities found')).toBeVisible()
    await page.goto(`/entities/${entity.id}`)
    await expect(page.getByRole('alert')).toContainText('Entity not found')
    await expect(page.getByRole('region', { name: 'Ada' })).toContainText('Deleted by')
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect(page.getByText('Plays chess')).toBeVisible()
  })

  test('observations, names and aliases are edited in place; history shows the edits, and earlier states can be seen', async ({
    page,
    person,
  }) => {
    const { rest } = person
    const { entities } = await rest.createBatch({
      body: {
        entities: [
          {
            name: 'Ada',
            type: 'person',
            observations: ['Lives in Porto', '**Plays** chess, see https://example.com'],
          },
          { name: 'Engine', type: 'product' },
        ],
      },
    })
    const id = entities.created.find(({ name }) => name === 'Ada')!.id
    const { changes } = await rest.listChanges({ query: { limit: '1' } })
    await page.goto(`/entities/${id}`)
    await expect(page.locator('strong')).toHaveText('Plays')
    await expect(page.getByRole('link', { name: 'https://example.com' })).toHaveAttribute(
      'rel',
      /noopener.*nofollow/,
    )
    const observations = page.getByRole('region', { name: 'Observations' })
    const porto = observations.getByRole('listitem').filter({ hasText: 'Lives in Porto' })
    await expect(porto).toContainText('Ada Lovelace')
    await porto.hover()
    await porto.getByRole('button', { name: 'Edit observation' }).click()
    const field = page.getByLabel('Observation text')
    await field.press('Escape')
    await expect(field).toHaveCount(0)
    await porto.getByRole('button', { name: 'Edit observation' }).click()
    await field.fill('Lives in Lisbon')
    await field.press('Escape')
    await expect(page.getByText('Discard your changes?')).toBeVisible()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await rest.createObservations({ params: { id }, body: { content: 'Arrives meanwhile' } })
    await expect(page.getByText('Arrives meanwhile')).toBeVisible()
    await expect(field).toHaveValue('Lives in Lisbon')
    await field.press('Alt+2')
    await field.press('Control+Enter')
    await expect(observations.getByText('Lives in Lisbon')).toBeVisible()
    await expect(observations.getByText('edited', { exact: true })).toBeVisible()

    await page.getByRole('button', { name: 'Rename entity' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Engine')
    await page.getByLabel('Name', { exact: true }).press('Enter')
    await expect(page.getByText('An entity with this name already exists')).toBeVisible()
    await page.getByLabel('Name', { exact: true }).fill('Ada L.')
    await page.getByLabel('Name', { exact: true }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Ada L.', level: 1 })).toBeVisible()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Add Alias' }).click()
    await page.getByLabel('New alias').fill('Countess')
    await page.getByLabel('New alias').press('Enter')
    await expect(page.getByRole('button', { name: 'Remove alias Countess' })).toBeVisible()

    await page.getByRole('tab', { name: 'History' }).click()
    await expect(page).toHaveURL(`/entities/${id}?tab=history`)
    const edit = page.getByRole('article').filter({ hasText: 'Lisbon' })
    await expect(edit.locator('ins')).toHaveText('Lisbon')
    await edit.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Undone')).toBeVisible()
    await page.getByRole('tab', { name: 'Memory' }).click()
    await expect(observations.getByText('Lives in Porto')).toBeVisible()

    await page.goto(`/entities/${id}?asOf=${changes[0]!.seq}`)
    await expect(page.getByRole('heading', { name: 'Ada', level: 1, exact: true })).toBeVisible()
    await expect(page.getByText('Arrives meanwhile')).toHaveCount(0)
    await expect(page.getByLabel('New observation')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Edit observation' })).toHaveCount(0)
  })

  test('a relation is added and removed in place, and two entities are merged and separated again', async ({
    page,
    person,
  }) => {
    const { rest } = person
    const { entities } = await rest.createBatch({
      body: {
        entities: [
          { name: 'Ada', type: 'person', observations: ['Plays chess', 'Lives in Porto'] },
          { name: 'Ada Lovelace', type: 'person', observations: ['Plays chess', 'Writes'] },
          { name: 'Engine', type: 'product' },
        ],
        relations: [{ from: 'Ada Lovelace', to: 'Engine', type: 'member_of' }],
      },
    })
    const idOf = (wanted: string) => entities.created.find(({ name }) => name === wanted)!.id
    await page.goto(`/entities/${idOf('Ada')}`)
    const relations = page.getByRole('region', { name: 'Relationships' })
    await relations.getByRole('button', { name: 'Add relationship' }).click()
    await relations.getByRole('combobox', { name: 'Relation Type' }).click()
    await page.getByRole('option', { name: 'Member of' }).click()
    await relations.getByRole('combobox', { name: 'To Entity' }).fill('Engine')
    await page.getByRole('option', { name: 'Engine' }).click()
    await relations.getByRole('button', { name: 'Create Relation' }).click()
    await expect(relations.getByRole('link', { name: 'Member of outgoing Engine' })).toBeVisible()
    await relations.getByRole('link', { name: 'Member of outgoing Engine' }).hover()
    await relations.getByRole('button', { name: 'Remove relationship with Engine' }).click()
    await expect(relations.getByText('No relationships found')).toBeVisible()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Merge' }).click()
    await page.getByRole('combobox', { name: 'Merge with' }).fill('Lovelace')
    await page.getByRole('option', { name: 'Ada Lovelace' }).click()
    await page.getByLabel('Ada Lovelace', { exact: true }).check()
    await expect(page.getByText('will have 3 observations (1 duplicate is left out)')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
    await expect(page).toHaveURL(`/entities/${idOf('Ada Lovelace')}`)
    await expect(page.getByRole('button', { name: 'Remove alias Ada' })).toBeVisible()
    await expect(page.getByText('Lives in Porto')).toBeVisible()
    const toast = page.getByRole('alert').filter({ hasText: 'Entities merged' })
    await toast.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Lives in Porto')).toHaveCount(0)
    await page.goto(`/entities/${idOf('Ada')}`)
    await expect(page.getByText('Lives in Porto')).toBeVisible()
  })
})
