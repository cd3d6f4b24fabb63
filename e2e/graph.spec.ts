import type { Page } from '@playwright/test'
import type {} from '../graph-engine/src/view/test-handle.ts'
import { expect, type Person, test } from './fixtures.ts'

const names = ['Ada Lovelace', 'Charles Babbage', 'Analytical Engine', 'Loom', 'Punched card'] as const

type Ids = Record<(typeof names)[number], string>

/** A chain: Ada - Charles - Engine - Loom - card. */
async function seed({ rest }: Person): Promise<Ids> {
  const { entities } = await rest.createBatch({
    body: {
      entities: names.map((name, index) => ({
        name,
        type: index < 2 ? 'person' : 'product',
        observations: index === 0 ? ['Wrote the first program', 'Born in 1815'] : [],
      })),
      relations: names
        .slice(1)
        .map((name, index) => ({ from: names[index]!, to: name, type: index === 0 ? 'knows' : 'uses' })),
    },
  })
  return Object.fromEntries(entities.created.map(({ name, id }) => [name, id])) as Ids
}

/** Adds five people who all know each other: a region of their own. Returns the id of one. */
async function addTeam({ rest }: Person): Promise<string> {
  const people = ['Ann', 'Ben', 'Cleo', 'Dan', 'Eve']
  const { entities } = await rest.createBatch({
    body: {
      entities: people.map((name) => ({ name, type: 'person' })),
      relations: people.flatMap((from, index) =>
        people.slice(index + 1).map((to) => ({ from, to, type: 'knows' })),
      ),
    },
  })
  return entities.created[0]!.id
}

async function settled(page: Page, nodes: number) {
  await expect
    .poll(
      () =>
        page.evaluate(() => (window.__graph?.settled() ? Object.keys(window.__graph.positions()).length : 0)),
      { timeout: 20_000 },
    )
    .toBe(nodes)
}

async function placeOf(page: Page, id: string) {
  const place = await page.evaluate((node) => window.__graph?.screen(node), id)
  if (!place) throw new Error('The node is not in the picture')
  return place
}

async function drawLine(page: Page, from: string, to: string): Promise<void> {
  const [start, end] = [await placeOf(page, from), await placeOf(page, to)]
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 })
  await page.mouse.move(end.x, end.y, { steps: 3 })
  await page.mouse.up()
}

const panel = (page: Page, name: string) => page.getByRole('region', { name })

test.describe('Knowledge Graph Visualization', () => {
  test('says that it is empty, and fills while an agent writes', async ({ page, person }) => {
    await page.goto('/graph')
    await expect(page.getByRole('heading', { name: 'Knowledge Graph Visualization' })).toBeVisible()
    await expect(page.getByText('No graph data to display')).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Limit' })).toHaveValue('250')
    await expect(page.getByRole('combobox', { name: 'Depth' })).toHaveValue('2')
    await seed(person)
    await expect(panel(page, 'Graph Statistics')).toContainText(/Nodes5.*Edges4.*Node Types2/)
  })

  test('a failure covers no tool', async ({ page, person }) => {
    await seed(person)
    await page.goto('/graph')
    await expect(panel(page, 'Graph Statistics')).toContainText('Nodes')
    await page.route('**/api/relations/graph/data?*', (route) => route.fulfill({ status: 400, json: {} }))
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByRole('alert')).toContainText('Failed to load graph data')
    await page.getByRole('button', { name: 'Views' }).click({ timeout: 5_000 })
  })

  test('shows loading, and a failure in red', async ({ page, person: _ }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/relations/graph/data?*', async (route) => {
      await held
      await route.fulfill({ status: 400, json: {} })
    })
    await page.goto('/graph')
    await expect(page.getByText('Loading graph data...')).toBeVisible()
    release()
    await expect(page.getByRole('alert')).toContainText('Failed to load graph data')
  })

  test('Apply writes limit and depth into the address, which accepts more than the menus offer', async ({
    page,
    person,
  }) => {
    await seed(person)
    await page.goto('/graph')
    await page.getByRole('combobox', { name: 'Limit' }).click()
    await expect(page.getByRole('option')).toHaveText([
      '100',
      '250',
      '500',
      '1,000',
      '2,500',
      '5,000',
      '10,000',
      'All',
    ])
    await page.getByRole('option', { name: '500', exact: true }).click()
    await page.getByRole('combobox', { name: 'Depth' }).click()
    await expect(page.getByRole('option')).toHaveText(['1', '2', '3', '4', '5'])
    await page.getByRole('option', { name: '3' }).click()
    await expect(page).toHaveURL('/graph')
    const asked = page.waitForRequest(/graph\/data\?.*limit=500&depth=3/)
    await page.getByRole('button', { name: 'Apply' }).click()
    await asked
    await expect(page).toHaveURL('/graph?limit=500&depth=3')
    const other = page.waitForRequest(/graph\/data\?.*limit=7&depth=2/)
    await page.goto('/graph?limit=7')
    await other
    await expect(page.getByRole('combobox', { name: 'Limit' })).toHaveValue('7')
  })

  test('a click selects, a drag moves, and changes made elsewhere move nothing', async ({ page, person }) => {
    const ids = await seed(person)
    const ada = ids['Ada Lovelace']
    await page.goto('/graph')
    await settled(page, 5)
    // The whole window below the navigation.
    expect((await page.getByRole('application').boundingBox())!.height).toBe(page.viewportSize()!.height - 52)
    const start = await placeOf(page, ada)
    await page.mouse.click(start.x, start.y)
    await expect(page).toHaveURL(`/graph?selected=${ada}`)
    const selected = panel(page, 'Selected Node')
    await expect(selected.getByRole('link', { name: 'Ada Lovelace' })).toHaveAttribute(
      'href',
      `/entities/${ada}`,
    )
    await expect(selected).toContainText('person')
    await expect(selected).toContainText('2 observations')
    await expect(selected).toContainText(ada)

    await settled(page, 5)
    const from = await placeOf(page, ada)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + 40, from.y + 30, { steps: 4 })
    await page.mouse.move(from.x + 90, from.y + 60, { steps: 4 })
    await page.mouse.up()
    await settled(page, 5)
    const dropped = await placeOf(page, ada)
    expect(Math.hypot(dropped.x - from.x - 90, dropped.y - from.y - 60)).toBeLessThan(4)

    const before = await page.evaluate(() => window.__graph?.positions())
    const { entity } = await person.rest.createEntity({
      body: { name: 'Difference Engine', type: 'product' },
    })
    await person.rest.createRelation({ body: { fromEntityId: ada, toEntityId: entity.id, type: 'knows' } })
    await selected.getByRole('tab', { name: 'Relations' }).click()
    await expect(selected.getByRole('list', { name: 'Connections' })).toContainText('Difference Engine')
    await settled(page, 6)
    const after = await page.evaluate(() => window.__graph?.positions())
    // Except for those on the ring around Ada, which makes space.
    for (const name of ['Analytical Engine', 'Loom', 'Punched card'] as const)
      expect(after![ids[name]]).toEqual(before![ids[name]])
  })

  test('a relation is added in the panel, and drawn', async ({ page, person }) => {
    const ids = await seed(person)
    await page.goto(`/graph?selected=${ids['Ada Lovelace']}`)
    await expect(page.getByText('Connected', { exact: true })).toBeAttached()
    const selected = panel(page, 'Selected Node')
    await selected.getByRole('tab', { name: 'Relations' }).click()
    await selected.getByRole('button', { name: 'Add relation' }).click()
    await selected.getByRole('combobox', { name: 'Relation Type' }).click()
    await page.getByRole('option', { name: 'Uses' }).click()
    await selected.getByRole('combobox', { name: 'To Entity' }).fill('Loom')
    await page.getByRole('option', { name: /Loom/ }).click()
    await selected.getByRole('button', { name: 'Create Relation' }).click()
    await expect(page.getByText('Relation created successfully')).toBeVisible()
    await expect(selected.getByRole('list', { name: 'Connections' })).toContainText('Loom')
    await expect(panel(page, 'Graph Statistics')).toContainText(/Edges\s*5/)
    await expect(selected.getByRole('button', { name: 'Add relation' })).toBeVisible()
  })

  test('a relation is drawn from node to node, and named where it lands @both', async ({ page, person }) => {
    const ids = await seed(person)
    await page.goto('/graph')
    await expect(page.getByText('Connected', { exact: true })).toBeAttached()
    await settled(page, 5)
    const before = await page.evaluate(() => window.__graph?.positions())
    await page.getByRole('button', { name: /^Draw a relation/ }).click()
    await drawLine(page, ids['Ada Lovelace'], ids.Loom)
    const form = page.getByRole('dialog', { name: 'New relation' })
    await expect(form).toContainText('Ada Lovelace to Loom')
    await expect(form.getByRole('combobox', { name: 'Relation Type' })).toBeFocused()
    await form.getByRole('combobox', { name: 'Relation Type' }).fill('influ')
    await page.getByRole('option', { name: 'Influences' }).click()
    await form.getByRole('button', { name: 'Create Relation' }).click()
    await expect(page.getByText('Relation created successfully')).toBeVisible()
    await expect(form).toBeHidden()
    await expect(panel(page, 'Graph Statistics')).toContainText(/Edges\s*5/)
    await settled(page, 5)
    expect(await page.evaluate(() => window.__graph?.positions())).toEqual(before)
    const { relations } = await person.rest.listRelations({ query: { query: 'influences' } })
    expect(relations.map(({ fromEntity, toEntity }) => [fromEntity.name, toEntity.name])).toEqual([
      ['Ada Lovelace', 'Loom'],
    ])

    await page.keyboard.down('Alt')
    await drawLine(page, ids['Punched card'], ids['Ada Lovelace'])
    await page.keyboard.up('Alt')
    await expect(form).toContainText('Punched card to Ada Lovelace')
    await page.keyboard.press('Escape')
    await expect(form).toBeHidden()
  })

  test('the legend filters by type, and a shared address shows the same view', async ({ page, person }) => {
    const ids = await seed(person)
    await page.goto(`/graph?selected=${ids.Loom}`)
    const legend = panel(page, 'Node Types')
    await legend.getByRole('button', { name: 'person 2', exact: true }).click()
    await expect(page).toHaveURL(`/graph?selected=${ids.Loom}&hidden=person`)
    await page.getByText('List', { exact: true }).click()
    await page.reload()
    await expect(legend.getByRole('button', { name: 'person 2', exact: true })).toHaveAttribute(
      'aria-pressed',
      'false',
    )
    await expect(panel(page, 'Selected Node')).toContainText('Loom')
    await expect(page.getByRole('table', { name: 'Nodes' }).getByRole('row')).toHaveCount(4)
  })

  test('the list works by keyboard', async ({ page, person }) => {
    await seed(person)
    await page.goto('/graph?view=list')
    const table = page.getByRole('table', { name: 'Nodes' })
    await expect(table.getByRole('columnheader')).toHaveText(['Name', 'Type', 'Observations', 'Relations'])
    const buttons = table.getByRole('button')
    await buttons.first().focus()
    await page.keyboard.press('ArrowDown')
    await expect(buttons.nth(1)).toBeFocused()
    const name = await buttons.nth(1).textContent()
    await page.keyboard.press('Enter')
    await expect(panel(page, 'Selected Node').getByRole('link')).toHaveText(name!)
    await expect(buttons.nth(1)).toHaveAttribute('aria-pressed', 'true')
    await expect(buttons.nth(1)).toBeFocused()
  })

  test('a long list draws only visible rows', async ({ page, person }) => {
    const entities = Array.from({ length: 300 }, (_, i) => ({ name: `Entity ${i}`, type: 'concept' }))
    await person.rest.createBatch({ body: { entities, relations: [] } })
    await page.goto('/graph?limit=500&view=list')
    const table = page.getByRole('table', { name: 'Nodes' })
    const rows = table.getByRole('row').filter({ has: page.getByRole('button') })
    await rows.first().hover()
    await page.mouse.wheel(0, 100_000)
    await expect(rows.last()).toHaveAttribute('aria-rowindex', '301')
    await expect(rows.last()).toBeInViewport()
    expect(await rows.count()).toBeLessThan(60)
    await page.mouse.wheel(0, -100_000)
    await expect(rows.first()).toHaveAttribute('aria-rowindex', '2')
    await expect(rows.first()).toBeInViewport()
  })

  test('searching includes entities beyond the limit, and Expand adds their neighbours', async ({
    page,
    person,
  }) => {
    const ids = await seed(person)
    // Makes Charles the most connected entity, so that the limit keeps him.
    await person.rest.createRelation({
      body: { fromEntityId: ids['Charles Babbage'], toEntityId: ids['Ada Lovelace'], type: 'admires' },
    })
    await page.goto('/graph?limit=1')
    await settled(page, 1)
    await page.getByRole('combobox', { name: 'Search nodes' }).fill('punched')
    await page.getByRole('option', { name: 'Punched card' }).click()
    await expect(panel(page, 'Selected Node')).toContainText('Punched card')
    await settled(page, 3)
    await page.getByRole('tab', { name: 'Relations' }).click()
    await page.getByRole('list', { name: 'Connections' }).getByRole('button', { name: /Loom/ }).click()
    await page.getByRole('button', { name: 'Expand' }).click()
    await settled(page, 4)
    await expect(page).toHaveURL(new RegExp(`expanded=${ids['Punched card']},${ids.Loom}`))
  })

  test('finds the shortest path between two picked nodes', async ({ page, person }) => {
    const ids = await seed(person)
    await page.goto(`/graph?selected=${ids['Ada Lovelace']}`)
    await page.getByRole('button', { name: 'Path from here' }).click()
    const section = panel(page, 'Shortest Path')
    await expect(section).toContainText('Pick the node where the path from Ada Lovelace ends.')
    await page.getByText('List', { exact: true }).click()
    await expect(page.getByRole('row', { name: /Ada Lovelace/ })).toContainText('From here')
    await page.getByText('Graph', { exact: true }).click()
    await settled(page, 5)
    const { x, y } = await placeOf(page, ids.Loom)
    await page.mouse.click(x, y)
    await expect(section.getByRole('listitem')).toHaveText([
      '1Ada Lovelaceknows',
      '2Charles Babbageuses',
      '3Analytical Engineuses',
      '4Loom',
    ])
    await expect(page).toHaveURL(new RegExp(`from=${ids['Ada Lovelace']}&to=${ids.Loom}`))
    const selected = () => page.evaluate(() => window.__graph?.selected())
    expect(await selected(), 'the end of a path is not selected').toBe(null)
    await section.getByRole('button', { name: 'Clear' }).click()
    await expect(section).toHaveCount(0)

    await page.goto(`/graph?from=${ids['Ada Lovelace']}`)
    await settled(page, 5)
    // The first key goes to the only neighbour; only Enter picks.
    await page.getByRole('application').focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(selected).toBe(ids['Charles Babbage'])
    await expect(section).toContainText('Pick the node')
    await page.keyboard.press('Enter')
    await expect(section.getByRole('listitem')).toHaveText(['1Ada Lovelaceknows', '2Charles Babbage'])
  })

  test('an entity can be edited from the panel', async ({ page, person }) => {
    const ids = await seed(person)
    await page.goto(`/graph?selected=${ids.Loom}`)
    await panel(page, 'Selected Node').getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Entity' })
    await dialog.getByLabel('Name').fill('Jacquard loom')
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await expect(panel(page, 'Selected Node')).toContainText('Jacquard loom')
  })

  test('a view is saved, opened, renamed and replaced; the slider shows the graph as it was', async ({
    page,
    person,
  }) => {
    const ids = await seed(person)
    await page.goto(`/graph?selected=${ids.Loom}&hidden=person`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Hide' }).click()
    await expect(page).toHaveURL(`/graph?hidden=person&hiddenNodes=${ids.Loom}`)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    const name = `Without the loom ${'x'.repeat(100)}`
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goto('/graph')
    await page.getByRole('button', { name: 'Views' }).click()
    const [label, tool] = await Promise.all([
      page.getByTitle(name).boundingBox(),
      page.getByRole('button', { name: 'Update to the current view' }).boundingBox(),
    ])
    expect(label!.x + label!.width).toBeLessThanOrEqual(tool!.x)
    await page.getByRole('menuitem', { name: 'Without the loom' }).click()
    await expect(page).toHaveURL(new RegExp(`hidden=person&hiddenNodes=${ids.Loom}`))

    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'Rename: Without the loom' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Everything')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goto('/graph')
    await settled(page, 5)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'Update to the current view: Everything' }).click()
    await expect(page.getByText('View Everything replaced')).toBeVisible()
    const { views } = await person.rest.listViews()
    expect(views.map(({ name, search }) => [name, search])).toEqual([['Everything', 'limit=250&depth=2']])
    await page.keyboard.press('Escape')

    await page.getByRole('slider', { name: 'Moment' }).press('Home')
    await expect(page).toHaveURL(/asOf=/)
    const state = page.getByRole('region', { name: 'Earlier state' })
    await state.getByRole('button', { name: 'Back to now' }).click()
    await expect(page).not.toHaveURL(/asOf=/)
  })

  test('the slider can be dragged, played and moved by keys, and a region can be named', async ({
    page,
    person,
  }) => {
    await seed(person)
    await page.goto('/graph')
    await settled(page, 5)
    const slider = page.getByRole('slider', { name: 'Moment' })
    const box = (await slider.boundingBox())!
    await page.mouse.move(box.x + box.width - 8, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 })
    // Nothing is requested before the release.
    await expect(slider).not.toHaveAttribute('aria-valuetext', 'Now')
    await expect(page).toHaveURL('/graph')
    await page.mouse.up()
    await expect(page).toHaveURL(/asOf=/)
    // The way back stays, although nothing had been stored by then.
    await expect(page.getByText('There was nothing at this moment.')).toBeVisible()
    await slider.press('End')
    await expect(page).toHaveURL('/graph')
    await settled(page, 5)

    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await expect.poll(() => slider.inputValue()).not.toBe('480')
    const early = Number(await slider.inputValue())
    await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(early)
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    const paused = await slider.inputValue()
    await slider.focus()
    await slider.press('ArrowRight')
    await expect.poll(() => slider.inputValue()).not.toBe(paused)
    await page
      .getByRole('region', { name: 'Earlier state' })
      .getByRole('button', { name: 'Back to now' })
      .click()
    await expect(page).toHaveURL('/graph')
    await settled(page, 5)

    const team = await addTeam(person)
    await page.reload()
    await settled(page, 10)
    const place = await placeOf(page, team)
    await page.mouse.click(place.x, place.y, { button: 'right' })
    await page.getByRole('menuitem', { name: 'Rename region' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename region' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Night shift')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    await page.reload()
    await settled(page, 10)
    const again = await placeOf(page, team)
    await page.mouse.click(again.x, again.y, { button: 'right' })
    await expect(page.getByText('Night shift', { exact: true })).toBeVisible()
  })

  test('pictures are exported, and full screen is entered and left', async ({ page, person }) => {
    await seed(person)
    await page.goto('/graph')
    await settled(page, 5)
    for (const kind of ['PNG', 'SVG']) {
      await page.getByRole('button', { name: 'Export picture' }).click()
      const download = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: `Export as ${kind}` }).click()
      expect((await download).suggestedFilename()).toBe(`loci-graph.${kind.toLowerCase()}`)
    }
    await page.getByRole('button', { name: 'Full screen' }).click()
    const exit = page.getByRole('button', { name: 'Exit full screen' })
    await expect(exit).toBeFocused()
    // Once round, back to the start, and never behind the full screen.
    const reached: (boolean | undefined)[] = []
    do {
      await page.keyboard.press('Tab')
      reached.push(await page.evaluate(() => document.activeElement?.matches('main *')))
    } while (reached.length < 60 && !(await exit.evaluate((button) => button === document.activeElement)))
    expect(reached).not.toContain(false)
    await expect(exit).toBeFocused()
    await exit.click()
    await expect(page.getByRole('button', { name: 'Full screen', exact: true })).toBeVisible()
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

    test('a tap selects', async ({ page, person }) => {
      const ids = await seed(person)
      await page.goto('/graph')
      await settled(page, 5)
      const { x, y } = await placeOf(page, ids.Loom)
      await page.touchscreen.tap(x, y)
      await expect(panel(page, 'Selected Node')).toContainText('Loom')
    })

    test('the picture moves above the sheet and takes the whole screen again', async ({ page, person }) => {
      const ids = await seed(person)
      await page.goto('/graph')
      await settled(page, 5)
      const before = await placeOf(page, ids.Loom)
      await page.touchscreen.tap(before.x, before.y)
      const sheet = panel(page, 'Selected Node')
      await expect(sheet).toContainText('Loom')
      await expect(sheet.getByLabel('New observation')).toBeInViewport({ ratio: 1 })
      await settled(page, 5)
      const top = (await sheet.boundingBox())!.y
      expect((await placeOf(page, ids.Loom)).y).toBeLessThan(top - 50)
      for (const _ of ['opened by a tap', 'opened by an address']) {
        await page.getByRole('button', { name: 'Close' }).tap()
        await expect(sheet).toHaveCount(0)
        await settled(page, 5)
        const after = await placeOf(page, ids.Loom)
        expect(Math.hypot(after.x - before.x, after.y - before.y)).toBeLessThan(3)
        await page.goto(`/graph?selected=${ids['Ada Lovelace']}`)
        await settled(page, 5)
      }
    })

    test('on its side, the picture fills the window and nothing covers the tools', async ({
      page,
      person,
    }) => {
      const ids = await seed(person)
      await page.setViewportSize({ width: 844, height: 390 })
      await page.goto(`/graph?selected=${ids.Loom}`)
      await settled(page, 5)
      expect((await page.getByRole('application').boundingBox())!.height).toBe(390 - 52)
      const loom = await placeOf(page, ids.Loom)
      expect(loom.x).toBeLessThan((await panel(page, 'Selected Node').boundingBox())!.x)
      await page.getByRole('button', { name: 'Full screen' }).tap()
    })
  })
})
