import { decodePlaces, entityIdOf, fromBase64 } from '@loci/contract/place-codec'
import type { Browser, Page } from '@playwright/test'
import { importLines } from '../bench/lib/communities.ts'
import type {} from '../graph-engine/src/view/test-handle.ts'
import { connectOverHttp } from '../server/test/mcp-clients.ts'
import { violationsIn } from './axe.ts'
import { expect, type Person, signIn, subscribe, test } from './fixtures.ts'

type Places = Record<string, [x: number, y: number]>

/** Three teams whose members know each other, and links between the teams. */
async function seedTeams({ rest }: Person): Promise<void> {
  const names = [0, 1, 2].flatMap((team) => [0, 1, 2, 3, 4, 5].map((one) => `Person ${team}${one}`))
  const isPair = (a: string, b: string) => a < b && (a[7] === b[7] || (a[8] === '0' && b[8] === '0'))
  await rest.createBatch({
    body: {
      entities: names.map((name) => ({ name, type: 'person' })),
      relations: names.flatMap((from) =>
        names.filter((to) => isPair(from, to)).map((to) => ({ from, to, type: 'knows' })),
      ),
    },
  })
}

async function placesIn(page: Page, nodes: number): Promise<Places> {
  await expect
    .poll(
      () =>
        page.evaluate(() => (window.__graph?.settled() ? Object.keys(window.__graph.positions()).length : 0)),
      { timeout: 60_000 },
    )
    .toBe(nodes)
  return (await page.evaluate(() => window.__graph?.positions()))!
}

/** The distances between where the same nodes are. */
function driftBetween(before: Places, after: Places): number[] {
  return Object.entries(before)
    .map(([id, [x, y]]) => Math.hypot(after[id]![0] - x, after[id]![1] - y))
    .sort((a, b) => a - b)
}

async function openElsewhere(browser: Browser, { token }: Person, address: string): Promise<Page> {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await signIn(page, token)
  await page.goto(address)
  return page
}

async function dragNode(page: Page, id: string, dx: number, dy: number): Promise<void> {
  const from = (await page.evaluate((node) => window.__graph?.screen(node), id))!
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + dx, from.y + dy, { steps: 5 })
  await page.mouse.up()
}

const versionOf = async ({ rest }: Person) => (await rest.getGraphPlaces({ query: {} })).version

test('the map is the same in another browser, and stays when entities are added @both', async ({
  page,
  person,
  browser,
  serverUrl,
}) => {
  await seedTeams(person)
  await page.goto('/graph')
  const first = await placesIn(page, 18)
  await expect.poll(() => versionOf(person)).toBeGreaterThan(0)
  const { entity: alone } = await person.rest.createEntity({ body: { name: 'Unlinked', type: 'note' } })
  const other = await openElsewhere(browser, person, `${serverUrl}/graph`)
  const second = await placesIn(other, 19)
  expect(Math.max(...driftBetween(first, second)), 'in whole units').toBeLessThan(1)
  const here = await placesIn(page, 19)
  expect(Math.max(...driftBetween(first, here))).toBeLessThan(1)
  await expect
    .poll(async () => {
      const [a, b] = [await placesIn(page, 19), await placesIn(other, 19)]
      return Math.hypot(a[alone.id]![0] - b[alone.id]![0], a[alone.id]![1] - b[alone.id]![1])
    }, 'both browsers placed it, and agree')
    .toBeLessThan(1)

  const names = Array.from({ length: 18 }, (_, i) => `New ${i}`)
  await person.rest.createBatch({
    body: {
      entities: names.map((name) => ({ name, type: 'person' })),
      relations: names.map((from, i) => ({ from, to: `Person ${i % 3}${i % 6}`, type: 'knows' })),
    },
  })
  const doubled = [await placesIn(page, 37), await placesIn(other, 37)] as const
  for (const places of doubled) {
    const drift = driftBetween(first, places)
    expect(drift[9], 'the median').toBeLessThan(1)
    expect(Math.max(...drift)).toBeLessThan(1)
  }
  await page.reload()
  await expect
    .poll(async () => Math.max(...driftBetween(await placesIn(page, 37), await placesIn(other, 37))), {
      timeout: 60_000,
    })
    .toBeLessThan(0.01)
  await other.context().close()
})

test('an entity is added in a region, and is there for everybody @both', async ({
  page,
  person,
  browser,
  serverUrl,
}) => {
  await seedTeams(person)
  await page.goto('/graph')
  await placesIn(page, 18)
  await expect.poll(() => versionOf(person)).toBeGreaterThan(0)
  const { entities } = await person.rest.listEntities({ query: { query: 'Person 01' } })
  const near = (await page.evaluate((id) => window.__graph?.screen(id), entities[0]!.id))!
  const at = { x: near.x + 24, y: near.y + 24 }
  await page.mouse.click(at.x, at.y, { button: 'right' })
  await page.getByRole('menuitem', { name: 'Add an entity here' }).click()
  const form = page.getByRole('dialog', { name: 'New entity' })
  await expect(form.getByText(/^New in Person 0/)).toBeVisible()
  await expect(form.getByLabel('Type')).toHaveValue('person')
  await expect(page.getByRole('menu')).toHaveCount(0)
  expect(await violationsIn(page)).toEqual([])
  await form.getByLabel('Name').fill('Quartermaster')
  await form.getByLabel('First observation').fill('Keeps the stores')
  await form.getByRole('button', { name: 'Create Entity' }).click()
  await expect(page.getByRole('link', { name: 'Quartermaster', exact: true })).toBeVisible()
  await expect(page.getByText('Keeps the stores')).toBeVisible()

  const { entities: added } = await person.rest.listEntities({ query: { query: 'Quartermaster' } })
  const { id } = added[0]!
  await expect
    .poll(async () => {
      await placesIn(page, 19)
      const { x, y } = (await page.evaluate((node) => window.__graph?.screen(node), id))!
      return Math.hypot(x - at.x, y - at.y)
    }, 'it is where it was wanted')
    .toBeLessThan(3)
  const here = await placesIn(page, 19)
  const other = await openElsewhere(browser, person, `${serverUrl}/graph`)
  const there = await placesIn(other, 19)
  expect(Math.hypot(here[id]![0] - there[id]![0], here[id]![1] - there[id]![1])).toBeLessThan(1)
  const beside = here[entities[0]!.id]!
  expect(Math.hypot(here[id]![0] - beside[0], here[id]![1] - beside[1])).toBeLessThan(60)
  const { places } = await person.rest.getGraphPlaces({ query: {} })
  const stored = decodePlaces(fromBase64(places!)!)!
  const regionOf = (entity: string) => stored.find((place) => entityIdOf(place.entity) === entity)?.region
  expect(regionOf(id)).toBe(regionOf(entities[0]!.id))
  await other.context().close()
})

test('a dragged node moves for everybody, and tidying up asks first; both can be undone', async ({
  page,
  person,
  browser,
  serverUrl,
}) => {
  await seedTeams(person)
  await page.goto('/graph')
  const before = await placesIn(page, 18)
  await expect.poll(() => versionOf(person)).toBe(1)
  const [id] = Object.keys(before)
  await dragNode(page, id!, 70, 60)
  await expect(page.getByText(/^Moved Person/)).toBeVisible()
  const moved = await placesIn(page, 18)
  expect(driftBetween(before, moved).filter((by) => by > 1)).toHaveLength(1)
  const other = await openElsewhere(browser, person, `${serverUrl}/graph`)
  expect(Math.max(...driftBetween(moved, await placesIn(other, 18)))).toBeLessThan(1)
  await expect(page.getByText(/^Moved Person/)).toBeHidden()
  await dragNode(page, id!, -60, -40)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => Math.max(...driftBetween(moved, await placesIn(page, 18)))).toBeLessThan(1)

  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('menuitem', { name: 'Tidy up' }).click()
  const bar = page.getByRole('region', { name: 'Tidy up' })
  await expect(bar).toContainText('This is how the map would look, for everybody.')
  await bar.getByRole('button', { name: 'Put it back' }).click()
  await expect.poll(async () => Math.max(...driftBetween(moved, await placesIn(page, 18)))).toBeLessThan(1)
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('menuitem', { name: 'Tidy up' }).click()
  const version = await versionOf(person)
  await bar.getByRole('button', { name: 'Keep it' }).click()
  await expect(page.getByText('Tidied up for everybody')).toBeVisible()
  expect(await versionOf(person)).toBe(version + 1)
  await expect(bar).toBeHidden()
  await other.context().close()
})

test('what a person moves and what an agent recalls is seen by everybody who has the map open @both', async ({
  page,
  person,
  browser,
  serverUrl,
}) => {
  await seedTeams(person)
  const { entity } = await person.rest.createEntity({
    body: { name: 'Harbour', type: 'place', observations: ['The harbour is closed until May'] },
  })
  await page.goto('/graph')
  const before = await placesIn(page, 19)
  await expect.poll(() => versionOf(person)).toBeGreaterThan(0)
  const other = await openElsewhere(browser, person, `${serverUrl}/graph`)
  await placesIn(other, 19)
  for (const one of [page, other]) await expect(one.getByText('Connected', { exact: true })).toBeAttached()

  const agent = await connectOverHttp({ url: serverUrl }, person.apiKey, 'auto')
  await agent.callTool({ name: 'recall', arguments: { query: 'Is the harbour closed?' } })
  await agent.close()
  for (const one of [page, other]) await expect(one.getByText(/recalled.*Harbour/)).toBeVisible()

  await dragNode(page, entity.id, 40, -50)
  await expect(page.getByText('Moved Harbour')).toBeVisible()
  const moved = (await placesIn(page, 19))[entity.id]!
  expect(Math.hypot(moved[0] - before[entity.id]![0], moved[1] - before[entity.id]![1])).toBeGreaterThan(1)
  await expect
    .poll(async () => {
      const [x, y] = (await placesIn(other, 19))[entity.id]!
      return Math.hypot(x - moved[0], y - moved[1])
    })
    .toBeLessThan(1)
  await other.context().close()
})

test('of two browsers that draw a large memory first, at the same time, the one that stores first counts @both', async ({
  page,
  person,
  browser,
  serverUrl,
}) => {
  // The full form is MAP_NODES=20000.
  const count = Number(process.env.MAP_NODES ?? 6_000)
  await subscribe(person, 'pro')
  await importLines(person.rest, groupLines(count))
  const other = await openElsewhere(browser, person, `${serverUrl}/dashboard`)
  // Another shape of window, so another house.
  await other.setViewportSize({ width: 390, height: 844 })
  const drawn: Places[] = []
  const bothHaveDrawn = Promise.withResolvers<void>()
  const firstHasStored = Promise.withResolvers<void>()
  for (const [i, one] of [page, other].entries()) {
    await one.route('**/api/graph/places', async (route) => {
      if (route.request().method() !== 'PUT' || drawn[i]) return route.continue()
      drawn[i] = placesOf(route.request().postDataJSON())
      if (drawn[1 - i]) bothHaveDrawn.resolve()
      await (i === 0 ? bothHaveDrawn.promise : firstHasStored.promise)
      const response = await route.fetch()
      await route.fulfill({ response })
      firstHasStored.resolve()
    })
  }
  await Promise.all([page, other].map((one) => one.goto(`${serverUrl}/graph?limit=${count}`)))
  await expect.poll(() => versionOf(person), { timeout: 120_000 }).toBeGreaterThan(0)
  const farthest = (places: Places) => Math.max(...driftBetween(drawn[0]!, places))
  for (const one of [page, other])
    await expect.poll(async () => farthest(await placesIn(one, count)), { timeout: 120_000 }).toBeLessThan(1)
  expect(farthest(drawn[1]!), 'the other had drawn another house').toBeGreaterThan(100)
  const stored = await person.rest.getGraphPlaces({ query: {} })
  expect(farthest(placesOf(stored)), 'what is stored').toBeLessThan(1)
  await other.context().close()
})

function placesOf({ places }: { places?: string | undefined }): Places {
  const rows = decodePlaces(fromBase64(places!)!)!
  return Object.fromEntries(rows.map(({ entity, x, y }) => [entityIdOf(entity), [x, y]]))
}

/** Groups of a hundred around their first node. */
function* groupLines(count: number): Generator<string, void> {
  for (let i = 0; i < count; i++)
    yield `${JSON.stringify({ type: 'entity', name: `Node ${i}`, entityType: 'concept' })}\n`
  for (let i = 0; i < count; i++) {
    const to = i % 100 === 0 ? (i * 7 + 100) % count : i - (i % 100)
    yield `${JSON.stringify({ type: 'relation', from: `Node ${i}`, to: `Node ${to}`, relationType: 'in' })}\n`
  }
}
