import { expect, subscribe, test } from './fixtures.ts'

test.describe('Entity Management', () => {
  test('says that it is empty and offers to create an entity', async ({ page, person: _ }) => {
    await page.goto('/entities')
    await expect(page.getByRole('heading', { name: 'Entity Management' })).toBeVisible()
    await expect(page.getByText('No entities found')).toBeVisible()
    await expect(page.getByText('Create your first entity to get started')).toBeVisible()
  })

  test('creates an entity, dropping blank observations and trimming the name', async ({ page, person }) => {
    await page.goto('/entities')
    await page.getByRole('button', { name: 'Create Entity' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create Entity' })
    await dialog.getByRole('button', { name: 'Create Entity' }).click()
    await expect(dialog.getByText('Name is required')).toBeVisible()
    await expect(dialog.getByText('Type is required')).toBeVisible()
    await expect(dialog.getByRole('button', { name: /Remove observation/ })).toHaveCount(0)

    await dialog.getByLabel('Name').fill('  Ada Lovelace ')
    await dialog.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'person' }).click()
    await dialog.getByLabel('Metadata').fill('{oops')
    await dialog.getByRole('button', { name: 'Create Entity' }).click()
    await expect(dialog.getByText('Invalid JSON format')).toBeVisible()

    await dialog.getByLabel('Metadata').fill('{"born": 1815, "died": 1852, "in": "London", "of": 36}')
    await dialog.getByRole('textbox', { name: 'Observation 1' }).fill('Wrote the first program')
    await dialog.getByRole('button', { name: 'Add Observation' }).click()
    await dialog.getByRole('textbox', { name: 'Observation 2' }).fill('   ')
    await dialog.getByRole('button', { name: 'Create Entity' }).click()

    await expect(page.getByText('Entity created successfully')).toBeVisible()
    await expect(dialog).toHaveCount(0)
    const card = page.getByRole('article')
    await expect(card.getByRole('link', { name: 'Ada Lovelace' })).toBeVisible()
    await expect(card.getByText('person')).toBeVisible()
    await expect(card.getByText('1 observation', { exact: true })).toBeVisible()
    await expect(card.getByRole('term')).toHaveText(['born:', 'died:', 'in:'])
    await expect(page.getByText('1 entity', { exact: true })).toBeVisible()
    const { entities } = await person.rest.listEntities()
    expect(entities[0]?.name).toBe('Ada Lovelace')
  })

  test('Custom Type... shows a free text field', async ({ page, person: _ }) => {
    await page.goto('/entities?create=true')
    const dialog = page.getByRole('dialog', { name: 'Create Entity' })
    await dialog.getByLabel('Name').fill('A paper')
    await dialog.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Custom Type...' }).click()
    await dialog.getByRole('button', { name: 'Create Entity' }).click()
    await expect(dialog.getByText('Type is required')).toBeVisible()
    await dialog.getByLabel('Custom type').fill('research paper')
    await dialog.getByRole('button', { name: 'Create Entity' }).click()
    await expect(page.getByRole('article').getByText('research paper')).toBeVisible()
  })

  test('a name that is taken is reported at its field and keeps what was typed', async ({ page, person }) => {
    await person.rest.createEntity({ body: { name: 'Ada', type: 'person' } })
    await page.goto('/entities?create=true')
    const dialog = page.getByRole('dialog', { name: 'Create Entity' })
    await dialog.getByLabel('Name').fill('Ada')
    await dialog.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'person' }).click()
    await dialog.getByRole('textbox', { name: 'Observation 1' }).fill('Still here')
    await dialog.getByRole('button', { name: 'Create Entity' }).click()
    await expect(page.getByText('Failed to save entity')).toBeVisible()
    await expect(dialog.getByText(/already exists|taken/i)).toBeVisible()
    await expect(dialog.getByRole('textbox', { name: 'Observation 1' })).toHaveValue('Still here')
  })

  test('edits an entity, and shows a conflict instead of overwriting', async ({ page, person }) => {
    const { entity } = await person.rest.createEntity({
      body: { name: 'Ada', type: 'person', observations: ['One'] },
    })
    await page.goto('/entities')
    await page.getByRole('button', { name: 'Entity actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit Entity' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Entity' })
    await expect(dialog.getByLabel('Name')).toHaveValue('Ada')
    await dialog.getByRole('textbox', { name: 'Observation 1' }).fill('Mine')
    await person.rest.updateEntity({
      params: { id: entity.id },
      body: { name: 'Ada', type: 'person', observations: ['Theirs'] },
    })
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await expect(dialog.getByText('This entity was changed elsewhere')).toBeVisible()
    await expect(dialog.getByRole('textbox', { name: 'Observation 1' })).toHaveValue('Mine')
    await dialog.getByRole('button', { name: 'Load latest' }).click()
    await expect(dialog.getByRole('textbox', { name: 'Observation 1' })).toHaveValue('Theirs')
    await dialog.getByLabel('Name').fill('Ada King')
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.getByText('Entity updated successfully')).toBeVisible()
    await expect(page.getByRole('article').getByText('Ada King')).toBeVisible()
  })

  test('Edit Entity shows every observation in full with reduced motion', async ({ page, person }) => {
    const observations = [
      'A customer of Haldvik Freight',
      'Refuses any carrier without GDP certification',
      'Wants a phone call, not a mail, when a delivery is late',
    ]
    const metadata = { kind: 'customer' }
    await person.rest.createEntity({
      body: { name: 'Orbis Medical', type: 'company', metadata, observations },
    })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    // Content that arrives while the dialog is open makes it measure again.
    await page.goto('/entities', { waitUntil: 'networkidle' })
    await page.getByRole('button', { name: 'Entity actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit Entity' }).click()
    const boxes = page.getByRole('dialog').getByRole('textbox', { name: /Observation/ })
    await expect(boxes).toHaveCount(3)
    const cutOff = () =>
      boxes.evaluateAll((all) => all.map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight))
    await expect.poll(cutOff).toEqual([0, 0, 0])
  })

  test('View Details shows everything', async ({ page, person }) => {
    const { entity } = await person.rest.createEntity({ body: { name: 'Bare', type: 'event' } })
    await page.goto('/entities')
    await page.getByRole('button', { name: 'Entity actions' }).click()
    await page.getByRole('menuitem', { name: 'View Details' }).click()
    const dialog = page.getByRole('dialog', { name: 'Bare' })
    await expect(dialog.getByText('No observations')).toBeVisible()
    await expect(dialog.getByText(entity.id)).toBeVisible()
    await dialog.getByRole('button', { name: 'Edit Entity' }).click()
    await expect(page.getByRole('dialog', { name: 'Edit Entity' })).toBeVisible()
  })

  test('View Details prints metadata and says how many observations it leaves out', async ({
    page,
    person,
  }) => {
    const observations = Array.from({ length: 201 }, (_, i) => `Fact ${i}`)
    await person.rest.createEntity({
      body: { name: 'Full', type: 'event', metadata: { a: 1 }, observations },
    })
    await page.goto('/entities')
    await page.getByRole('button', { name: 'Entity actions' }).click()
    await page.getByRole('menuitem', { name: 'View Details' }).click()
    const dialog = page.getByRole('dialog', { name: 'Full' })
    await expect(dialog.getByRole('term')).toHaveText(['Type', 'Created', 'Updated', 'ID'])
    await expect(dialog.locator('pre')).toHaveText('{\n  "a": 1\n}', { useInnerText: true })
    await expect(dialog.getByRole('listitem')).toHaveCount(200)
    await expect(dialog.getByText('1 more observation')).toBeAttached()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await expect(dialog).toHaveCount(0)
  })

  test('deleting asks first; its toast stays at the top right for five seconds, and no live note repeats it', async ({
    page,
    person,
  }) => {
    await page.clock.install()
    await person.rest.createBatch({
      body: {
        entities: [
          { name: 'Ada', type: 'person' },
          { name: 'Engine', type: 'product' },
        ],
        relations: [{ from: 'Ada', to: 'Engine', type: 'uses' }],
      },
    })
    await page.goto('/entities?type=person')
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Entity actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete Entity' }).click()
    await expect(page.getByText('Are you sure you want to delete "Ada"?')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('article')).toHaveCount(1)
    await page.getByRole('button', { name: 'Entity actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete Entity' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const toast = page.getByRole('alert').filter({ hasText: 'Entity deleted successfully' })
    await expect(toast).toBeVisible()
    await expect(page.getByText('No entities found')).toBeVisible()
    const { x, y, width } = (await toast.boundingBox())!
    expect([y < 100, x + width > 1_200]).toEqual([true, true])
    await page.clock.runFor(4_000)
    await expect(toast).toBeVisible()
    await page.clock.runFor(1_500)
    await expect(toast).toHaveCount(0)
    await person.rest.createEntity({ body: { name: 'Later', type: 'concept' } })
    const news = page.getByRole('list', { name: 'Live notifications' }).getByRole('listitem')
    await expect(news).toHaveText(['Entity created: Later'])
  })

  test('the filter is kept in the address and survives a reload', async ({ page, person }) => {
    await person.rest.createEntity({ body: { name: 'Ada Lovelace', type: 'person' } })
    await person.rest.createEntity({ body: { name: 'Analytical Engine', type: 'product' } })
    await page.goto('/entities')
    await page.getByLabel('Search entities').fill('Engine')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page).toHaveURL('/entities?query=Engine')
    await expect(page.getByRole('article').first()).toContainText('Analytical Engine')
    await page.reload()
    await expect(page.getByLabel('Search entities')).toHaveValue('Engine')
    await page.goto('/entities')
    await page.getByRole('combobox', { name: 'Entity type' }).click()
    await expect(page.getByRole('option')).toHaveText(['All Types', 'person (1)', 'product (1)'])
    await page.getByRole('option', { name: 'person (1)' }).click()
    await expect(page).toHaveURL('/entities?type=person')
    await expect(page.getByRole('article')).toHaveCount(1)
    // Clicks anywhere on the card.
    await page.getByRole('article').click({ position: { x: 12, y: 12 } })
    await expect(page).toHaveURL(/\/entities\/ent_/)
  })

  test('sorting, selecting, changing types, merging and deleting work on several entities, and each can be undone', async ({
    page,
    person,
  }) => {
    const names = ['Bravo', 'Alpha', 'Charlie']
    const entities = names.map((name, i) => ({
      name,
      type: 'service',
      observations: Array.from({ length: i + 1 }, (_, fact) => `${name} fact ${fact}`),
    }))
    await person.rest.createBatch({ body: { entities, relations: [] } })
    await page.goto('/entities')
    await expect(page.getByRole('article').filter({ hasText: 'Charlie fact 2' })).toContainText(
      'Charlie fact 1',
    )
    await page.locator('label').filter({ hasText: 'Table' }).click()
    const cells = page.getByRole('row').locator('a')
    await page.getByRole('button', { name: 'Name' }).click()
    await expect(cells).toHaveText(['Alpha', 'Bravo', 'Charlie'])
    await page.getByRole('button', { name: 'Observations' }).click()
    await expect(cells).toHaveText(['Charlie', 'Alpha', 'Bravo'])
    await expect(page).toHaveURL('/entities?sort=facts')
    await page.reload()
    await expect(cells).toHaveText(['Charlie', 'Alpha', 'Bravo'])

    const bar = page.getByRole('region', { name: 'Selected entities' })
    const undo = async (said: string) => {
      const toast = page.getByRole('alert').filter({ hasText: said })
      await toast.getByRole('button', { name: 'Undo' }).click()
      await expect(toast).toHaveCount(0)
    }
    await page.getByRole('checkbox', { name: 'Select Alpha' }).check()
    await page.getByRole('checkbox', { name: 'Select Bravo' }).check()
    await expect(bar).toContainText('2 selected')
    await bar.getByRole('button', { name: 'Change type' }).click()
    await page.getByRole('combobox', { name: 'New type of 2 entities' }).fill('team')
    await page.getByRole('button', { name: 'Change Type', exact: true }).click()
    await expect(page.getByRole('cell', { name: 'team' })).toHaveCount(2)
    await undo('2 entities changed to team')
    await expect(page.getByRole('cell', { name: 'service' })).toHaveCount(3)

    await page.getByRole('checkbox', { name: 'Select all loaded' }).check()
    await bar.getByRole('button', { name: 'Merge' }).click()
    await page.getByRole('radio', { name: 'Alpha' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
    await expect(cells).toHaveText(['Alpha'])
    await undo('2 entities merged into Alpha')
    await expect(cells).toHaveCount(3)

    await page.getByRole('checkbox', { name: 'Select Charlie' }).check()
    await bar.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(cells).toHaveText(['Alpha', 'Bravo'])
    await expect(bar).toHaveCount(0)
    await undo('1 entity deleted')
    await expect(cells).toHaveCount(3)

    // With only one space there is nowhere to move anything.
    await page.getByRole('checkbox', { name: 'Select Charlie' }).check()
    await expect(bar.getByRole('button', { name: 'Move' })).toHaveCount(0)
    await person.rest.createSpace({ body: { name: 'Archive' } })
    await page.reload()
    await page.getByRole('checkbox', { name: 'Select Charlie' }).check()
    await bar.getByRole('button', { name: 'Move' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
    await expect(cells).toHaveText(['Alpha', 'Bravo'])
    const inArchive = () => person.rest.listEntities({ headers: { 'loci-space': 'Archive' } })
    expect((await inArchive()).total).toBe(1)
    await undo('1 entity moved to Archive')
    await expect(cells).toHaveCount(3)
    expect((await inArchive()).total).toBe(0)
  })

  test('types can be renamed and coloured; an earlier state shows the list as it was', async ({
    page,
    person,
  }) => {
    await person.rest.createEntity({ body: { name: 'Ledger', type: 'svc' } })
    const { nextCursor: _, changes } = await person.rest.listChanges()
    await person.rest.createEntity({ body: { name: 'Payouts', type: 'team' } })
    await page.goto('/entities')
    await page.getByRole('button', { name: 'Edit types' }).click()
    const dialog = page.getByRole('dialog', { name: 'Entity Types' })
    await dialog.getByRole('button', { name: 'Rename svc' }).click()
    await dialog.getByRole('textbox', { name: 'New name of svc' }).fill('service')
    await dialog.getByRole('button', { name: 'Rename', exact: true }).click()
    await expect(page.getByText('Type "svc" renamed to "service"')).toBeVisible()
    await dialog.getByRole('button', { name: 'Colour of service' }).click()
    await page.getByRole('button', { name: 'Colour 9', exact: true }).click()
    const colourOf = async () =>
      (await person.rest.listEntityTypes()).types.find(({ type }) => type === 'service')?.colour
    await expect.poll(colourOf).toBe(9)
    await dialog.getByRole('button', { name: 'Close dialog' }).click()
    await expect(page.getByRole('article').filter({ hasText: 'Ledger' })).toContainText('service')

    await page.goto(`/entities?asOf=${changes[0]!.seq}`)
    const bar = page.getByRole('region', { name: 'Earlier state' })
    await expect(bar).toBeVisible()
    await expect(page.getByRole('article')).toHaveText(/Ledger.*svc/)
    await expect(page.getByRole('button', { name: 'Create Entity' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Entity actions' })).toHaveCount(0)
    await page.getByRole('link', { name: 'Relations', exact: true }).first().click()
    await expect(page).toHaveURL(`/relations?asOf=${changes[0]!.seq}`)
    await bar.getByRole('button', { name: 'Back to now' }).click()
    await expect(page).toHaveURL('/relations')
    await expect(bar).toHaveCount(0)
  })

  test('an address with a moment that is none shows the present', async ({ page, person }) => {
    const body = { name: 'Ada', type: 'person', observations: ['Likes tea'] }
    const { entity } = await person.rest.createEntity({ body })
    const bar = page.getByRole('region', { name: 'Earlier state' })
    await page.goto('/entities?asOf=banana')
    await expect(page.getByRole('article')).toHaveText(/Ada/)
    await expect(page.getByRole('button', { name: 'Create Entity' })).toBeVisible()
    await expect(bar).toHaveCount(0)
    await page.goto(`/entities/${entity.id}?asOf=2026-13-40`)
    await expect(page.getByText('Likes tea')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
    await page.goto('/relations?asOf=-1')
    await expect(page.getByText('No relations found')).toBeVisible()
    await page.goto('/graph?asOf=banana')
    await expect(page.getByText('Failed to load graph data')).toHaveCount(0)
    await expect(page.getByText('Knowledge Graph Visualization')).toBeVisible()
    await expect(bar).toHaveCount(0)
  })

  test('a failing server is shown in red', async ({ page, person }) => {
    await person.rest.createEntity({ body: { name: 'Ada', type: 'person' } })
    await page.goto('/entities')
    const fail = (path: string) => page.route(path, (route) => route.fulfill({ status: 400, json: {} }))
    await fail('**/api/entities/*')
    await page.getByRole('button', { name: 'Entity actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete Entity' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByText('Failed to delete entity')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await fail('**/api/entities?*')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByText('Failed to load entities').first()).toBeVisible()
  })

  test('a name of 500 characters, emoji and right-to-left text do not break the page', async ({
    page,
    person,
  }) => {
    for (const name of ['x'.repeat(500), 'long '.repeat(100).trim(), '🧠🦊 memory', 'שלום עולם']) {
      await person.rest.createEntity({ body: { name, type: 'concept' } })
    }
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto('/entities')
    await expect(page.getByRole('article')).toHaveCount(4)
    await expect(page.getByText('שלום עולם')).toHaveCSS('direction', 'rtl')
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  })

  test('with 10,000 entities only the visible ones are drawn, and pages load while scrolling', async ({
    page,
    person,
  }) => {
    await subscribe(person, 'starter')
    const line = (i: number) => JSON.stringify({ type: 'entity', name: `Entity ${i}`, entityType: 'concept' })
    await person.rest.import({ body: Array.from({ length: 10_000 }, (_, i) => line(i)).join('\n') })
    await page.goto('/entities')
    await expect(page.getByText('10,000 entities')).toBeVisible()
    const first = await page.getByRole('article').first().innerText()
    for (let pages = 1; pages <= 3; pages++) {
      const height = () => page.evaluate(() => document.documentElement.scrollHeight)
      const before = await height()
      // Rows that are measured meanwhile can stop the scrolling.
      await expect(async () => {
        await page.keyboard.press('End')
        await expect.poll(height, { timeout: 2_000 }).toBeGreaterThan(before)
      }).toPass()
    }
    await expect.poll(() => page.getByRole('article').first().innerText()).not.toBe(first)
    expect(await page.getByRole('article').count()).toBeLessThan(120)
  })
})
