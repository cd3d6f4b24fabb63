// Writes every screen, light and dark, desktop and phone, to screenshots/ (or the folder given). Uses the built web app.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createRestClient } from '@loci/client/rest'
import { launchChromium } from '../e2e/chromium.ts'
import { startServer } from '../e2e/server.ts'
import { storeDemoGraph } from './demo/store-demo-graph.ts'

const folder = process.argv[2] ?? join(import.meta.dirname, '..', 'screenshots')
const sizes = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } }
const publicPages = ['/', '/pricing', '/login', '/signup']
const appPages = [
  '/dashboard',
  '/entities',
  '/relations',
  '/graph',
  '/search?query=who%20fixed%20the%20tracking%20delay',
  '/billing',
  '/api-keys',
  '/settings',
]

mkdirSync(folder, { recursive: true })
const server = await startServer()
const { token } = await createRestClient({ baseUrl: server.url }).register({
  body: { email: 'demo@example.com', password: 'demo-password', firstName: 'Demo', lastName: 'User' },
})
const rest = createRestClient({ baseUrl: server.url, token: () => token })
await storeDemoGraph(rest)
const [entity] = (await rest.listEntities({ query: { query: 'Tracking delay of 14 April' } })).entities
const browser = await launchChromium()
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [size, viewport] of Object.entries(sizes)) {
      for (const path of [...publicPages, ...appPages, `/entities/${entity?.id}`]) {
        const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
        if (!publicPages.includes(path)) {
          await context.addInitScript((stored) => localStorage.setItem('auth_token', stored), token)
        }
        const page = await context.newPage()
        await page.goto(server.url + path, { waitUntil: 'load' })
        await page.waitForTimeout(2_500)
        await page.screenshot({ path: join(folder, `${nameOf(path)}-${size}-${colorScheme}.png`) })
        await context.close()
      }
    }
  }
} finally {
  await browser.close()
  await server.stop()
}

function nameOf(path: string): string {
  const [first = '', second] = path.replace(/\?.*/, '').split('/').slice(1)
  if (second !== undefined) return 'entity'
  return first === '' ? 'landing' : first
}
