import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, test } from './fixtures.ts'

test.describe('The first hour', () => {
  test('one line connects an agent, and what it stores appears by itself', async ({
    page,
    person,
    baseURL,
  }) => {
    const { apiKey } = await person.rest.me()
    await page.goto('/dashboard')
    const guide = page.getByRole('region', { name: 'Connect your agent' })
    await expect(guide.getByRole('status')).toContainText('Waiting for the first call')
    await expect(guide.locator('pre')).toContainText(apiKey!)
    await guide.getByText('Cursor', { exact: true }).click()
    await expect(guide).toContainText('Add this to ~/.cursor/mcp.json')

    const client = new Client({ name: 'agent', version: '1' })
    const requestInit = {
      headers: { authorization: `Bearer ${apiKey}`, 'user-agent': 'claude-code/2.1.0 (cli)' },
    }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${baseURL}/mcp`), { requestInit }))
    const observations = ['We deploy from the release branch']
    await client.callTool({
      name: 'create_entities',
      arguments: { entities: [{ name: 'Deployment', entityType: 'process', observations }] },
    })
    await client.callTool({ name: 'recall', arguments: { query: 'Which branch do we deploy from?' } })
    await client.close()
    const first = page.getByRole('region', { name: 'The first memory is in' })
    await expect(first.getByRole('status')).toContainText('We deploy from the release branch')
    await expect(first).toContainText('claude-code is connected')
    await expect(first).toContainText('open a new session and ask “What do you know about Deployment?”')
    await expect(first.getByRole('img', { name: 'Entities by type: process 1' })).toBeVisible()
    await expect(first.getByRole('link', { name: 'Open it' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Learned lately' })).toContainText('Deployment')

    await first.getByRole('button', { name: 'Hide this guide' }).click()
    await expect(first).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('region', { name: 'Learned lately' })).toContainText('Deployment')
    await expect(page.getByRole('link', { name: /^Last recall|Which branch/ })).toContainText('1 observation')
    await expect(page.getByRole('link', { name: 'Agents of the last 24 hours: claude-code' })).toBeVisible()
    await expect(guide).toHaveCount(0)
  })

  test('a sample memory is added with one click and removed with another', async ({ page, person }) => {
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Load a sample memory' }).click()
    await expect(page.getByRole('img', { name: /^Entities by type: .*service 2/ })).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: 'Remove the sample memory' }).click()
    await expect(page.getByRole('img', { name: 'An empty memory' })).toBeVisible()
    expect((await person.rest.listEntities({ query: {} })).total).toBe(0)
  })
})

test.describe('Dashboard', () => {
  // The zone furthest from UTC; the server counts in UTC days.
  test.use({ timezoneId: 'Pacific/Kiritimati' })

  test('shows zeros and the empty texts when there is no memory', async ({ page, person: _ }) => {
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'Knowledge Graph Dashboard' })).toBeVisible()
    await expect(page.getByText('Monitor your AI memory platform activity and insights')).toBeVisible()
    await expect(page.getByText('No recent activity')).toBeVisible()
    await expect(page.getByText('No entities yet')).toBeVisible()
    for (const label of ['Total Entities', 'Relations', 'Observations', 'API Calls Today']) {
      await expect(page.getByText(label, { exact: true }).first()).toBeVisible()
    }
    await expect(page.getByText('Not available')).toBeVisible()
  })

  test('shows at most five recent entities and seven days in any time zone', async ({ page, person }) => {
    const entities = Array.from({ length: 6 }, (_, i) => ({ name: `Entity ${i}`, type: 'concept' }))
    await person.rest.createBatch({ body: { entities } })
    await page.goto('/dashboard')
    await expect(page.getByText('6 entities created')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Recent Entities' }).getByRole('listitem')).toHaveCount(5)
    await expect(page.getByText('Live', { exact: true })).toBeVisible()

    const summary = await person.rest.analytics()
    const activityStats = Array.from({ length: 8 }, (_, i) => ({ date: `2031-05-${18 - i}`, count: i + 1 }))
    await page.route('**/api/analytics', (route) => route.fulfill({ json: { ...summary, activityStats } }))
    await page.getByRole('button', { name: 'Refresh' }).click()
    const days = page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem')
    await expect(days).toHaveCount(7)
    await expect(days.last()).toHaveText(/^1 entities created.*Sun, 18 May 2031$/)
    await page.getByRole('link', { name: 'View Full Billing Details' }).click()
    await expect(page).toHaveURL('/billing')
  })

  test("shows 'Loading dashboard...' while loading", async ({ page, person: _ }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/analytics', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/dashboard')
    await expect(page.getByText('Loading dashboard...')).toBeVisible()
    release()
    await expect(page.getByText('No recent activity')).toBeVisible()
  })

  test('reports a failure and shows zeros for the rest', async ({ page, person: _ }) => {
    await page.route('**/api/analytics', (route) => route.fulfill({ status: 400, json: {} }))
    await page.goto('/dashboard')
    await expect(page.getByRole('alert')).toContainText('Failed to load dashboard data')
    await expect(page.getByText('Free plan')).toBeVisible()
    await expect(page.getByText('0 of 1,000')).toBeVisible()
    await page.unroute('**/api/analytics')
    const recent = page.getByRole('region', { name: 'Recent Entities' })
    await expect(recent).toContainText('Could not be loaded.')
    await recent.getByRole('button', { name: 'Try again' }).click()
    await expect(recent).toContainText('No entities yet')
  })

  test('Quick Actions go where they say; Export Data only shows an alert', async ({ page, person: _ }) => {
    await page.goto('/dashboard')
    const actions = page.getByRole('region', { name: 'Quick Actions' })
    await expect(actions.getByRole('link', { name: 'View Graph' })).toHaveAttribute('href', '/graph')
    await expect(actions.getByRole('link', { name: 'Search Knowledge' })).toHaveAttribute('href', '/search')
    for (const label of ['Create Entity', 'View Graph', 'Search Knowledge', 'Export Data'])
      await expect(actions.getByText(label, { exact: true })).toBeVisible()
    const told = page.waitForEvent('dialog')
    // The click resolves only when the alert is closed.
    const clicked = actions.getByRole('button', { name: 'Export Data' }).click()
    const alert = await told
    expect(alert.message()).toBe('Export functionality will be implemented soon')
    await alert.accept()
    await clicked
    await actions.getByRole('link', { name: 'Create Entity' }).click()
    await expect(page.getByRole('dialog', { name: 'Create Entity' })).toBeVisible()
  })

  for (const [used, title, advice] of [
    [800, 'Approaching Limits', 'Consider upgrading to Starter ($10/month).'],
    [950, 'Limit Exceeded', 'Upgrade now to avoid service interruption.'],
    [1_100, 'Limit Exceeded', 'Upgrade now to avoid service interruption.'],
  ] as const) {
    test(`at ${used} of 1,000 entities: '${title}'`, async ({ page, person }) => {
      const summary = await person.rest.analytics()
      await page.route('**/api/analytics', (route) =>
        route.fulfill({ json: { ...summary, totalEntities: used } }),
      )
      await page.goto('/dashboard')
      await expect(page.getByText(title, { exact: true })).toBeVisible()
      await expect(page.getByText(advice)).toBeVisible()
      await expect(page.getByRole('progressbar', { name: 'Entities' })).toHaveAttribute(
        'aria-valuenow',
        String(Math.min(100, used / 10)),
      )
    })
  }
})
