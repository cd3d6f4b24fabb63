/**
 * The graph engine's performance in a headless Chromium without a GPU; prints one line per size.
 * Usage: node bench/graph-engine.ts [nodes ...]   (default 500 2000 10000 100000; edges are three times that)
 */
import type { Page } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import type { Lab } from '../graph-engine/src/testing/page.ts'
import { servePage } from '../graph-engine/src/testing/serve-page.ts'

declare global {
  var lab: Lab
  var benchFrames: number
}

const settleMsMax = 180_000
const gestureMs = 3000
const sizes = process.argv.slice(2).map(Number)

const page = await servePage()
const browser = await launchChromium()
const rows: Record<string, string | number>[] = []
for (const nodes of sizes.length > 0 ? sizes : [500, 2000, 10_000, 100_000]) rows.push(await measure(nodes))
console.table(rows)
await browser.close()
await page.close()

async function measure(nodes: number): Promise<Record<string, string | number>> {
  const context = await browser.newContext({ viewport: { width: 1100, height: 600 } })
  const tab = await context.newPage()
  await tab.goto(page.url)
  await tab.evaluate((count) => {
    const data = globalThis.lab.sample({ nodes: count })
    globalThis.lab.open({ regions: true })
    globalThis.lab.show(data)
  }, nodes)
  await tab.waitForFunction(() => globalThis.lab.times.first > 0, null, { timeout: settleMsMax })
  const firstQuality = await quality(tab, nodes)
  await tab.waitForFunction(() => globalThis.lab.times.settled > 0, null, { timeout: settleMsMax })
  const settling = await longTasks(tab)
  const finalQuality = await quality(tab, nodes)
  await longTasks(tab)

  const pan = await gesture(tab, async (step) => {
    if (step === 0) await tab.mouse.down()
    await tab.mouse.move(550 + 120 * Math.sin(step / 8), 20 + 10 * Math.cos(step / 8))
  })
  await tab.mouse.up()
  const zoom = await gesture(tab, (step) => tab.mouse.wheel(0, step % 20 < 10 ? -60 : 60))
  const interacting = await longTasks(tab)
  const { handed, first, settled } = await tab.evaluate(() => globalThis.lab.times)
  const heap = await heapMegabytes(tab)
  await context.close()
  return {
    nodes,
    edges: nodes * 3,
    'setData ms': Math.round(handed),
    'first picture ms': Math.round(first),
    'q first': firstQuality,
    'at rest ms': Math.round(settled),
    'q at rest': finalQuality,
    'longest task, layout ms': settling,
    'longest task, pan + zoom ms': interacting,
    'fps pan': pan,
    'fps zoom': zoom,
    'heap MB': heap,
  }
}

function quality(tab: Page, nodes: number): Promise<string> {
  return tab.evaluate(
    (count) => globalThis.lab.quality(globalThis.lab.sample({ nodes: count })).toFixed(3),
    nodes,
  )
}

/**
 * The longest task since the last call; 0 means "none above 50 ms". Our own evaluations count too, so measure
 * before them.
 */
function longTasks(tab: Page): Promise<number> {
  return tab.evaluate(() => Math.round(Math.max(0, ...globalThis.lab.longTasks.splice(0))))
}

/** Main-thread frames per second during a gesture with the real mouse. */
async function gesture(tab: Page, act: (step: number) => Promise<void>): Promise<number> {
  await tab.mouse.move(550, 20)
  await tab.evaluate(() => {
    globalThis.benchFrames = 0
    const count = () => {
      if (++globalThis.benchFrames > 0) requestAnimationFrame(count)
    }
    requestAnimationFrame(count)
  })
  const begun = performance.now()
  for (let step = 0; performance.now() - begun < gestureMs; step++) await act(step)
  const frames = await tab.evaluate(() => {
    const counted = globalThis.benchFrames
    globalThis.benchFrames = Number.NEGATIVE_INFINITY
    return counted
  })
  return Math.round((frames / (performance.now() - begun)) * 1000)
}

async function heapMegabytes(tab: Page): Promise<number> {
  const session = await tab.context().newCDPSession(tab)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return Math.round(usedSize / 1e5) / 10
}
