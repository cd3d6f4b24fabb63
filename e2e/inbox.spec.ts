import { createRestClient } from '@loci/client/rest'
import { violationsIn } from './axe.ts'
import { expect, type Person, test } from './fixtures.ts'
import { decidedIds, proposeFacts, reviewInbox } from './review-inbox.ts'

/** An agent whose key may only propose. */
async function proposerOf({ rest, url }: Person) {
  const { apiKey } = await rest.createKey({ body: { name: 'codex', writes: 'propose' } })
  return createRestClient({ baseUrl: url, token: () => apiKey })
}

test('a reviewer decides on what an agent proposes, edits it, and takes it back @both', async ({
  page,
  person,
}) => {
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  const codex = await proposerOf(person)
  for (const [name, fact] of [
    ['Loom', 'Weaves algebra'],
    ['Engine', 'Is of brass'],
    ['Wheel', 'Turns left'],
    ['Valve', 'Leaks'],
  ] as const)
    await codex.createEntity({ body: { name, type: 'machine', observations: [fact] } })
  const names = async () => (await person.rest.listEntities()).entities.map(({ name }) => name).sort()

  await page.goto('/dashboard')
  const link = page.getByRole('link', { name: /^Inbox/ })
  await expect(link).toContainText('4')
  await link.click()
  await expect(page.getByRole('main').getByText('4 to decide', { exact: true })).toBeVisible()
  expect(await names()).toEqual([])
  expect(await violationsIn(page)).toEqual([])

  // The newest has the focus.
  await page.keyboard.press('a')
  await expect(page.getByText('Valve accepted')).toBeVisible()
  await expect.poll(names).toEqual(['Valve'])
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'Wheel' }).fill('Turns right')
  await page.keyboard.press('Control+Enter')
  await expect.poll(names).toEqual(['Valve', 'Wheel'])
  const found = await person.rest.searchObservations({ query: { query: 'turns' } })
  expect(found.observations.map(({ content }) => content)).toEqual(['Turns right'])
  await page.keyboard.press('z')
  await expect.poll(names).toEqual(['Valve'])

  await page.keyboard.press('r')
  await expect(page.getByText('Is of brass')).toHaveCount(0)
  await page.keyboard.press('z')
  await expect(page.getByText('Is of brass')).toBeVisible()
  await page.keyboard.press('x')
  await page.keyboard.press('k')
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+R')
  await expect(page.getByText(/^All decided\./)).toBeVisible()
  await expect.poll(async () => (await person.rest.listProposals()).open).toBe(0)
  expect(await names()).toEqual(['Valve'])
  await expect(link).not.toContainText('to decide', { timeout: 30_000 })
  expect(problems).toEqual([])
})

test('what is proposed meanwhile appears by itself, and leaves the focus where it is', async ({
  page,
  person,
}) => {
  const codex = await proposerOf(person)
  const propose = (name: string) => codex.createEntity({ body: { name, type: 'machine' } })
  await propose('Loom')
  await page.goto('/inbox')
  const focused = page.locator('[data-proposal][data-focus]')
  await expect(focused).toContainText('Loom')
  await propose('Engine')
  await expect(page.getByText('To decide 2')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Inbox/ })).toContainText('2')
  await expect(focused).toContainText('Loom')
  const { proposals } = await person.rest.listProposals()
  await person.rest.rejectProposal({ params: { id: proposals.at(-1)!.id }, body: {} })
  await expect(page.getByText('Loom')).toHaveCount(0)
  await expect(focused).toContainText('Engine')
})

test('a reviewer who decides as fast as the screen, and leaves at once, is taken at their word', async ({
  page,
  person,
}) => {
  const { entity } = await person.rest.createEntity({ body: { name: 'Loom', type: 'machine' } })
  await proposeFacts(await proposerOf(person), { count: 12, subjects: [entity.id], from: 'codex' })
  await page.goto('/inbox')
  await page.locator('[data-proposal][data-focus]').waitFor()
  const { accepted, rejected } = await reviewInbox(page, 12)
  await page.goto('/dashboard')
  expect([accepted.length, rejected.length]).toEqual([8, 4])
  await expect.poll(async () => (await person.rest.listProposals()).open).toBe(0)
  expect(await decidedIds(person.rest, 'accepted')).toEqual(accepted.sort())
  expect(await decidedIds(person.rest, 'rejected')).toEqual(rejected.sort())
})

test('a sentence of a conversation is kept, corrected or dropped beside what its agent proposes @both', async ({
  page,
  person,
}) => {
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await (await proposerOf(person)).createEntity({
    body: { name: 'Valve', type: 'machine', observations: ['Leaks'] },
  })
  const turns = [
    'Good. From now on we round once, at the end.',
    'We decided to keep the tolls in PostgreSQL.',
    'From now on, run the linter before you commit.',
  ].map((text, index) => ({
    externalId: String(index),
    at: new Date(Date.now() - 3_600_000 + index * 60_000).toISOString(),
    role: 'person' as const,
    text,
  }))
  const conversation = {
    ...{ agent: 'claude-code', externalId: 'a', title: 'Night tolls are a cent too high' },
    project: { name: 'toll-calculator', branch: 'main' },
  }
  await person.rest.storeTurns({ body: { conversation, turns } })

  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: /^Inbox/ })).toContainText('4')
  await page.goto('/inbox')
  await expect(page.getByText('3 drafts from this week')).toBeVisible()
  await expect(page.getByRole('heading', { name: conversation.title })).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.locator('[data-focus]')).toContainText('run the linter')
  expect(await violationsIn(page)).toEqual([])

  await page.keyboard.press('r')
  await expect(page.getByText('Fact on user dropped')).toBeVisible()
  await page.keyboard.press('a')
  await expect(page.getByText('Fact on toll-calculator kept')).toBeVisible()
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'Fact' }).fill('Money is rounded once, at the end')
  await page.getByRole('textbox', { name: 'About' }).fill('Rounding')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Fact on user kept')).toBeVisible()
  await expect.poll(async () => (await person.rest.listDrafts()).open).toBe(0)
  const facts = async (query: string) =>
    (await person.rest.searchObservations({ query: { query } })).observations.map(({ content }) => content)
  expect(await facts('rounded')).toEqual(['Money is rounded once, at the end'])
  expect(await facts('PostgreSQL')).toEqual([turns[1]!.text])
  expect(await facts('linter')).toEqual([])
  expect((await person.rest.listEntities()).entities.map(({ name }) => name).sort()).toEqual([
    'Rounding',
    'toll-calculator',
  ])
  await expect(page.getByRole('main').getByText('1 to decide', { exact: true })).toBeVisible()
  expect(problems).toEqual([])
})

test('a rule is made with the acceptance, not after its answer, which a person may not wait for', async ({
  page,
  person,
}) => {
  const codex = await proposerOf(person)
  await codex.createEntity({ body: { name: 'Loom', type: 'machine' } })
  await page.goto('/inbox')
  await page.route('**/api/proposals/*/accept', () => {})
  await page.getByRole('checkbox', { name: /^Always accept machine facts from/ }).check()
  await page.keyboard.press('a')
  await expect.poll(async () => (await person.rest.listAcceptRules()).rules.length).toBe(1)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('one proposal at a time is swiped, and the list shows all', async ({ page, person }) => {
    const codex = await proposerOf(person)
    for (const name of ['Loom', 'Engine'])
      await codex.createEntity({ body: { name, type: 'machine', observations: [`${name} works`] } })
    await page.goto('/inbox')
    await expect(page.getByText('2 left')).toBeVisible()
    expect(await violationsIn(page)).toEqual([])
    const card = page.locator('[data-proposal]')
    await expect(card).toHaveCount(1)
    await page.getByRole('checkbox', { name: /^Always accept machine facts from/ }).check()
    await card.evaluate((element) => {
      const at = (clientX: number) => new Touch({ identifier: 1, target: element, clientX, clientY: 300 })
      const fire = (type: string, clientX: number) =>
        element.dispatchEvent(
          new TouchEvent(type, {
            bubbles: true,
            touches: type === 'touchend' ? [] : [at(clientX)],
            changedTouches: [at(clientX)],
          }),
        )
      fire('touchstart', 100)
      fire('touchmove', 240)
      fire('touchend', 260)
    })
    await expect.poll(async () => (await person.rest.listEntities()).total).toBe(1)
    await expect(page.getByText('1 left')).toBeVisible()
    await expect.poll(async () => (await person.rest.listAcceptRules()).rules.length).toBe(1)
    await page.getByRole('button', { name: 'List' }).click()
    await expect(page.getByText('Loom works')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  })
})
