import type { Page } from '@playwright/test'
import { connectOverHttp } from '../server/test/mcp-clients.ts'
import { violationsIn } from './axe.ts'
import { expect, test } from './fixtures.ts'

const pages = [
  '/dashboard',
  '/entities',
  '/relations',
  '/graph',
  '/history',
  '/conversations',
  '/inbox',
  '/duplicates',
  '/recalls',
  '/health',
  '/graph?view=list',
  '/search?query=ada',
  '/api-keys',
  '/doors',
  '/settings',
  '/billing',
]

async function faultsOf(page: Page, coloursOnly: boolean) {
  await page.waitForLoadState('networkidle')
  return violationsIn(page, undefined, coloursOnly)
}

/** Opens one section after the other; those seen before are hidden, until this shows them all again. */
async function showAllSettings(page: Page) {
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.goto('/settings')
  const links = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
  await expect(links).toHaveCount(12)
  for (const link of await links.all()) await link.click()
  await page.evaluate(() => {
    for (const part of document.querySelectorAll<HTMLElement>('main [hidden]')) part.hidden = false
  })
  await expect(page.getByRole('button', { name: 'Delete Account' })).toBeVisible()
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`Accessibility, ${colorScheme}`, () => {
    test.use({ colorScheme })
    // Only colours differ: names, roles and sizes are those of the light pages.
    const coloursOnly = colorScheme === 'dark'

    test('axe finds no violations on any page, and every page fits 360 pixels', async ({
      page,
      person,
      serverUrl,
    }) => {
      const { entities } = await person.rest.createBatch({
        body: {
          entities: [
            { name: 'Ada', type: 'person', observations: ['Ada likes trains'], metadata: { born: 1815 } },
            { name: 'x'.repeat(500), type: 'concept' },
            { name: 'X'.repeat(500), type: 'concept' },
          ],
          relations: [{ from: 'Ada', to: 'x'.repeat(500), type: 'knows' }],
        },
      })
      const said = await person.rest.storeTurns({
        body: {
          conversation: {
            agent: 'codex',
            externalId: '1',
            title: 'x'.repeat(500),
            project: { name: 'engine' },
          },
          turns: [
            { externalId: '1', at: '2026-11-01T10:00:00Z', role: 'person', text: '<private>x</private> `y`' },
            {
              externalId: '2',
              at: '2026-11-01T10:00:09Z',
              role: 'tool',
              text: 'z',
              tool: { name: 'Bash', exitCode: 1 },
            },
          ],
        },
      })
      await person.rest.createKey({ body: { name: 'Laptop', permissions: [] } })
      // Every page then names the agent.
      const agent = await connectOverHttp({ url: serverUrl }, person.apiKey, 'auto')
      await agent.callTool({ name: 'recall', arguments: { query: 'Ada' } })
      await agent.close()
      const { recalls } = await person.rest.listRecalls()
      const single = [
        `/conversations/${said.conversationId}`,
        `/recalls/${recalls[0]!.id}`,
        `/entities/${entities.created[0]!.id}`,
      ]
      for (const path of [...pages, ...single]) {
        await test.step(path, async () => {
          await page.setViewportSize({ width: 1280, height: 860 })
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await expect(page.getByRole('link', { name: 'Agents of the last 24 hours' })).toBeVisible()
          expect.soft(await faultsOf(page, coloursOnly), path).toEqual([])
          if (coloursOnly) return
          await page.setViewportSize({ width: 360, height: 740 })
          const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          await expect.poll(overflow, path).toBeLessThanOrEqual(0)
        })
      }
      await test.step('all sections of the settings', async () => {
        await showAllSettings(page)
        expect.soft(await faultsOf(page, coloursOnly)).toEqual([])
      })
      await page.goto(single.at(-1)!)
      await page.getByRole('button', { name: /^Space: / }).click()
      await expect(page.getByRole('menuitemradio')).toHaveCount(1)
      expect(await violationsIn(page, '[role=menu]', coloursOnly)).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('Ada')
      expect(await faultsOf(page, coloursOnly)).toEqual([])
    })
  })
}
