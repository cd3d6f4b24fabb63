/**
 * The size of the built web app against its budgets and, if Lighthouse is installed, its scores on the real
 * server: all four scores of the public pages, all but SEO of the signed-in ones.
 * Usage: npm run bench:web   (after npm run build --workspace web)
 * Lighthouse is not a dependency: `npm install --no-save lighthouse`, or LOCI_LIGHTHOUSE=<its directory>.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { createRestClient } from '@loci/client/rest'
import { type BrowserContext, chromium } from 'playwright-core'
import { chromiumLaunchOptions } from '../e2e/chromium.ts'
import { startServer } from '../e2e/server.ts'

type Lighthouse = (url: string, flags: object, config: object) => Promise<Run>
type Run = { lhr: Report; artifacts: { Trace: { traceEvents: TraceEvent[] } } }
/** `ts` and `tdur` in microseconds; `tdur` is processor time. */
type TraceEvent = { name: string; pid: number; tid: number; ts: number; tdur?: number }
type Report = {
  categories: Record<string, { score: number }>
  audits: Record<
    string,
    { id: string; score: number | null; scoreDisplayMode: string; numericValue?: number }
  >
}

const dist = 'web/dist'
const kilobyte = 1_000
const scoreMin = 0.95
const debugPort = 9488
const publicPages = ['/', '/pricing', '/login', '/signup']
const otherPages = [
  '/dashboard',
  '/entities',
  '/relations',
  '/graph',
  '/search?query=ada',
  '/billing',
  '/api-keys',
  '/settings',
]
const documents = [
  { page: '/', file: 'landing.html', scriptsMax: 150 * kilobyte },
  { page: '/pricing', file: 'pricing.html', scriptsMax: 150 * kilobyte },
  { page: 'app, first screen', file: 'index.html', scriptsMax: 260 * kilobyte },
]

if (!existsSync(join(dist, 'landing.html'))) {
  console.error('Build the web app first: npm run build --workspace web')
  process.exit(1)
}
console.table(documents.map(weigh))
// Under load, a target that Lighthouse attaches to can be gone before it answers. Lighthouse waits for none of
// these answers, so the error would end this process.
process.on('unhandledRejection', (error) => {
  if (!/Session closed|Target closed/.test(String(error))) throw error
})
const lighthouse = await findLighthouse()
if (lighthouse === undefined) {
  console.log('No Lighthouse here. Get it with: npm install --no-save lighthouse (or set LOCI_LIGHTHOUSE).')
} else {
  await score(lighthouse)
}

/** The transferred bytes (gzip) of a document and of everything that it loads before the first click. */
function weigh({ page, file, scriptsMax }: (typeof documents)[number]) {
  const html = readFileSync(join(dist, file), 'utf8')
  const loaded = [...html.matchAll(/<(?:script|link)[^>]+(?:src|href)="(\/[^"]+\.(?:js|css|woff2))"/g)]
  const sum = (ending: string) =>
    loaded
      .map(([, path]) => path!)
      .filter((path) => path.endsWith(ending))
      .map((path) => readFileSync(join(dist, path)))
      .reduce(
        (bytes, content) => bytes + (ending === '.woff2' ? content.length : gzipSync(content).length),
        0,
      )
  const scripts = sum('.js')
  if (scripts > scriptsMax) process.exitCode = 1
  return {
    page,
    html: gzipSync(html).length,
    css: sum('.css'),
    scripts,
    scriptsMax,
    'fonts preloaded': sum('.woff2'),
    within: scripts <= scriptsMax,
  }
}

async function findLighthouse(): Promise<{ run: Lighthouse; desktop: object } | undefined> {
  const directory = process.env.LOCI_LIGHTHOUSE ?? 'node_modules/lighthouse'
  const entry = resolve(directory, 'core/index.js')
  if (!existsSync(entry)) return undefined
  const module = await import(pathToFileURL(entry).href)
  return { run: module.default, desktop: module.desktopConfig }
}

async function score({ run, desktop }: { run: Lighthouse; desktop: object }): Promise<void> {
  const server = await startServer()
  const options = await chromiumLaunchOptions({ args: [`--remote-debugging-port=${debugPort}`] })
  // Lighthouse works in the browser's default context, so sign in there.
  const context = await chromium.launchPersistentContext('', options)
  const rowsOf = async (pages: readonly string[], flags: object) => {
    const rows = []
    for (const page of pages) {
      const tryOnce = () =>
        run(`${server.url}${page}`, { port: debugPort, logLevel: 'error', ...flags }, desktop)
      rows.push(toRow(page, await bestOf(tryOnce)))
    }
    return rows
  }
  try {
    console.table(await rowsOf(publicPages, {}))
    await signIn(context, server.url)
    const onlyCategories = ['performance', 'accessibility', 'best-practices']
    console.table(await rowsOf(otherPages, { onlyCategories, disableStorageReset: true }))
  } finally {
    await context.close()
    await server.stop()
  }
}

/** As a user with data to show. */
async function signIn(context: BrowserContext, url: string): Promise<void> {
  const { token } = await createRestClient({ baseUrl: url }).register({
    body: { email: 'ada@example.com', password: 'Correct-horse-7', firstName: 'Ada', lastName: 'Lovelace' },
  })
  const rest = createRestClient({ baseUrl: url, token: () => token })
  await rest.createBatch({
    body: {
      entities: [
        { name: 'Ada Lovelace', type: 'person', observations: ['Ada wrote notes'], metadata: { born: 1815 } },
        { name: 'Analytical Engine', type: 'product' },
      ],
      relations: [{ from: 'Ada Lovelace', to: 'Analytical Engine', type: 'describes' }],
    },
  })
  await rest.createKey({ body: { name: 'Laptop', permissions: [] } })
  const page = await context.newPage()
  await page.goto(`${url}/login`)
  await page.evaluate((stored) => localStorage.setItem('auth_token', stored), token)
  await page.close()
}

/** The best of three: other load on the machine can only lower a score. */
async function bestOf(tryOnce: () => Promise<Run>): Promise<Run> {
  const speed = ({ lhr }: Run) => lhr.categories.performance!.score
  let best: Run | undefined
  let failure: unknown
  for (let tries = 0; tries < 3 && (best === undefined || speed(best) < scoreMin); tries++) {
    const tried = await tryOnce().catch((error: unknown) => {
      failure = error
    })
    if (tried && (best === undefined || speed(tried) > speed(best))) best = tried
  }
  if (best === undefined) throw failure
  return best
}

function toRow(page: string, { lhr, artifacts }: Run) {
  const { categories, audits } = lhr
  const scores = Object.entries(categories).filter(([id]) => id !== 'agentic-browsing')
  if (scores.some(([, { score }]) => score < scoreMin)) process.exitCode = 1
  return {
    page,
    ...Object.fromEntries(scores.map(([id, { score }]) => [id, Math.round(score * 100)])),
    'LCP ms': Math.round(audits['largest-contentful-paint']?.numericValue ?? 0),
    'TBT ms': Math.round(audits['total-blocking-time']?.numericValue ?? 0),
    'TBT, processor ms': blockingOf(artifacts.Trace.traceEvents),
    CLS: Number((audits['cumulative-layout-shift']?.numericValue ?? 0).toFixed(3)),
    failed: failedOf(lhr).join(', '),
  }
}

/** Total blocking time by the main thread's processor time, which other load on the machine hardly affects. */
function blockingOf(events: readonly TraceEvent[]): number {
  const paint = events.findLast(({ name }) => name === 'firstContentfulPaint')
  const blocking = events
    .filter(({ name, pid, tid }) => name === 'RunTask' && pid === paint?.pid && tid === paint.tid)
    .filter(({ ts }) => ts >= paint!.ts)
    .map(({ tdur }) => Math.max(0, (tdur ?? 0) / 1_000 - 50))
  return Math.round(blocking.reduce((sum, ms) => sum + ms, 0))
}

function failedOf({ audits }: Report): string[] {
  return Object.values(audits)
    .filter(({ scoreDisplayMode, score }) => scoreDisplayMode === 'binary' && score === 0)
    .map(({ id }) => id)
}
