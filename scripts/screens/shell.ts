import { answers, button, changes, hangs, menu, type Screen } from './screen.ts'

const spacesNamed = (...names: string[]) => ({
  spaces: names.map((name, i) => ({
    id: `spc_${i}`,
    name,
    entities: 26_117 * i,
    relations: 41_408 * i,
    observations: 80_020 * i,
    createdAt: '2026-01-01T00:00:00.000Z',
  })),
})
export const twoSpaces = answers('**/api/spaces', spacesNamed('default', 'longname'.repeat(8)))

const long = 'A name of five hundred characters '.repeat(15).slice(0, 500)
const longSpaces = answers('**/api/spaces', spacesNamed(long, 'x'.repeat(500), 'default'))

/** The person's account, and another one, with long names. */
function longAccounts(me: Record<string, unknown>): object {
  const accounts = Array.isArray(me.accounts) ? me.accounts : []
  return {
    ...me,
    accounts: [
      ...accounts.map((account) => ({ ...account, name: long })),
      { id: 'acc_other', name: 'y'.repeat(500), role: 'viewer' },
    ],
  }
}

export const shellScreens: Screen[] = [
  {
    name: 'session-check',
    path: '/dashboard',
    who: 'demo',
    route: hangs('**/auth/me'),
  },
  {
    name: 'user-menu',
    path: '/dashboard',
    who: 'demo',
    act: (page) => button(page, 'User menu').click(),
  },
  {
    name: 'palette',
    path: '/dashboard',
    who: 'demo',
    act: async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('Find an entity, a page or an action').fill('track')
      await page
        .getByRole('button', { name: /Tracking/ })
        .first()
        .waitFor()
    },
  },
  {
    name: 'palette-recent',
    path: '/entities',
    who: 'demo',
    act: async (page) => {
      for (const row of [0, 1]) {
        await page.getByRole('article').nth(row).getByRole('link').first().click()
        await page.getByRole('heading', { name: 'Relationships' }).waitFor()
        await page.goBack()
      }
      await page.getByRole('article').first().waitFor()
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('Find an entity, a page or an action').waitFor()
    },
  },
  {
    name: 'first-paint',
    path: '/dashboard',
    who: 'demo',
    route: (page) => page.route('**/assets/*.{js,css}', (route) => route.abort()),
  },
  {
    name: 'live-notes',
    path: '/dashboard',
    who: 'demo',
    act: async (page, { rest }) => {
      await page.getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
      const names = [
        `A note of ${Date.now()}`,
        `A rather longer name of an entity that an agent made at ${Date.now()}`,
      ]
      const made = await rest.createBatch({
        body: { entities: names.map((name) => ({ name, type: 'concept' })), relations: [] },
      })
      await page.getByText(`Entity created: ${names[1]}`).waitFor()
      for (const { id } of made.entities.created) await rest.deleteEntity({ params: { id } })
    },
  },
  {
    name: 'disconnected',
    path: '/dashboard',
    who: 'demo',
    route: (page) => page.routeWebSocket('**/ws/connect', (socket) => void socket.close({ code: 1011 })),
    act: async (page) => {
      await page.getByText('Disconnected', { exact: true }).waitFor({ state: 'attached' })
    },
  },
  {
    name: 'offline',
    path: '/dashboard',
    who: 'demo',
    act: async (page) => {
      await page.getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
      await page.context().setOffline(true)
      await page.getByRole('link', { name: 'Relations' }).first().click()
      await page.getByText('This page could not be loaded').waitFor()
    },
  },
  {
    name: 'session-ended',
    path: '/relations',
    who: 'newcomer',
    act: async (page) => {
      await page.getByText('No relations found').waitFor()
      const refusal = { error: { code: 'not_authenticated', message: 'Sign in' } }
      await page.route('**/api/**', (route) => route.fulfill({ status: 401, json: refusal }))
      await button(page, 'Refresh').click()
      await page.getByText('Your session has ended').waitFor()
    },
  },
  {
    name: 'shortcuts',
    path: '/dashboard',
    who: 'demo',
    act: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
  {
    name: 'draft-question',
    path: '/entities?create=true',
    who: 'demo',
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Name' }).fill('Half-written')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'Discard unsaved changes?' }).waitFor()
    },
  },
  {
    name: 'space-menu-long',
    path: '/entities',
    who: 'demo',
    route: async (page) => {
      await longSpaces(page)
      await changes('**/auth/me', longAccounts)(page)
    },
    act: (page) => button(page, /^Space: /).click(),
  },
  { name: 'space-menu', path: '/entities', who: 'demo', act: (page) => button(page, /^Space: /).click() },
  {
    name: 'space-delete',
    path: '/entities',
    who: 'demo',
    route: twoSpaces,
    act: menu(/^Space: /, 'Delete this space'),
  },
  { name: 'space-unknown', path: '/entities?space=gone', who: 'demo' },
]
