/**
 * What becomes of the map that everybody shares while a memory doubles: how far old nodes have moved and how many have
 * left their region by themselves, by what browsers stored on the server.
 * Usage: npm run bench:map-stability [nodes]   (after npm run build --workspace web)
 */
import { createRestClient, type RestClient } from '@loci/client/rest'
import { decodePlaces, entityIdOf, fromBase64 } from '@loci/contract/place-codec'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { startServer } from '../e2e/server.ts'
import { communityLines, importLines, seedCommunities } from './lib/communities.ts'

const nodes = Number(process.argv[2] ?? 10_000)
/** Additions arrive while a page is open, in so many steps, and then as many at once while none is. */
const steps = 10
const waitMsMax = 600_000

type Place = { x: number; y: number; region: string | undefined }
type Places = ReadonlyMap<string, Place>

const server = await startServer()
const browser = await launchChromium()
try {
  const token = await seedCommunities(server.url, nodes)
  const rest = createRestClient({ baseUrl: server.url, token: () => token })
  const page = await open(browser, token)
  const before = await mapOf(rest, nodes)
  let count = nodes
  for (let step = 0; step < steps; step++) {
    const next = count + nodes / 2 / steps
    await importLines(rest, communityLines(count, next, true))
    await mapOf(rest, next)
    count = next
  }
  const live = changes(before, await mapOf(rest, count))
  await page.context().close()
  await importLines(rest, communityLines(count, 2 * nodes, true))
  await open(browser, token)
  const after = await mapOf(rest, 2 * nodes)
  console.table({
    [`${nodes / 2} more, while the page is open`]: live,
    [`${nodes} more, the rest at once while it is closed`]: changes(before, after),
  })
} finally {
  await browser.close()
  await server.stop()
}

async function open(from: Browser, token: string): Promise<Page> {
  const context = await from.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript((stored) => localStorage.setItem('auth_token', stored), token)
  const page = await context.newPage()
  await page.goto(`${server.url}/graph?limit=100000`)
  return page
}

/** The stored map, once it has a place for each entity. */
async function mapOf(rest: RestClient, entities: number): Promise<Places> {
  const end = performance.now() + waitMsMax
  while (performance.now() < end) {
    const { regions, places } = await rest.getGraphPlaces({ query: {} })
    const all = decodePlaces(fromBase64(places ?? '')!)!
    if (all.length >= entities)
      return new Map(
        all.map(({ entity, x, y, region }) => [entityIdOf(entity), { x, y, region: regions?.[region]?.id }]),
      )
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  throw new Error(`The map does not have ${entities} places`)
}

function driftOf(before: Places, after: Places) {
  const moved = [...before].map(([id, { x, y }]) => {
    const now = after.get(id)!
    return Math.hypot(now.x - x, now.y - y)
  })
  moved.sort((a, b) => a - b)
  return { median: round(moved[Math.floor(moved.length / 2)]!), most: round(moved.at(-1)!) }
}

function changes(before: Places, after: Places) {
  const inRegion = [...before].filter(([, { region }]) => region !== undefined)
  const left = inRegion.filter(([id, { region }]) => after.get(id)!.region !== region)
  const regionsOf = (map: Places) => new Set([...map.values()].map(({ region }) => region)).size
  return {
    'old nodes': before.size,
    ...driftOf(before, after),
    'left their region': left.length,
    '%': round((100 * left.length) / inRegion.length),
    'regions before': regionsOf(before),
    'regions after': regionsOf(after),
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
