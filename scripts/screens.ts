// The screens that screenshots.ts captures: each page, and its empty, loading, refused and broken states.

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

/** A program on the user's own machine that asks to be connected. */
const asks = {
  client: { name: 'Field notes', host: 'localhost:8765', isVerified: false },
  redirectUri: 'http://localhost:8765/callback',
  scopes: ['memory:read', 'memory:write'],
  spaces: [{ id: 'spc_1', name: 'default' }],
  expiresAt: '2030-01-01T00:00:00.000Z',
}

const auditActor = {
  kind: 'session',
  userId: 'usr_1',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  client: null,
}
const auditEvents = [
  {
    action: 'key_created',
    subject: { kind: 'key', name: 'deploy robot' },
    details: { permissions: 'memory:read' },
  },
  {
    action: 'member_role_changed',
    subject: { kind: 'person', name: 'grace@example.com' },
    details: { from: 'member', to: 'admin' },
  },
  {
    action: 'sign_in_failed',
    by: { kind: 'visitor' },
    details: { reason: 'wrong password', device: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' },
  },
  {
    action: 'signed_in',
    details: { device: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Chrome/140.0 Safari/537.36' },
  },
  {
    action: 'data_exported',
    by: { kind: 'api_key', credential: { id: 'key_1', name: 'nightly backup' }, client: 'cursor' },
    details: { format: 'loci' },
  },
  {
    action: 'space_deleted',
    subject: { kind: 'space', name: 'longname'.repeat(16) },
    details: { entities: 12 },
  },
  {
    action: 'connection_granted',
    subject: { kind: 'connection', name: 'Claude' },
    details: { host: 'claude.ai', scopes: 'memory:read memory:write' },
  },
  {
    action: 'plan_changed',
    by: { kind: 'system', name: '' },
    subject: { kind: 'plan', name: 'pro' },
    details: { from: 'free', to: 'pro' },
  },
  {
    action: 'password_reset',
    by: { kind: 'local', name: '' },
    subject: { kind: 'person', name: 'grace@example.com' },
    details: {},
  },
]
const auditPage = {
  events: auditEvents.map(({ action, by = {}, subject, details }, i) => ({
    id: `aud_${i}`,
    at: new Date(Date.now() - i * 5 * 3_600_000).toISOString(),
    action,
    category: 'keys',
    actor: { ...auditActor, credential: null, ...by },
    subject: subject ? { id: null, ...subject } : null,
    details,
    address: i === 7 ? null : '203.0.113.0/24',
  })),
  nextCursor: 'more',
  keptDays: 365,
}

const connectedApps = ['Claude', 'ChatGPT', 'longname'.repeat(25)].map((name, i) => ({
  id: `con_${i}`,
  client: { name, host: ['claude.ai', 'chatgpt.com', 'localhost:8765'][i] },
  scopes: i === 1 ? ['memory:read'] : asks.scopes,
  space: asks.spaces[0],
  createdAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
  lastUsedAt: i === 2 ? null : new Date(Date.now() - 240_000).toISOString(),
}))

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
const fails = (pattern: string) => (page: Page) =>
  page.route(pattern, (route) => route.fulfill({ status: 400, json: {} }))
const answers = (pattern: string, json: object) => (page: Page) =>
  page.route(pattern, (route) => route.fulfill({ json }))
const hangs = (pattern: string) => (page: Page) =>
  page.route(pattern, async (route) => {
    await delay(20_000, undefined, { ref: false })
    await route.abort().catch(() => {})
  })
/** The server's own response with changes. */
const changes = (pattern: string, change: (json: Record<string, unknown>) => object) => (page: Page) =>
  page.route(pattern, async (route: Route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change(await response.json()) })
  })
const graphRestMs = 2_500
/** The demo account as seen by a member with read access only. */
const asViewer = changes('**/auth/me', (me) => ({ ...me, role: 'viewer' }))
const twoSpaces = answers('**/api/spaces', {
  spaces: ['default', 'longname'.repeat(8)].map((name, i) => ({
    id: `spc_${i}`,
    name,
    entities: 26_117 * i,
    relations: 41_408 * i,
    observations: 80_020 * i,
    createdAt: '2026-01-01T00:00:00.000Z',
  })),
})
const menu = (label: string | RegExp, item: string) => async (page: Page) => {
  await button(page, label).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** An endpoint with deliveries. */
async function addWebhook(page: Page, { rest }: Person): Promise<void> {
  const { webhooks } = await rest.listWebhooks()
  if (webhooks.length === 0) {
    const { webhook } = await rest.createWebhook({ body: { url: 'https://receiver.invalid/loci' } })
    await rest.testWebhook({ params: { id: webhook.id } })
  }
  await page.reload()
}

/** All but the graph, whose pictures take a while. */
export const screensOf = ({ incident, long, path }: Ids): Screen[] => [
  { name: 'landing', path: '/', whole: true },
  { name: 'pricing', path: '/pricing', whole: true },
  { name: 'pricing-annual', path: '/pricing', act: (page) => page.getByLabel('Annual').check() },
  { name: 'login', path: '/login' },
  {
    name: 'login-refused',
    path: '/login',
    act: async (page) => {
      await page.getByLabel('Email Address').fill('ada@example.com')
      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await button(page, 'Sign In').click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'session-check',
    path: '/dashboard',
    who: 'demo',
    route: hangs('**/auth/me'),
  },
  { name: 'signup', path: '/signup', whole: true },
  {
    name: 'signup-plan',
    path: '/signup?plan=pro&billing=annual',
    whole: true,
    act: async (page) => {
      await page.getByLabel('First Name').fill('Ada')
      await page.getByLabel('Last Name').fill('Lovelace')
      await page.getByLabel('Email Address').fill('ada@example')
      await page.getByLabel('Password', { exact: true }).fill('Lovelace')
      await page.getByLabel('Confirm Password').fill('Lovelace')
      await button(page, /Create Account/).click()
    },
  },

  { name: 'signup-invited', path: '/signup', on: 'invited' },
  { name: 'signup-closed', path: '/signup', on: 'closed' },
  { name: 'login-closed', path: '/login', on: 'closed' },
  { name: 'landing-closed', path: '/', on: 'closed', whole: true },
  { name: 'signup-unclaimed', path: '/signup', on: 'with unclaimed memory', whole: true },
  { name: 'login-unclaimed', path: '/login', on: 'with unclaimed memory', whole: true },
  { name: 'signup-claim', path: '/signup#claim=a-token', on: 'with unclaimed memory', whole: true },
  { name: 'landing-not-charging', path: '/', on: 'not charging', whole: true },
  { name: 'pricing-not-charging', path: '/pricing', on: 'not charging', whole: true },
  { name: 'dashboard-not-charging', path: '/dashboard', on: 'not charging', who: 'newcomer', whole: true },
  { name: 'billing-not-charging', path: '/billing', on: 'not charging', who: 'newcomer', whole: true },

  { name: 'dashboard', path: '/dashboard', who: 'demo', whole: true },
  { name: 'dashboard-empty', path: '/dashboard', who: 'newcomer', whole: true },
  { name: 'dashboard-first-memory', path: '/dashboard', who: 'beginner', whole: true },
  { name: 'dashboard-loading', path: '/dashboard', who: 'demo', route: hangs('**/api/analytics') },
  { name: 'dashboard-failed', path: '/dashboard', who: 'demo', route: fails('**/api/analytics') },
  {
    name: 'dashboard-at-limit',
    path: '/dashboard',
    who: 'demo',
    whole: true,
    route: changes('**/api/analytics', (summary) => ({ ...summary, userPlan: 'free', totalEntities: 962 })),
  },
  { name: 'dashboard-subscribed', path: '/dashboard?success=true&plan=pro', who: 'demo' },
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
      await page.getByRole('dialog', { name: 'Discard what you wrote?' }).waitFor()
    },
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

  { name: 'entities', path: '/entities', who: 'demo' },
  { name: 'entities-filtered', path: '/entities?query=tracking&type=event', who: 'demo' },
  {
    name: 'entities-table',
    path: '/entities?sort=connected',
    who: 'demo',
    act: async (page) => {
      await page.locator('label').filter({ hasText: 'Table' }).click()
      await page
        .getByRole('checkbox', { name: /^Select / })
        .nth(2)
        .click()
      await page
        .getByRole('checkbox', { name: /^Select / })
        .nth(4)
        .click()
    },
  },
  {
    name: 'entities-selected',
    path: '/entities?sort=changed',
    who: 'demo',
    act: async (page) => {
      await page
        .getByRole('checkbox', { name: /^Select / })
        .nth(1)
        .check({ force: true })
      await page
        .getByRole('checkbox', { name: /^Select / })
        .nth(3)
        .check({ force: true })
      await button(page, 'Merge').click()
    },
  },
  {
    name: 'entities-types',
    path: '/entities',
    who: 'demo',
    act: async (page) => {
      await button(page, 'Edit types').click()
      await button(page, 'Rename odd').click()
      await button(page, 'Colour of odd').click()
    },
  },
  { name: 'entities-past', path: '/entities?asOf=2', who: 'demo' },
  { name: 'entities-no-match', path: '/entities?query=zzzzqqqq', who: 'demo' },
  { name: 'entities-empty', path: '/entities', who: 'newcomer' },
  { name: 'entities-failed', path: '/entities', who: 'demo', route: fails('**/api/entities?*') },
  {
    name: 'entity-menu',
    path: '/entities',
    who: 'demo',
    act: (page) => button(page, 'Entity actions').click(),
  },
  {
    name: 'entity-view',
    path: '/entities?query=Orbis',
    who: 'demo',
    act: menu('Entity actions', 'View Details'),
  },
  {
    name: 'entity-edit',
    path: '/entities?query=Orbis',
    who: 'demo',
    act: menu('Entity actions', 'Edit Entity'),
  },
  {
    name: 'entity-delete',
    path: '/entities?query=Orbis',
    who: 'demo',
    act: menu('Entity actions', 'Delete Entity'),
  },
  {
    name: 'entity-create',
    path: '/entities?create=true',
    who: 'demo',
    act: async (page) => {
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Metadata').fill('{"source":')
      await dialog.getByRole('button', { name: 'Create Entity' }).click()
    },
  },
  {
    name: 'entity-type-options',
    path: '/entities?create=true',
    who: 'demo',
    act: (page) => page.getByRole('dialog').getByRole('combobox', { name: 'Type' }).click(),
  },
  { name: 'entity', path: `/entities/${incident}`, who: 'demo', whole: true },
  { name: 'entity-long', path: `/entities/${long}`, who: 'demo', whole: true },
  { name: 'entity-history', path: `/entities/${incident}?tab=history`, who: 'demo', whole: true },
  { name: 'entity-metadata', path: `/entities/${incident}?tab=metadata`, who: 'demo' },
  {
    name: 'entity-past',
    path: `/entities/${incident}?asOf=${new Date().toISOString()}`,
    who: 'demo',
  },
  {
    name: 'entity-edit-fact',
    path: `/entities/${incident}`,
    who: 'demo',
    act: async (page) => {
      await button(page, 'Edit observation').first().click()
      await page.getByLabel('Observation text').fill('Half written')
      await page.getByLabel('Observation text').press('Escape')
    },
  },
  {
    name: 'entity-relate',
    path: `/entities/${incident}`,
    who: 'demo',
    act: (page) => button(page, 'Add relationship').click(),
  },
  {
    name: 'entity-rename',
    path: `/entities/${incident}`,
    who: 'demo',
    act: (page) => button(page, 'Rename entity').click(),
  },
  { name: 'entity-merge', path: `/entities/${incident}`, who: 'demo', act: menu('More actions', 'Merge...') },
  {
    name: 'entity-failing',
    path: `/entities/${incident}`,
    who: 'demo',
    route: (page) => page.route('**/api/relations?**', (route) => route.fulfill({ status: 400, json: {} })),
  },
  { name: 'entities-viewer', path: '/entities', who: 'demo', route: asViewer },
  { name: 'entity-viewer', path: `/entities/${incident}`, who: 'demo', whole: true, route: asViewer },
  { name: 'relations-viewer', path: '/relations', who: 'demo', route: asViewer },
  { name: 'history-viewer', path: '/history', who: 'demo', route: asViewer },
  { name: 'settings-viewer', path: '/settings', who: 'demo', whole: true, route: asViewer },
  { name: 'webhooks-viewer', path: '/webhooks', who: 'demo', route: asViewer },
  { name: 'entities-long', path: '/entities?type=odd', who: 'demo' },
  { name: 'entity-missing', path: '/entities/ent_missing', who: 'demo' },

  {
    name: 'graph-near',
    path: '/graph',
    who: 'demo',
    act: async (page) => {
      await page.waitForTimeout(2_000)
      for (let i = 0; i < 8; i += 1) await button(page, 'Zoom in').click()
    },
  },
  { name: 'duplicates', path: '/duplicates', who: 'demo' },
  {
    name: 'duplicates-apart',
    path: '/duplicates',
    who: 'demo',
    route: changes('**/api/duplicates?*', asUnbroken),
    act: async (page) => {
      await page.route('**/api/duplicates/dismiss*', (route) => route.fulfill({ json: {} }))
      await button(page, 'Not the same').click()
    },
  },
  {
    name: 'duplicates-more-failed',
    path: '/duplicates',
    who: 'demo',
    route: async (page) => {
      await changes('**/api/duplicates?*', (json) => ({ ...json, nextCursor: 'more' }))(page)
      await fails('**/api/duplicates?*cursor=*')(page)
    },
    act: (page) => button(page, 'Show more').click(),
  },
  { name: 'duplicates-none', path: '/duplicates', who: 'newcomer' },
  { name: 'duplicates-failed', path: '/duplicates', who: 'demo', route: fails('**/api/duplicates?*') },
  { name: 'history', path: '/history', who: 'demo', whole: true },
  { name: 'history-entity', path: `/history?entityId=${long}`, who: 'demo', whole: true },
  { name: 'history-none', path: '/history?kind=merges&since=day', who: 'demo' },
  { name: 'history-empty', path: '/history', who: 'newcomer' },
  { name: 'audit', path: '/audit', who: 'demo', whole: true, route: answers('**/api/audit?*', auditPage) },
  { name: 'audit-own', path: '/audit', who: 'newcomer' },
  { name: 'audit-none', path: '/audit?category=billing&since=day', who: 'newcomer' },
  {
    name: 'audit-older-failed',
    path: '/audit',
    who: 'demo',
    route: async (page) => {
      await answers('**/api/audit?*', auditPage)(page)
      await fails('**/api/audit?*cursor=*')(page)
    },
    act: (page) => button(page, 'Show older events').click(),
  },
  {
    name: 'audit-failed',
    path: '/audit',
    who: 'demo',
    route: (page) => page.route('**/api/audit?*', (route) => route.fulfill({ status: 500, body: '{}' })),
  },
  { name: 'settings-account', path: '/settings#account', who: 'demo' },
  { name: 'webhooks-free', path: '/webhooks', who: 'newcomer' },
  { name: 'webhooks', path: '/webhooks', who: 'demo', act: addWebhook },
  {
    name: 'webhook',
    path: '/webhooks',
    who: 'demo',
    whole: true,
    act: async (page) =>
      page
        .getByRole('link', { name: /receiver\.invalid/ })
        .first()
        .click(),
  },
  { name: 'relations', path: '/relations', who: 'demo' },
  { name: 'relations-empty', path: '/relations', who: 'newcomer' },
  { name: 'relations-long', path: '/relations?query=knows', who: 'demo' },
  {
    name: 'relation-create',
    path: '/relations',
    who: 'demo',
    act: async (page) => {
      await button(page, 'Create Relation').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Create Relation' }).click()
    },
  },
  { name: 'relation-edit', path: '/relations', who: 'demo', act: menu('Relation actions', 'Edit Relation') },
  {
    name: 'relation-delete',
    path: '/relations',
    who: 'demo',
    act: menu('Relation actions', 'Delete Relation'),
  },

  { name: 'graph', path: '/graph', who: 'demo', whole: true },
  { name: 'graph-selected', path: `/graph?selected=${incident}`, who: 'demo', whole: true },
  { name: 'graph-path', path: `/graph?${path}`, who: 'demo', whole: true },
  { name: 'graph-plan', path: '/graph?view=plan', who: 'demo', whole: true },
  { name: 'graph-past', path: '/graph?asOf=40', who: 'demo', whole: true },
  {
    name: 'graph-views',
    path: '/graph',
    who: 'demo',
    act: async (page) => {
      await page.waitForTimeout(graphRestMs)
      await button(page, 'Views').click()
    },
  },
  {
    name: 'graph-lasso',
    path: '/graph',
    who: 'demo',
    act: async (page) => {
      await page.waitForTimeout(graphRestMs)
      await button(page, /^Lasso/).click()
      const { width, height } = page.viewportSize()!
      const corners = [
        [0.42, 0.35],
        [0.62, 0.35],
        [0.62, 0.6],
        [0.42, 0.6],
        [0.42, 0.36],
      ] as const
      const [x, y] = corners[0]
      await page.mouse.move(x * width, y * height)
      await page.mouse.down()
      for (const [right, down] of corners) await page.mouse.move(right * width, down * height, { steps: 8 })
      await page.mouse.up()
    },
  },
  { name: 'graph-list', path: '/graph?view=list', who: 'demo', whole: true },
  { name: 'graph-empty', path: '/graph', who: 'newcomer' },

  {
    name: 'search',
    path: '/search?query=who%20fixed%20the%20tracking%20delay',
    who: 'demo',
    act: async (page) => {
      await page.getByRole('listitem').filter({ hasText: 'Why this result?' }).first().hover()
      await page.getByText('Why this result?').first().click()
    },
  },
  { name: 'search-guess', path: '/search?query=trakcing%20deley', who: 'demo' },
  { name: 'search-blank', path: '/search', who: 'demo' },
  { name: 'search-none', path: '/search?query=zzzzqqq&type=person&after=2026-01-01', who: 'demo' },

  { name: 'billing', path: '/billing', who: 'demo', whole: true },
  { name: 'billing-free', path: '/billing', who: 'newcomer', whole: true },
  {
    name: 'billing-ending',
    path: '/billing',
    who: 'demo',
    route: changes('**/api/billing/subscription', (now) => ({
      ...now,
      cancelAtPeriodEnd: true,
      status: 'active',
    })),
  },
  {
    name: 'billing-past-due',
    path: '/billing?canceled=true&plan=pro',
    who: 'demo',
    route: changes('**/api/billing/subscription', (now) => ({ ...now, status: 'past_due' })),
  },
  { name: 'plan-change', path: '/billing', who: 'demo', act: (page) => button(page, 'Change Plan').click() },
  {
    name: 'plan-cancel',
    path: '/billing',
    who: 'demo',
    act: (page) => button(page, 'Cancel Subscription').click(),
  },
  {
    name: 'card-add',
    path: '/billing',
    who: 'demo',
    act: (page) => button(page, 'Add Payment Method').click(),
  },
  { name: 'card-remove', path: '/billing', who: 'demo', act: (page) => button(page, /^Remove Visa/).click() },

  { name: 'api-keys', path: '/api-keys', who: 'demo', whole: true, route: changes('**/api/keys', agedKeys) },
  { name: 'api-keys-empty', path: '/api-keys', who: 'newcomer' },
  {
    name: 'api-keys-new',
    path: '/api-keys',
    who: 'demo',
    act: async (page, { rest }) => {
      await button(page, 'Create API Key').click()
      await page.getByRole('dialog').getByLabel('Name').fill('Agent on the build server')
      await page.getByRole('dialog').getByRole('button', { name: 'Create API Key' }).click()
      await page.getByText('Save this key now').waitFor()
      const { apiKeys } = await rest.listKeys()
      const { id } = apiKeys.find(({ name }) => name === 'Agent on the build server')!
      await rest.deleteKey({ params: { id } })
    },
  },
  {
    name: 'key-create',
    path: '/api-keys',
    who: 'demo',
    act: (page) => button(page, 'Create API Key').click(),
  },
  { name: 'key-roll', path: '/api-keys', who: 'demo', act: (page) => button(page, 'Roll').click() },
  { name: 'key-delete', path: '/api-keys', who: 'demo', act: (page) => button(page, 'Delete').click() },

  {
    name: 'consent',
    path: '/authorize?request=x',
    who: 'demo',
    route: answers('**/oauth/requests/x/details', asks),
  },
  {
    name: 'consent-spaces-verified',
    path: '/authorize?request=x',
    who: 'demo',
    route: answers('**/oauth/requests/x/details', {
      ...asks,
      client: { name: 'Claude', host: 'claude.ai', isVerified: true },
      redirectUri: 'https://claude.ai/api/mcp/auth_callback',
      spaces: [...asks.spaces, { id: 'spc_2', name: 'Work' }],
    }),
  },
  {
    name: 'consent-long',
    path: '/authorize?request=x',
    who: 'demo',
    route: answers('**/oauth/requests/x/details', {
      ...asks,
      client: { ...asks.client, name: 'longname'.repeat(25) },
      redirectUri: `https://${'long.'.repeat(30)}example/`,
    }),
  },
  { name: 'consent-over', path: '/authorize?error=expired' },
  {
    name: 'settings-apps',
    path: '/settings',
    who: 'demo',
    whole: true,
    route: answers('**/api/connections', { connections: connectedApps }),
  },
  { name: 'settings', path: '/settings', who: 'demo', whole: true },
  {
    name: 'settings-install',
    path: '/settings',
    who: 'demo',
    act: async (page) => {
      const tab = page.getByRole('tab', { name: 'Cursor' })
      if (await tab.isVisible()) await tab.click()
      else await page.getByRole('combobox', { name: 'Client' }).selectOption('Cursor')
      await page.getByRole('link', { name: 'Add to Cursor' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings-key-lost',
    path: '/settings',
    who: 'demo',
    whole: true,
    route: changes('**/auth/me', (me) => ({ ...me, apiKey: null })),
  },
  {
    name: 'settings-importing',
    path: '/settings#memory',
    who: 'demo',
    route: async (page) => {
      await page.addInitScript(() => localStorage.setItem('loci_import', 'imp_1'))
      await answers('**/api/imports/*', { import: importReport })(page)
      await answers('**/api/embeddings', embeddings)(page)
    },
  },
  {
    name: 'settings-import-preview',
    path: '/settings#memory',
    who: 'demo',
    whole: true,
    route: answers('**/api/import/preview*', { preview: importPreview }),
    act: async (page) => {
      const buffer = Buffer.from('PK')
      const name = `chatgpt-export-of-${'a-long-name-'.repeat(8)}2026.zip`
      await page.getByLabel('Choose a file or drop it here').setInputFiles({ name, mimeType: '', buffer })
      await page.getByText('problems in the file').click()
    },
  },
  {
    name: 'settings-limit',
    path: '/settings#memory',
    who: 'demo',
    route: async (page) => {
      await page.addInitScript(() => localStorage.setItem('loci_import', 'imp_1'))
      await answers('**/api/imports/*', { import: { ...importReport, state: 'plan_limit_reached' } })(page)
      const failure = { message: 'The model does not answer', at: new Date().toISOString() }
      await answers('**/api/embeddings', { ...embeddings, state: 'unreachable', failure })(page)
    },
  },
  ...meaningScreens(),
  ...secondFactorScreens(),
  {
    name: 'account-delete',
    path: '/settings',
    who: 'demo',
    act: (page) => button(page, 'Delete Account').click(),
  },
  { name: 'api-docs', path: '/api/docs' },
]

/** Semantic search, as seen by the owner of a self-hosted server. */
function meaningScreens(): Screen[] {
  const off = { state: 'off', model: null, dimensions: null, embedded: 0, waiting: 0, failure: null }
  const nothing = { isOffered: true, isFixed: false, chosen: null, installation: null }
  const local = { provider: 'local', model: 'bge-small-en-v1.5', url: null, hasKey: false }
  const installation = { model: local.model, step: 'model', bytesDone: 12e6, bytes: 34.7e6, failure: null }
  const failure = 'The disk of /var/lib/loci/embeddings has 31 MB left, and 450 MB are needed.'
  const states: [string, object, object, ((page: Page) => Promise<void>)?][] = [
    ['off', off, nothing],
    ['server', off, nothing, (page) => page.getByText('OpenAI API', { exact: true }).click()],
    ['fetching', off, { ...nothing, installation }],
    ['installing', off, { ...nothing, installation: { ...installation, step: 'runtime' } }],
    ['failed', off, { ...nothing, installation: { ...installation, failure } }],
    ['on', { ...embeddings, model: local.model }, { ...nothing, chosen: local }],
  ]
  return states.map(([name, status, choice, act]) => ({
    name: `settings-meaning-${name}`,
    path: '/settings#meaning',
    who: 'demo',
    route: async (page) => {
      await answers('**/api/embeddings', status)(page)
      await answers('**/api/embeddings/choice', choice)(page)
    },
    ...(act && { act }),
  }))
}

const factors = {
  totp: { since: new Date(Date.now() - 40 * 86_400_000).toISOString() },
  passkeys: ['My laptop', 'longname'.repeat(8)].map((name, i) => ({
    id: `psk_${i}`,
    name,
    synced: i === 0,
    createdAt: new Date(Date.now() - 12 * 86_400_000).toISOString(),
    lastUsedAt: i === 0 ? new Date(Date.now() - 240_000).toISOString() : null,
  })),
  recoveryCodes: 3,
}
const recoveryCodes = Array.from({ length: 10 }, (_, i) => `${i}k7q-m2xd-t9wa-e4hn`)
const refused = (pattern: string, status: number, error: object) => (page: Page) =>
  page.route(pattern, (route) => route.fulfill({ status, json: { error: { details: [], ...error } } }))
const asOwnerWithFactor = async (page: Page) => {
  await changes('**/auth/me', (me) => ({ ...me, secondFactor: true, secondFactorRequired: true }))(page)
  await answers('**/auth/me/second-factors', factors)(page)
}

/** Browsers have passkeys for names only. */
async function underName(page: Page): Promise<void> {
  await page.goto(page.url().replace('127.0.0.1', 'localhost'))
  await page.getByText('Authenticator app', { exact: true }).waitFor()
}

async function beginApp(page: Page): Promise<void> {
  await button(page, 'Set Up').click()
  await page.getByRole('dialog').getByLabel('Your password').fill('demo-password')
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'QR code with the key' }).waitFor()
}

async function confirmApp(page: Page): Promise<void> {
  await beginApp(page)
  await page.getByRole('dialog').getByRole('textbox', { name: 'Code' }).fill('123456')
  await page.keyboard.press('Enter')
}

/** Somebody whose account asks for a second factor, until they have one. */
async function asLed(page: Page): Promise<void> {
  let has = false
  await changes('**/auth/me', (me) => ({ ...me, secondFactor: has, secondFactorRequired: true }))(page)
  await page.route('**/auth/me/second-factors', (route) =>
    has ? route.fulfill({ json: { ...factors, passkeys: [], recoveryCodes: 10 } }) : route.continue(),
  )
  await page.route('**/auth/me/totp/confirm', (route) => {
    has = true
    return route.fulfill({ json: { recoveryCodes } })
  })
}

/** Second factors: in the settings, at sign-in, and where members are led whose account asks for one. */
function secondFactorScreens(): Screen[] {
  const inSettings = { path: '/settings#security', who: 'demo' } as const
  const full = { ...inSettings, route: asOwnerWithFactor }
  const step = {
    token: 'x',
    methods: ['totp', 'passkey', 'recovery_code'],
    expiresAt: '2030-01-01T00:00:00Z',
  }
  const asksForMore = refused('**/auth/login', 403, {
    code: 'second_factor_required',
    message: 'A second factor has to follow.',
    details: [step],
  })
  const afterPassword = async (page: Page) => {
    await page.goto(page.url().replace('127.0.0.1', 'localhost'))
    await page.getByLabel('Email Address').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill('a-password')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Confirm it is you' }).waitFor()
  }
  return [
    { ...inSettings, name: 'factors-none' },
    { ...full, name: 'factors-full', act: underName },
    { ...inSettings, name: 'factors-failed', route: fails('**/auth/me/second-factors') },
    { ...full, name: 'factors-rule', path: '/settings#members' },
    { ...inSettings, name: 'factors-app', act: beginApp },
    { ...inSettings, name: 'factors-app-refused', act: confirmApp },
    {
      ...inSettings,
      name: 'factors-codes',
      route: answers('**/auth/me/totp/confirm', { recoveryCodes }),
      act: confirmApp,
    },
    ...['Add a Passkey', 'Rename My laptop', 'Remove My laptop'].map((name) => ({
      ...full,
      name: `factors-${name.toLowerCase().replaceAll(' ', '-')}`,
      act: async (page: Page) => {
        await underName(page)
        await button(page, name).click()
      },
    })),
    { name: 'factors-login', path: '/login', route: asksForMore, act: afterPassword },
    {
      name: 'factors-login-refused',
      path: '/login',
      route: async (page) => {
        await asksForMore(page)
        const error = { code: 'invalid_credentials', message: 'The code is not right' }
        await refused('**/auth/login/second-factor', 401, error)(page)
      },
      act: async (page) => {
        await afterPassword(page)
        await button(page, 'Use a recovery code').click()
        await page.getByLabel('Recovery Code').fill('abcd-efgh')
        await page.keyboard.press('Enter')
        await page.getByRole('alert').waitFor()
      },
    },
    { name: 'factors-led', path: '/second-factor', who: 'newcomer', route: asLed, act: underName },
    {
      name: 'factors-led-done',
      path: '/second-factor',
      who: 'newcomer',
      route: asLed,
      act: async (page) => {
        await confirmApp(page)
        await button(page, 'I Saved Them').click()
        await button(page, 'Go on to Loci').waitFor()
      },
    },
  ]
}

const importPreview = {
  format: 'chatgpt',
  bytes: 4_812_000,
  isWhole: true,
  entities: { created: 212, existing: 3 },
  observations: { created: 4_310, existing: 41 },
  relations: { created: 12, existing: 0 },
  entityTypes: [
    { type: 'conversation', count: 204 },
    { type: 'project', count: 7 },
    { type: 'memories', count: 1 },
  ],
  relationTypes: [{ type: 'part_of', count: 12 }],
  sample: [
    {
      name: 'Trip to Rome',
      type: 'conversation',
      observations: ['User: How do I get to Rome without flying, and how long does it take from London?'],
      observationsCount: 8,
    },
    {
      name: 'x'.repeat(500),
      type: 'conversation',
      observations: ['ChatGPT: '.repeat(40)],
      observationsCount: 2,
    },
  ],
  existing: [
    { id: 'ent_1', name: 'ChatGPT memories', type: 'memories' },
    { id: 'ent_2', name: 'Cooling of the engine', type: 'conversation' },
  ],
  skipped: { total: 2, first: ['message_feedback.json', 'user.json'] },
  problems: {
    total: 2,
    first: [
      { file: 'conversations.json', item: 7, message: '3 messages of other branches were left out' },
      { file: 'conversations.json', item: 31, message: '1 attachment was left out' },
    ],
  },
}

const embeddings = {
  state: 'catching_up',
  model: 'nomic-embed-text',
  dimensions: 768,
  embedded: 812,
  waiting: 431,
  failure: null,
}

const importReport = {
  id: 'imp_1',
  format: 'mcp-memory',
  state: 'running',
  entities: { created: 1204, existing: 12 },
  observations: { created: 6310, existing: 41 },
  relations: { created: 0, existing: 0 },
  problems: { total: 3, first: [{ line: 17, message: 'This line is not JSON' }] },
  pass: 'entities',
  bytes: 1_000_000,
  bytesDone: 612_000,
  createdAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
}

/** Pairs whose long names have no place to break, and differ in their ends. */
function asUnbroken(json: Record<string, unknown>): object {
  const pairs = Array.isArray(json.duplicates) ? json.duplicates : []
  return {
    ...json,
    duplicates: pairs.map((pair) => ({
      ...pair,
      entities: pair.entities.map((entity: object, index: number) => ({
        ...entity,
        name: `${'longname'.repeat(62)}-${index}`,
        type: 'long_type_'.repeat(12),
        aliases: ['alias'.repeat(60)],
      })),
    })),
  }
}

/** One key that has expired, one that soon will. */
function agedKeys(json: Record<string, unknown>): object {
  const dayMs = 86_400_000
  const at = (days: number) => new Date(Date.now() + days * dayMs).toISOString()
  const ages = [
    { lastUsedAt: at(-0.01), lastOperation: { type: 'create', resource: 'observation' } },
    { isExpiringSoon: true, expiresAt: at(5), permissions: ['memory:read'] },
    { isExpired: true, expiresAt: at(-2) },
  ]
  const keys = Array.isArray(json.apiKeys) ? json.apiKeys : []
  return { ...json, apiKeys: keys.map((key, index) => ({ ...key, ...ages[index % ages.length] })) }
}
