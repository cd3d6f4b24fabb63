/**
 * The graph screen on the real server with large graphs: the time to the first readable picture, and how long
 * each action of a person or an agent blocks the page, in processor time of its longest task.
 * Usage: npm run bench:graph-page [nodes ...]   (after npm run build --workspace web)
 */
import { createRestClient, type RestClient } from '@loci/client/rest'
import type { Locator, Page } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { startServer } from '../e2e/server.ts'
import type {} from '../graph-engine/src/view/test-handle.ts'
import { seedCommunities } from './lib/communities.ts'
import { longestTask, recordTasks } from './lib/page-tasks.ts'

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10_000, 100_000]
/** Sizes beyond the target are only checked to work. */
const repetitionsOf = (nodes: number) => (nodes > 20_000 ? 2 : 5)
const server = await startServer()
const browser = await launchChromium()

/** The open graph screen, and its server. */
type Screen = {
  page: Page
  rest: RestClient
  /** Entities in the picture: hubs, one of each group. */
  ids: string[]
  canvas: { x: number; y: number; width: number; height: number }
}

async function measure(nodes: number): Promise<void> {
  const token = await seedCommunities(server.url, nodes)
  const rest = createRestClient({ baseUrl: server.url, token: () => token })
  const context = await browser.newContext({ viewport: { width: 1280, height: 1200 } })
  await context.addInitScript((stored) => {
    localStorage.setItem('auth_token', stored)
    // Over a large graph the panels are folded until somebody opens them.
    localStorage.setItem(
      'loci-graph-panels-large',
      JSON.stringify({ filters: true, details: true, time: true }),
    )
  }, token)
  const page = await context.newPage()
  const loads = []
  // Nothing is cached, and nobody has drawn the map.
  const first = await open(page, nodes, async () => {
    await untilMapped(rest)
    await page.waitForTimeout(settleMs)
  })
  for (let visit = 0; visit < (nodes > 20_000 ? 1 : 3); visit++) loads.push(await open(page, nodes))
  console.table({
    'first picture of a first visit': spread([first.picture]),
    'longest task before it': spread([first.before]),
    'longest task after it, until the map is stored': spread([first.after]),
    'first picture of a later visit': spread(loads.map(({ picture }) => picture)),
    'longest task before that': spread(loads.map(({ before }) => before)),
    'longest task after that, untouched': spread(loads.map(({ after }) => after)),
  })
  const screen = { page, rest, ids: await hubsOf(rest), canvas: await boxOf(page.locator('canvas').first()) }
  const rows: Record<string, Spread> = {}
  try {
    for (const [name, prepare] of Object.entries(interactions)) {
      const longestOfEach = []
      for (let turn = 0; turn < repetitionsOf(nodes); turn++) {
        const act = await prepare(screen, turn)
        const tasks = await recordTasks(page)
        await act()
        await page.waitForTimeout(settleMs)
        longestOfEach.push(longestTask(await tasks()))
      }
      rows[name] = spread(longestOfEach)
    }
  } finally {
    // Those measured before a failure are shown too.
    console.table(rows)
  }
  await context.close()
}

/** Until an action has had its effects: on a busy machine the layout of a large graph takes its time. */
const settleMs = 2_000
const mapMsMax = 600_000

/** Waits until the open page has stored where everything is, as later visits find it. */
async function untilMapped(rest: RestClient): Promise<void> {
  const end = performance.now() + mapMsMax
  while (performance.now() < end) {
    if ((await rest.getGraphPlaces({ query: {} })).version > 0) return
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  throw new Error('The map was not stored')
}

/** Waits for the first picture, then for `rest`: six more seconds. */
async function open(page: Page, nodes: number, rest: () => Promise<void> = () => page.waitForTimeout(6_000)) {
  const recorded = await recordTasks(page)
  await page.goto(`${server.url}/graph?limit=${nodes}`)
  const isDrawn = () => document.querySelectorAll('canvas')[0]?.style.opacity === '1'
  await page.waitForFunction(isDrawn, undefined, { timeout: 120_000 })
  const picture = await page.evaluate(() => performance.mark('picture').startTime)
  await rest()
  const tasks = await recorded()
  const stands = tasks.marks.picture!
  return {
    picture: Math.round(picture),
    before: longestTask({ ...tasks, tasks: tasks.tasks.filter(({ start }) => start < stands) }),
    after: longestTask({ ...tasks, tasks: tasks.tasks.filter(({ start }) => start >= stands) }),
  }
}

/** Prepares an action, since finding elements by name blocks the page too, and returns the action to measure. */
type Interaction = (screen: Screen, turn: number) => Promise<() => Promise<unknown>>

/** Each leaves the screen (nearly) as it found it. */
const interactions: Record<string, Interaction> = {
  'hover over nodes':
    async ({ page, canvas }) =>
    async () => {
      for (let step = 0; step < 40; step++)
        await page.mouse.move(canvas.x + 300 + 8 * step, canvas.y + 200 + 4 * step)
    },
  'click a node': async ({ page, ids }, turn) => clickOn(page, await placeOf(page, ids[turn]!)),
  pan:
    async ({ page, canvas }) =>
    async () => {
      const to = (step: number) => page.mouse.move(canvas.x + 620 + 4 * step, canvas.y + 6 + step / 4)
      await to(0)
      await page.mouse.down()
      for (let step = 1; step <= 30; step++) await to(step)
      for (let step = 30; step >= 0; step--) await to(step)
      await page.mouse.up()
    },
  zoom:
    async ({ page, canvas }) =>
    async () => {
      await page.mouse.move(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2)
      for (let step = 0; step < 20; step++) await page.mouse.wheel(0, step < 10 ? -120 : 120)
    },
  'drag a node': async ({ page, ids }, turn) => {
    const { x, y } = await placeOf(page, ids[turn]!)
    return async () => {
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + 30, y + 20, { steps: 10 })
      await page.mouse.up()
    }
  },
  'hide a type': async ({ page }) => {
    const place = await middleOf(panel(page, 'Node Types').getByRole('button', { name: /^company/ }))
    const showAll = panel(page, 'Node Types').getByRole('button', { name: 'Show all' })
    if (await showAll.isVisible()) await showAll.click()
    await page.waitForTimeout(300)
    return clickOn(page, place)
  },
  'show all types': async ({ page }) => {
    const legend = panel(page, 'Node Types')
    const showAll = legend.getByRole('button', { name: 'Show all' })
    if (!(await showAll.isVisible())) await legend.getByRole('button', { name: /^company/ }).click()
    await page.waitForTimeout(300)
    return clickOn(page, await middleOf(showAll))
  },
  'open the list': async ({ page }) => {
    await clickText(page, 'Graph')
    return clickOn(page, await middleOf(page.getByText('List', { exact: true })))
  },
  'scroll the list':
    async ({ page, canvas }) =>
    async () => {
      await page.mouse.move(canvas.x + 560, canvas.y + 300)
      for (let step = 0; step < 20; step++) await page.mouse.wheel(0, 900)
    },
  'select in the list': async ({ page, canvas }, turn) =>
    clickOn(page, { x: canvas.x + 560, y: canvas.y + 250 + 44 * turn }),
  'back to the picture': async ({ page }) => {
    await clickText(page, 'List')
    return clickOn(page, await middleOf(page.getByText('Graph', { exact: true })))
  },
  'a new entity arrives':
    async ({ rest }, turn) =>
    () =>
      rest.createEntity({ body: { name: `Newcomer ${turn}`, type: 'concept' } }),
  'a new relation arrives': async ({ rest, ids }, turn) => {
    const [fromEntityId, toEntityId] = [ids[turn]!, ids[turn + 1]!]
    return () => rest.createRelation({ body: { fromEntityId, toEntityId, type: 'arrived' } })
  },
  'an entity is renamed':
    async ({ rest, ids }, turn) =>
    () =>
      rest.updateEntity({ params: { id: ids[turn]! }, body: { name: `Renamed ${turn}`, type: 'person' } }),
  'an entity is deleted':
    async ({ rest, ids }, turn) =>
    () =>
      rest.deleteEntity({ params: { id: ids[20 + turn]! } }),
  'a burst of 50 entities and 50 relations': async ({ rest, ids }, turn) => {
    const names = Array.from({ length: 50 }, (_, number) => `Burst ${turn} ${number}`)
    const entities = names.map((name) => ({ name, type: 'event' }))
    const relations = names.map((name, number) => ({ from: name, to: ids[number % 20]!, type: 'burst' }))
    return () => rest.createBatch({ body: { entities, relations } })
  },
  'expand a node': async ({ page, ids }, turn) => {
    await clickOn(page, await placeOf(page, ids[turn]!))()
    return clickOn(page, await middleOf(page.getByRole('button', { name: 'Expand' })))
  },
  'the end of a path': async ({ page, ids }, turn) => {
    const clear = panel(page, 'Shortest Path').getByRole('button', { name: 'Clear' })
    if (await clear.isVisible()) await clear.click()
    await clickOn(page, await placeOf(page, ids[turn]!))()
    await page.getByRole('button', { name: 'Path from here' }).click()
    return clickOn(page, await placeOf(page, ids[turn + 9]!, ['0']))
  },
}

type Place = { x: number; y: number }

const clickOn =
  (page: Page, { x, y }: Place) =>
  () =>
    page.mouse.click(x, y)

async function clickText(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).click()
  await page.waitForTimeout(300)
}

const panel = (page: Page, name: string) => page.getByRole('region', { name })

async function placeOf(page: Page, id: string, keys = ['Escape', 'Escape', '0']): Promise<Place> {
  await wholeGraph(page, keys)
  const place = await page.evaluate((node) => window.__graph?.screen(node), id)
  if (!place) throw new Error('The node is not in the picture')
  return place
}

/** Clears the selection and shows the whole graph again; otherwise the next node would lie under a panel. */
async function wholeGraph(page: Page, keys: readonly string[]): Promise<void> {
  await page.getByRole('application').focus()
  for (const key of keys) await page.keyboard.press(key)
  await page.waitForTimeout(900)
}

async function middleOf(locator: Locator): Promise<Place> {
  const { x, y, width, height } = await boxOf(locator)
  return { x: x + width / 2, y: y + height / 2 }
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('There is no picture')
  return box
}

async function hubsOf(rest: RestClient): Promise<string[]> {
  const { entities } = await rest.graphData({ query: { limit: '40', depth: '1' } })
  return entities.map(({ id }) => id)
}

type Spread = { 'median ms': number; 'max ms': number }

function spread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  return { 'median ms': sorted[Math.floor(sorted.length / 2)]!, 'max ms': sorted.at(-1)! }
}

try {
  for (const nodes of sizes) await measure(nodes)
} finally {
  await browser.close()
  await server.stop()
}
