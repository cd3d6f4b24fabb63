import { setTimeout as delay } from 'node:timers/promises'
import type { RestClient } from '@loci/client/rest'
import type { Page, Route } from 'playwright-core'

/** A person who can be signed in. */
export type Person = { token: string; rest: RestClient }

export type Screen = {
  name: string
  path: string
  /**
   * `demo` has the demo graph and a paid plan; `newcomer` has nothing, also on servers with other settings;
   * the agent of a `beginner` has just stored something. If undefined, a visitor looks.
   */
  who?: 'demo' | 'newcomer' | 'beginner'
  /** The other server to use. */
  on?: OtherServer
  /** Captures the whole page instead of the window, which suffices for dialogs and toasts. */
  whole?: boolean
  /** Runs before the page opens: mocks the server's responses. */
  route?: (page: Page) => Promise<unknown>
  /** Runs once the page is open: clicks and types. */
  act?: (page: Page, person: Person) => Promise<void>
}

/** Servers with other settings, or with other data. */
export type OtherServer = 'not charging' | 'invited' | 'closed' | 'with unclaimed memory'

export type Ids = { incident: string; long: string; path: string }

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
export const fails = (pattern: string) => (page: Page) =>
  page.route(pattern, (route) => route.fulfill({ status: 400, json: {} }))
export const answers = (pattern: string, json: object) => (page: Page) =>
  page.route(pattern, (route) => route.fulfill({ json }))
export const hangs = (pattern: string) => (page: Page) =>
  page.route(pattern, async (route) => {
    await delay(20_000, undefined, { ref: false })
    await route.abort().catch(() => {})
  })
/** The server's own response with changes. */
export const changes = (pattern: string, change: (json: Record<string, unknown>) => object) => (page: Page) =>
  page.route(pattern, async (route: Route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change(await response.json()) })
  })
/** The demo account as seen by a member with read access only. */
export const asViewer = changes('**/auth/me', (me) => ({ ...me, role: 'viewer' }))
export const menu = (label: string | RegExp, item: string) => async (page: Page) => {
  await button(page, label).click()
  await page.getByRole('menuitem', { name: item }).click()
}
export const graphRestMs = 2_500
