import type { WebSocketRoute } from '@playwright/test'
import { connectOverHttp } from '../server/test/mcp-clients.ts'
import { expect, test } from './fixtures.ts'

test.describe('Live', () => {
  test("an agent's changes appear without a reload and keep an open form", async ({ page, person }) => {
    await page.goto('/entities')
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Create Entity' }).first().click()
    await page.getByLabel('Name').fill('Half typed')
    const { entity } = await person.rest.createEntity({ body: { name: 'From an agent', type: 'concept' } })
    await expect(page.getByText('Entity created: From an agent')).toBeVisible()
    await expect(page.getByLabel('Name')).toHaveValue('Half typed')
    await expect(page.getByLabel('Name')).toBeFocused()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(page.getByRole('article').getByText('From an agent')).toBeVisible()
    await person.rest.updateEntity({
      params: { id: entity.id },
      body: { name: 'Renamed by an agent', type: 'concept' },
    })
    await expect(page.getByRole('article').getByText('Renamed by an agent')).toBeVisible()
    await person.rest.deleteEntity({ params: { id: entity.id } })
    await expect(page.getByText('No entities found')).toBeVisible()
  })

  test('shows at most five notifications, each for ten seconds', async ({ page, person }) => {
    await page.clock.install()
    await page.goto('/dashboard')
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    const notes = page.getByRole('list', { name: 'Live notifications' }).getByRole('listitem')
    for (let i = 0; i < 7; i++) {
      await person.rest.createEntity({ body: { name: `Agent's ${i}`, type: 'concept' } })
    }
    await expect(notes.last()).toContainText("Agent's 6")
    await expect(notes).toHaveCount(5)
    await page.clock.fastForward(10_000)
    await expect(notes).toHaveCount(0)
  })

  test('the page does not move while entities arrive above the scroll position', async ({ page, person }) => {
    const entities = Array.from({ length: 120 }, (_, i) => ({ name: `Entity ${i}`, type: 'concept' }))
    await person.rest.createBatch({ body: { entities } })
    await page.goto('/entities')
    await expect(page.getByText('120 entities')).toBeVisible()
    const read = () =>
      page.evaluate(
        () => document.elementFromPoint(200, 400)?.closest('article')?.querySelector('a')?.textContent,
      )
    // The wheel does nothing until the page has its height.
    await expect(async () => {
      await page.mouse.wheel(0, 2_000)
      await expect.poll(() => page.evaluate(() => window.scrollY), { timeout: 500 }).toBeGreaterThan(1_500)
    }).toPass()
    const before = await read()
    // Whole rows, whether of three or four cards.
    for (let i = 0; i < 12; i++) {
      await person.rest.createEntity({ body: { name: `New ${i}`, type: 'concept' } })
    }
    await expect(page.getByText('132 entities')).toBeAttached()
    await expect.poll(read).toBe(before)
  })

  test('changes between the first load and the connection appear', async ({ page, person }) => {
    const { promise: held, resolve: connect } = Promise.withResolvers<void>()
    await page.routeWebSocket('**/ws/connect', async (socket) => {
      await held
      socket.connectToServer()
    })
    await page.goto('/entities')
    await expect(page.getByText('No entities found')).toBeVisible()
    await person.rest.createEntity({ body: { name: 'In between', type: 'concept' } })
    connect()
    await expect(page.getByRole('article').getByText('In between')).toBeVisible()
  })

  test('two browsers and an agent change one graph, and a browser that was offline misses nothing', async ({
    page,
    person,
    browser,
    serverUrl,
  }) => {
    const other = await browser.newPage({ baseURL: serverUrl })
    await other.addInitScript((token) => localStorage.setItem('auth_token', token), person.token)
    let offline = false
    const sockets: WebSocketRoute[] = []
    await other.routeWebSocket('**/ws/connect', (socket) => {
      if (offline) return void socket.close({ code: 1011 })
      socket.connectToServer()
      sockets.push(socket)
    })
    const agent = await connectOverHttp({ url: serverUrl }, person.apiKey, 'auto')
    await agent.callTool({
      name: 'create_entities',
      arguments: { entities: [{ name: 'Shared', entityType: 'concept', observations: [] }] },
    })
    const [entity] = (await person.rest.listEntities()).entities
    for (const browserPage of [page, other]) {
      await browserPage.goto(`/entities/${entity!.id}`)
      await expect(browserPage.getByText('Connected', { exact: true })).toBeVisible()
    }
    const tell = (text: string) =>
      agent.callTool({
        name: 'add_observations',
        arguments: { observations: [{ entityName: 'Shared', contents: [text] }] },
      })
    await tell('Told by the agent')
    for (const browserPage of [page, other]) {
      await expect(browserPage.getByText('Told by the agent')).toBeVisible()
    }

    offline = true
    for (const socket of sockets) await socket.close({ code: 1011 })
    await expect(other.getByText('Disconnected', { exact: true })).toBeVisible()
    await page.getByLabel('New observation').fill('Typed by a person')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await tell('Told meanwhile')
    await expect(page.getByText('Told meanwhile')).toBeVisible()
    offline = false
    await other.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(other.getByText('Typed by a person')).toBeVisible()
    await expect(other.getByText('Told meanwhile')).toBeVisible()
    await expect(other.getByText('Connected', { exact: true })).toBeVisible()
    await agent.close()
    await other.close()
  })
})
