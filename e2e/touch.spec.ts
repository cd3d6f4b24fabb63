import type { Page } from '@playwright/test'
import { connectOverHttp } from '../server/test/mcp-clients.ts'
import { expect, type Person, test } from './fixtures.ts'
import { smallTargetsIn } from './touch-targets.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

type Act = (page: Page) => Promise<unknown>
const nothing: Act = async () => {}

/** The screens by what they are for, and what is opened on them. */
const screens: Record<string, Record<string, Act>> = {
  'what is stored': {
    '/dashboard': nothing,
    '/entities': (page) => button(page, 'User menu').click(),
    '/entities?create=true': (page) => page.getByRole('dialog').waitFor(),
    '/entities?type=person': (page) => page.getByRole('checkbox', { name: 'Select Ada' }).check(),
    '/relations': (page) => button(page, 'Create Relation').click(),
    '/search?query=trains': nothing,
    '/history': nothing,
    '/duplicates': nothing,
    '/health': nothing,
  },
  'the graph': {
    '/graph': nothing,
    '/graph?view=plan': nothing,
    '/graph?view=list': nothing,
  },
  agents: {
    '/conversations': nothing,
    '/inbox': nothing,
    '/recalls': nothing,
    '/api-keys': (page) => button(page, 'Create API Key').click(),
    '/doors': nothing,
    '/settings#connect': nothing,
  },
  'the account': {
    '/webhooks': nothing,
    '/audit': nothing,
    '/billing': (page) => button(page, 'Change Plan').click(),
    '/settings#memory': nothing,
    '/settings#members': nothing,
    '/settings#profile': nothing,
    '/settings#account': nothing,
  },
}

const button = (page: Page, name: string) => page.getByRole('button', { name }).first()

async function seed({ rest, apiKey, url }: Person) {
  const { entities } = await rest.createBatch({
    body: {
      entities: [
        { name: 'Ada', type: 'person', observations: ['Ada likes trains', 'Ada wrote of **engines**'] },
        { name: 'x'.repeat(500), type: 'concept' },
        { name: 'X'.repeat(500), type: 'concept' },
      ],
      relations: [{ from: 'Ada', to: 'x'.repeat(500), type: 'knows' }],
    },
  })
  await rest.createKey({ body: { name: 'Laptop', permissions: [] } })
  const agent = await connectOverHttp({ url }, apiKey, 'auto')
  await agent.callTool({ name: 'recall', arguments: { query: 'Which trains does Ada like?' } })
  await agent.close()
  const { recalls } = await rest.listRecalls()
  return { entity: entities.created[0]!.id, recall: recalls[0]!.id }
}

async function expectTargetsOn(page: Page, path: string, act: Act) {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  await act(page)
  await expect.poll(() => smallTargetsIn(page), path).toEqual([])
}

for (const [name, of] of Object.entries(screens)) {
  test(`a finger hits every control of the screens of ${name}`, async ({ page, person }) => {
    test.slow()
    await seed(person)
    for (const [path, act] of Object.entries(of)) await expectTargetsOn(page, path, act)
  })
}

test('a finger hits every control of an entity, its history and a recall', async ({ page, person }) => {
  const { entity, recall } = await seed(person)
  await expectTargetsOn(page, `/entities/${entity}`, () => button(page, 'Edit observation').click())
  await expectTargetsOn(page, `/entities/${entity}?tab=history`, nothing)
  await expectTargetsOn(page, `/recalls/${recall}`, nothing)
})

test('a finger hits every control on public pages and where people sign in', async ({ page }) => {
  for (const path of ['/', '/pricing', '/login', '/signup', '/forgot-password'])
    await expectTargetsOn(page, path, nothing)
})

test('the head of public pages fits the width of a phone, without the links to sections', async ({
  page,
}) => {
  for (const path of ['/', '/pricing']) {
    await page.goto(path)
    const nav = page.getByRole('navigation', { name: 'Main' })
    await expect(nav.getByRole('link', { name: 'Sign In' })).toBeVisible()
    await expect(nav.getByRole('link')).toHaveText(['Pricing', 'Sign In'])
    const home = await page.getByRole('banner').getByRole('link', { name: 'Loci, home' }).boundingBox()
    const first = await nav.getByRole('link', { name: 'Pricing' }).boundingBox()
    expect(first!.x - home!.x - home!.width, 'a gap after the logo').toBeGreaterThan(16)
  }
})
