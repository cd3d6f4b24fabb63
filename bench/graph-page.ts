/**
 * The graph screen on the real server with large graphs: time to the first readable picture, and how long the page is
 * held up. Usage: npm run bench:graph-page [nodes ...]   (after npm run build --workspace web)
 */
import { createRestClient, type RestClient } from '@loci/client/rest'
import type { Page } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { startServer } from '../e2e/server.ts'

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10_000, 100_000]
const edgesPerNode = 3
const groupSize = 100
const types = ['concept', 'person', 'company', 'technology', 'product', 'event']
const server = await startServer()
const browser = await launchChromium()
try {
  const rows = []
  for (const nodes of sizes) rows.push(await measure(nodes))
  console.table(rows)
} finally {
  await browser.close()
  await server.stop()
}

async function measure(nodes: number) {
  const token = await seed(nodes)
  const rest = createRestClient({ baseUrl: server.url, token: () => token })
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  await context.addInitScript((stored) => {
    localStorage.setItem('auth_token', stored)
    const seen: { start: number; ms: number }[] = []
    Object.assign(window, { longTasks: seen })
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) seen.push({ start: startTime, ms: duration })
    }).observe({ type: 'longtask', buffered: true })
  }, token)
  const page = await context.newPage()
  // The second time, as a person meets it: scripts are cached by then.
  for (let visit = 0; visit < 2; visit++) {
    await page.goto(`${server.url}/graph?limit=${nodes}`)
    await page.waitForFunction(
      () => document.querySelectorAll('canvas')[0]?.style.opacity === '1',
      undefined,
      {
        timeout: 120_000,
      },
    )
  }
  const picture = await page.evaluate(() => performance.now())
  await page.waitForTimeout(6_000)
  const loading = await takeLongTasks(page)
  await use(page)
  const using = await takeLongTasks(page)
  for (let turn = 0; turn < 5; turn++) {
    await rest.createEntity({ body: { name: `Newcomer ${turn}`, type: 'concept' } })
    await page.waitForTimeout(500)
  }
  const live = await takeLongTasks(page)
  await context.close()
  return {
    nodes,
    'first picture ms': Math.round(picture),
    'longest before it ms': longest(loading.filter(({ start }) => start < picture)),
    'longest after it ms': longest(loading.filter(({ start }) => start >= picture)),
    'longest in use ms': longest(using),
    'longest at live changes ms': longest(live),
  }
}

/** Wheel, pan, hover, a click, the list and back. */
async function use(page: Page): Promise<void> {
  const box = (await page.locator('canvas').first().boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  for (let turn = 0; turn < 10; turn++) await page.mouse.wheel(0, turn < 5 ? -120 : 60)
  await page.mouse.down()
  for (let step = 1; step <= 20; step++) await page.mouse.move(x + 5 * step, y + 3 * step)
  await page.mouse.up()
  for (let step = 1; step <= 30; step++) await page.mouse.move(x - 8 * step, y + 4 * step)
  await page.mouse.click(x, y)
  await page.waitForTimeout(500)
  await page.getByText('List', { exact: true }).click()
  await page.waitForTimeout(1_000)
  await page
    .getByText('Picture', { exact: true })
    .or(page.getByText('Graph', { exact: true }))
    .first()
    .click()
  await page.waitForTimeout(1_000)
}

type LongTask = { start: number; ms: number }

async function takeLongTasks(page: Page): Promise<LongTask[]> {
  return page.evaluate(() => (window as unknown as { longTasks: LongTask[] }).longTasks.splice(0))
}

function longest(tasks: LongTask[]): number {
  return Math.round(Math.max(0, ...tasks.map(({ ms }) => ms)))
}

/** An account on the largest plan with a graph of communities. */
async function seed(nodes: number): Promise<string> {
  const { token } = await createRestClient({ baseUrl: server.url }).register({
    body: { email: `n${nodes}@example.com`, password: 'demo-password', firstName: 'Demo', lastName: 'User' },
  })
  const rest = createRestClient({ baseUrl: server.url, token: () => token })
  await takeLargestPlan(rest)
  const { id } = (
    await rest.import({ body: new Blob([...linesOf(nodes)]), headers: { prefer: 'respond-async' } })
  ).import
  for (;;) {
    const { state, relations } = (await rest.getImport({ params: { id } })).import
    if (state === 'finished') {
      console.log(`${nodes} entities, ${relations.created} relations`)
      return token
    }
    if (state !== 'running') throw new Error(`The import is ${state}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

async function takeLargestPlan(rest: RestClient): Promise<void> {
  const { plans } = await rest.listPlans()
  const { priceId } = plans.find(({ id }) => id === 'power-user')!
  const { url } = await rest.createCheckout({
    body: { priceId: priceId!, successUrl: server.url, cancelUrl: server.url },
  })
  await fetch(url, { method: 'POST', body: new URLSearchParams({ action: 'on_file' }), redirect: 'manual' })
}

function* linesOf(nodes: number): Generator<string, void> {
  let state = 42
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const name = (index: number) => `Node ${index % nodes}`
  for (let index = 0; index < nodes; index++) {
    const observations = Array.from({ length: random(3) }, (_, number) => `Fact ${number} of ${index}`)
    const type = types[Math.floor(index / groupSize) % types.length]
    yield `${JSON.stringify({ type: 'entity', name: name(index), entityType: type, observations })}\n`
  }
  for (let index = 0; index < edgesPerNode * nodes; index++) {
    const from = index % nodes
    const group = from - (from % groupSize)
    // Most within the group, its first node a hub; a few to anywhere.
    const pick = random(20)
    const to = pick === 0 ? random(nodes) : pick < 6 ? group : group + random(groupSize)
    yield `${JSON.stringify({ type: 'relation', from: name(from), to: name(to), relationType: `kind ${index % 7}` })}\n`
  }
}
