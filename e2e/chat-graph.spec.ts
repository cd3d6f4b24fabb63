import type { Client } from '@modelcontextprotocol/client'
import type { Page } from '@playwright/test'
import { connectOverHttp } from '../server/test/mcp-clients.ts'
import { violationsIn } from './axe.ts'
import type {} from './chat-host/host.ts'
import { serveHost } from './chat-host/serve-host.ts'
import { expect, test } from './fixtures.ts'

const showsViews = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
}

/** Stores a small team and its service, and gives a client that can show views. */
async function remember(client: Client) {
  const entity = (name: string, entityType: string, ...observations: string[]) => ({
    name,
    entityType,
    observations,
  })
  const relation = (from: string, relationType: string, to: string) => ({ from, relationType, to })
  const entities = [
    entity('checkout-service', 'technology', 'Deployed with kamal from the release branch', 'Written in Go'),
    entity('Ada Lovelace', 'person', 'Leads the payments team', 'Prefers short pull requests'),
    entity('Acme', 'company', 'Founded in 1999'),
    entity('PostgreSQL', 'technology', 'Version 18 since October'),
    entity('Payments team', 'team'),
    entity('Grace Hopper', 'person', 'On call every second week'),
    entity('Incident of 3 November', 'event', 'The pool of connections was exhausted'),
  ]
  const relations = [
    relation('Ada Lovelace', 'owns', 'checkout-service'),
    relation('Ada Lovelace', 'works_at', 'Acme'),
    relation('Ada Lovelace', 'leads', 'Payments team'),
    relation('Grace Hopper', 'member_of', 'Payments team'),
    relation('checkout-service', 'depends_on', 'PostgreSQL'),
    relation('Incident of 3 November', 'affected', 'checkout-service'),
    relation('Grace Hopper', 'fixed', 'Incident of 3 November'),
  ]
  await client.callTool({ name: 'create_entities', arguments: { entities } })
  await client.callTool({ name: 'create_relations', arguments: { relations } })
}

async function pageOf(client: Client): Promise<string> {
  const { tools } = await client.listTools()
  const { _meta } = tools.find(({ name }) => name === 'recall')!
  const { resourceUri } = _meta!.ui as { resourceUri: string }
  const { contents } = await client.readResource({ uri: resourceUri })
  return (contents[0] as { text: string }).text
}

async function openChat(page: Page, client: Client) {
  const calls: string[] = []
  await page.exposeFunction('callTool', async (name: string, args: Record<string, unknown>) => {
    calls.push(`${name} ${args.name}`)
    return client.callTool({ name, arguments: args })
  })
  return calls
}

test('the chat draws the graph of what recall found and follows it from entity to entity', async ({
  page,
  person,
  serverUrl,
}) => {
  const chat = await serveHost()
  const client = await connectOverHttp({ url: serverUrl }, person.apiKey, 'auto', showsViews)
  await remember(client)
  const html = await pageOf(client)
  const calls = await openChat(page, client)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !/favicon/.test(message.location().url)) complaints.push(message.text())
  })
  await page.goto(chat.url)
  const recalled = await client.callTool({ name: 'recall', arguments: { query: 'checkout-service' } })
  const context = {
    theme: 'light',
    displayMode: 'inline',
    availableDisplayModes: ['inline', 'fullscreen'],
  } as const
  await page.evaluate(
    ([text, result, hostContext]) => window.chat.open(text, result as never, hostContext as never),
    [html, recalled, context] as const,
  )
  const view = page.frameLocator('iframe')
  await expect(view.getByRole('heading', { name: 'Found in memory' })).toBeVisible()
  await expect(view.getByRole('application')).toHaveAttribute('aria-label', /Graph with 7 entities/)

  await view.getByRole('button', { name: 'checkout-service', exact: true }).click()
  await expect(view.getByRole('heading', { name: 'checkout-service' })).toBeVisible()
  await expect(view.getByText('Deployed with kamal from the release branch')).toBeVisible()
  await view.getByRole('button', { name: /owns Ada Lovelace/ }).click()
  await expect(view.getByText('Prefers short pull requests')).toBeVisible()
  expect(calls).toContain('explore_entity Ada Lovelace')
  expect(new Set(calls).size).toBe(calls.length)
  await expect
    .poll(() => page.evaluate(() => window.chat.told))
    .toContain('In the graph of the memory, the user is looking at "Ada Lovelace".')

  await page.evaluate((hostContext) => window.chat.context(hostContext as never), {
    ...context,
    theme: 'dark',
  })
  await expect(view.locator('html')).toHaveAttribute('data-scheme', 'dark')
  expect(await violationsIn(page, 'iframe')).toEqual([])
  await view.getByRole('button', { name: 'Full screen' }).click()
  await expect(view.getByRole('button', { name: 'Back to the chat' })).toBeVisible()
  expect(page.workers()).toHaveLength(0)
  expect(complaints).toEqual([])

  const nothing = await client.callTool({ name: 'recall', arguments: { query: 'xylophone' } })
  await page.evaluate(
    ([text, result, hostContext]) => window.chat.open(text, result as never, hostContext as never),
    [html, nothing, context] as const,
  )
  await expect(view.getByText('Nothing is remembered about this.')).toBeVisible()
  await client.close()
  await chat.close()
})

test('in the chat entities stand as on the shared map: left stays left, above stays above', async ({
  page,
  person,
  serverUrl,
}) => {
  const client = await connectOverHttp({ url: serverUrl }, person.apiKey, 'auto', showsViews)
  await remember(client)
  await page.goto('/graph')
  await expect
    .poll(async () => (await person.rest.getGraphPlaces({ query: {} })).version, { timeout: 60_000 })
    .toBeGreaterThan(0)
  const { entities } = await person.rest.listEntities({ query: {} })
  const onMap = (await page.evaluate(() => window.__graph?.positions()))!
  const chat = await serveHost()
  const html = await pageOf(client)
  await openChat(page, client)
  await page.goto(chat.url)
  const found = await client.callTool({
    name: 'explore_entity',
    arguments: { name: 'checkout-service', depth: 2 },
  })
  await page.evaluate(
    ([text, result, context]) => window.chat.open(text, result as never, context as never),
    [html, found, { theme: 'dark', displayMode: 'inline' }] as const,
  )
  const view = page.frameLocator('iframe')
  await expect(view.getByRole('application')).toHaveAttribute('aria-label', /Graph with 7 entities/)
  const frame = page.frames().find((one) => one !== page.mainFrame())!
  await expect.poll(() => frame.evaluate(() => window.__graph?.settled())).toBe(true)
  const inChat = (await frame.evaluate(() => window.__graph?.positions()))!
  const places = entities.map(({ id, name }) => ({ map: onMap[id]!, chat: inChat[name]! }))
  for (const axis of [0, 1] as const)
    for (const a of places)
      for (const b of places)
        if (a.map[axis] - b.map[axis] > 60) expect(a.chat[axis]).toBeGreaterThan(b.chat[axis])
  await client.close()
  await chat.close()
})
