// Writes every screen, light and dark, desktop and phone, to a folder. Uses the built web app.
// Usage: npm run screenshots -- [--to=screenshots] [--only=parts of names, with commas]
// [--names=whole names, with commas] [--size=desktop|phone] [--scheme=light|dark]
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRestClient } from '@loci/client/rest'
import type { BrowserContext, Page } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { type RunningServer, startServer } from '../e2e/server.ts'
import { callAsAgent } from './demo/call-as-agent.ts'
import { storeDemoGraph } from './demo/store-demo-graph.ts'
import { screensOf } from './screens/all.ts'
import type { Ids, OtherServer, Person, Screen } from './screens/screen.ts'

const { values } = parseArgs({
  options: {
    to: { type: 'string', default: join(import.meta.dirname, '..', 'screenshots') },
    only: { type: 'string', default: '' },
    names: { type: 'string' },
    size: { type: 'string' },
    scheme: { type: 'string' },
  },
})
const sizes = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
}
const schemes = ['light', 'dark'] as const
/** Time for graphs, fonts and sliding elements to come to rest. */
const restMs = 500
/** Long enough for slow machines; some screens keep loading on purpose. */
const loadingMsMax = 5_000
const graphRestMs = 2_500

mkdirSync(values.to, { recursive: true })
const environments: Record<OtherServer, Record<string, string>> = {
  'not charging': { LOCI_BILLING: 'off' },
  invited: { LOCI_SIGN_UP: 'invited' },
  closed: { LOCI_SIGN_UP: 'closed' },
  'with unclaimed memory': {},
}

type PersonName = NonNullable<Screen['who']>
type Place = { server: RunningServer; people: Partial<Record<PersonName, Person>> }

const server = await startServer()
const people = {
  demo: await register('demo', server),
  newcomer: await register('new', server),
  beginner: await register('first', server),
}
await storeFirstMemory(people.beginner)
const screens = screensOf(await furnish(people.demo)).filter(
  ({ name }) =>
    (values.names?.split(',').includes(name) ?? true) &&
    values.only.split(',').some((part) => name.includes(part)),
)
const others = await startOthers()
const browser = await launchChromium()
try {
  for (const [size, device] of Object.entries(sizes)) {
    for (const colorScheme of schemes) {
      if ((values.size ?? size) !== size || (values.scheme ?? colorScheme) !== colorScheme) continue
      const look = { ...device, colorScheme, reducedMotion: 'reduce' as const }
      for (const screen of screens) {
        const place = screen.on === undefined ? { server, people } : others.get(screen.on)!
        const context = await browser.newContext({ ...look, baseURL: place.server.url })
        await take(
          context,
          screen,
          place,
          join(values.to, `${screen.name}-${size}-${colorScheme}.png`),
        ).catch((error: unknown) =>
          console.error(`${screen.name}, ${size}, ${colorScheme}: ${String(error)}`),
        )
        await context.close()
      }
    }
  }
} finally {
  await browser.close()
  await server.stop()
  for (const place of others.values()) await place.server.stop()
}

async function take(context: BrowserContext, screen: Screen, place: Place, path: string): Promise<void> {
  const person = place.people[screen.who ?? 'demo'] ?? people.demo
  const token = screen.who && person.token
  if (token) await context.addInitScript((stored) => localStorage.setItem('auth_token', stored), token)
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  await screen.route?.(page)
  await page.goto(screen.path)
  // Some screens wait for the server on purpose, and have no heading yet.
  const heading = page.locator('h1').first()
  await heading.waitFor({ state: 'attached', timeout: loadingMsMax }).catch(() => {})
  await page.waitForTimeout(restMs)
  await screen.act?.(page, person)
  await page
    .locator('.mantine-Skeleton-root')
    .first()
    .waitFor({ state: 'detached', timeout: loadingMsMax })
    .catch(() => {})
  await page.waitForTimeout(/graph|entity(-long)?$/.test(screen.name) ? graphRestMs : restMs)
  if (screen.whole) await enlargeWindow(page)
  await page.screenshot({ path })
}

/**
 * Makes the window as high as the page. A `fullPage` screenshot would show a phone as if it had a mouse, and its
 * bottom bar across the content.
 */
async function enlargeWindow(page: Page): Promise<void> {
  const { width, height } = page.viewportSize()!
  const pageHeight = await page.evaluate(() => document.documentElement.scrollHeight)
  if (pageHeight <= height) return
  await page.setViewportSize({ width, height: pageHeight })
  await page.waitForTimeout(restMs)
}

/** Starts the servers that the chosen screens need. */
async function startOthers(): Promise<Map<OtherServer, Place>> {
  const wanted = new Set(screens.flatMap(({ on }) => on ?? []))
  const places = new Map<OtherServer, Place>()
  for (const name of wanted) {
    const other = await startServer(environments[name])
    const isOpen = name === 'not charging'
    places.set(name, { server: other, people: isOpen ? { newcomer: await register('new', other) } : {} })
    if (name === 'with unclaimed memory') await storeUnclaimed(other)
  }
  return places
}

/** An agent's memory from before anybody signed up. */
async function storeUnclaimed({ run }: RunningServer): Promise<void> {
  const file = join(values.to, 'memory.jsonl')
  writeFileSync(file, '{"type":"entity","name":"Ada","entityType":"person","observations":["Drinks tea"]}\n')
  await run('import', file)
  rmSync(file)
}

async function register(name: string, { url }: RunningServer): Promise<Person> {
  const { token } = await createRestClient({ baseUrl: url }).register({
    body: { email: `${name}@example.com`, password: 'demo-password', firstName: 'Demo', lastName: 'User' },
  })
  return { token, rest: createRestClient({ baseUrl: url, token: () => token }) }
}

/** Adds the demo graph with oversized content, a paid plan, a card and keys. */
async function furnish({ rest }: Person): Promise<Ids> {
  await storeDemoGraph(rest)
  const long = 'An entity with a very long name '.repeat(15).trim()
  const { entities } = await rest.createBatch({
    body: {
      entities: [
        {
          name: long,
          type: 'odd',
          observations: ['x'.repeat(600), 'مرحبا بالعالم', '🚀 An emoji comes first'],
        },
        { name: long.toUpperCase(), type: 'odd', observations: ['x'.repeat(600)] },
        { name: 'عنصر باسم عربي', type: 'odd', metadata: { key: 'y'.repeat(200), nested: { a: [1, 2] } } },
      ],
      relations: [{ from: long, to: 'عنصر باسم عربي', type: 'knows' }],
    },
  })
  for (const number of ['4242424242424242', '5555555555554444']) {
    const { clientSecret } = await rest.createSetupIntent({ body: {} })
    await rest.confirmTestCard({ body: { clientSecret, number, expMonth: 12, expYear: 2034, cvc: '123' } })
  }
  await subscribe(rest, 'pro')
  for (const name of ['Claude Code on my laptop', 'Nightly summary job', 'x'.repeat(90)]) {
    await rest.createKey({ body: { name, permissions: [] } })
  }
  const demo = { url: server.url, apiKey: (await rest.me()).apiKey! }
  const incidentName = 'Tracking delay of 14 April'
  const { brief } = await rest.getBrief()
  await rest.markBrief({ body: { seq: brief.seq } })
  await callAsAgent({ ...demo, agent: 'claude-code' }, 'add_observations', {
    observations: [
      { entityName: incidentName, contents: ['Autovacuum now runs **every hour** on `positions`'] },
      {
        entityName: 'Orbis Medical',
        contents: [
          'Asked for a report of the delay by Friday',
          'Wants a mail, not a phone call, when a delivery is late',
          'Has a new contact for customs',
          'Pays within ten days',
          'Ships cold goods on Tuesdays only',
        ],
      },
    ],
  })
  await callAsAgent({ ...demo, agent: 'Cursor' }, 'add_observations', {
    observations: [
      { entityName: 'Sud Express', contents: ['Accepts loads until 15:00 since 16 November'] },
      { entityName: incidentName, contents: ['Always name the owner of an incident first'] },
    ],
  })
  for (const query of ['Where is the zeppelin?', 'Zeppelin moorings', 'zeppelin moorings?'])
    await callAsAgent({ ...demo, agent: 'codex' }, 'recall', { query })
  await callAsAgent({ ...demo, agent: 'claude-code' }, 'recall', {
    query: 'What happened to Orbis Medical in April?',
    maxTokens: 700,
  })
  await callAsAgent({ ...demo, agent: 'Cursor' }, 'recall', { query: 'who fixed the tracking delay' })
  const idOf = async (query: string) => (await rest.listEntities({ query: { query } })).entities[0]!.id
  const incident = await idOf(incidentName)
  const search = new URLSearchParams({ selected: incident }).toString()
  await rest.createView({ body: { name: 'Around the tracking delay', search } })
  await rest.createView({ body: { name: 'x'.repeat(120), search: 'view=plan' } })
  return {
    incident,
    long: entities.created[0]!.id,
    path: new URLSearchParams({ from: incident, to: await idOf('Orbis Medical') }).toString(),
  }
}

/** An agent stores something for the first time. */
async function storeFirstMemory({ rest }: Person): Promise<void> {
  const { apiKey } = await rest.me()
  await callAsAgent({ url: server.url, apiKey: apiKey!, agent: 'claude-code' }, 'create_entities', {
    entities: [
      {
        name: 'release branch',
        entityType: 'concept',
        observations: ['Deploys go out from the release branch, never from main.'],
      },
    ],
  })
}

/** Through the hosted checkout, so that there is an invoice. */
async function subscribe(rest: Person['rest'], planId: string): Promise<void> {
  const { plans } = await rest.listPlans()
  const priceId = plans.find(({ id }) => id === planId)!.priceId!
  const returns = { successUrl: server.url, cancelUrl: server.url }
  const { url } = await rest.createCheckout({ body: { priceId, ...returns } })
  await fetch(url, { method: 'POST', body: new URLSearchParams({ action: 'on_file' }), redirect: 'manual' })
}
