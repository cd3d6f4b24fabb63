/**
 * How soon each screen shows its first data on a slow network (400 kbit/s, 400 ms), with nothing in the cache.
 * Usage: npm run bench:cold-load   (after npm run build --workspace web) [-- /dashboard /entities]
 */
import { createRestClient } from '@loci/client/rest'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { startServer } from '../e2e/server.ts'
import { storeDemoGraph } from '../scripts/demo/store-demo-graph.ts'

type Seen = { shell?: number; data?: number }
declare global {
  interface Window {
    seen?: Seen
  }
}

const bytesPerSecond = 400_000 / 8
const latencyMs = 400
/** What shows that the first data is there. */
const dataOf: Record<string, string> = {
  '/dashboard': 'main [class*="_value_"]',
  '/entities': 'main a[href*="/entities/ent_"]',
}
const timeoutMs = 60_000

const server = await startServer()
const browser = await launchChromium()
try {
  const token = await furnish(server.url)
  const pages = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(dataOf)
  const rows = []
  for (const page of pages) rows.push(await load(browser, page, token))
  console.table(rows)
} finally {
  await browser.close()
  await server.stop()
}

/** In the page: when the shell and the data are there, since the visit began. */
function watch(selector: string): void {
  const seen: Seen = {}
  window.seen = seen
  const look = () => {
    const now = Math.round(performance.now())
    if (document.querySelector('header nav a')) seen.shell ??= now
    if (document.querySelector(selector)) seen.data ??= now
    if (seen.data === undefined) requestAnimationFrame(look)
  }
  look()
}

async function furnish(url: string): Promise<string> {
  const { token } = await createRestClient({ baseUrl: url }).register({
    body: { email: 'demo@example.com', password: 'demo-password', firstName: 'Demo', lastName: 'User' },
  })
  const rest = createRestClient({ baseUrl: url, token: () => token })
  await storeDemoGraph(rest)
  return token
}

async function load(browser: Browser, path: string, token: string) {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } })
  await context.addInitScript((stored) => localStorage.setItem('auth_token', stored), token)
  await context.addInitScript(watch, dataOf[path] ?? 'main h1')
  const page = await context.newPage()
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  await page.goto(path, { waitUntil: 'commit' })
  await page.waitForFunction(() => window.seen?.data, undefined, { timeout: timeoutMs })
  const { shell, data } = await page.evaluate(() => window.seen!)
  const files = await page.evaluate(() => {
    const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return all.map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize }))
  })
  const fcp = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
  await context.close()
  const code = files.filter(({ name }) => /\.(js|css)$/.test(name))
  return {
    page: path,
    'first paint ms': Math.round(fcp ?? 0),
    'shell ms': shell,
    'first data ms': data,
    files: files.length,
    code: code.length,
    kB: Math.round(files.reduce((sum, f) => sum + f.bytes, 0) / 1000),
  }
}
