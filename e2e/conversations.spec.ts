import { violationsIn } from './axe.ts'
import { expect, test } from './fixtures.ts'

const day = (minute: number) => new Date(Date.now() - (120 - minute) * 60_000).toISOString()

test('a conversation is found, read with its facts, and deleted @both', async ({ page, person }) => {
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  const store = (externalId: string, title: string, agent: string, project: string) =>
    person.rest.storeTurns({
      body: {
        conversation: { agent, externalId, title, project: { name: project, branch: 'main' } },
        turns: [
          {
            externalId: '1',
            at: day(1),
            role: 'person',
            text: 'From now on we round once. <private>x</private>',
          },
          {
            externalId: '2',
            at: day(2),
            role: 'tool',
            text: 'left: 18.41',
            tool: { name: 'Bash', input: 'cargo test', exitCode: 101 },
          },
          { externalId: '3', at: day(3), role: 'agent', text: 'It is **done**.' },
        ],
      },
    })
  const { conversationId } = await store(
    'a',
    'Night tolls are a cent too high',
    'claude-code',
    'toll-calculator',
  )
  await store('b', 'The portal loses its filters', 'cursor', 'customer-portal')
  const { turns } = await person.rest.readConversation({ params: { id: conversationId }, query: {} })
  const { entity } = await person.rest.createEntity({
    body: {
      name: 'toll-calculator',
      type: 'product',
      observations: [
        {
          content: 'Rounds once',
          source: { conversationId, turnId: turns[0]!.id, quote: 'From now on we round once.' },
        },
      ],
    },
  })

  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Conversations' }).click()
  const list = page.getByRole('list', { name: 'Conversations' })
  await expect(list.getByRole('link')).toHaveCount(2)
  await page
    .getByRole('group', { name: 'Project' })
    .getByRole('button', { name: /toll-calculator/ })
    .click()
  await expect(page).toHaveURL(/project=toll-calculator/)
  await expect(list.getByRole('link')).toHaveCount(1)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { level: 1, name: 'Night tolls are a cent too high' })).toBeVisible()
  await expect(page.getByText('A private passage was not stored')).toBeVisible()
  await page.keyboard.press('t')
  await expect(page.getByText('exit 101')).toBeVisible()
  // Marked once the fact that rests on them is there.
  const words = page.locator('[data-quote]')
  await expect(words).toHaveText('From now on we round once.')
  await page.keyboard.press(']')
  await expect(words).toHaveAttribute('data-active', 'true')
  // The fact stands beside its words.
  const fact = page.getByText('Rounds once')
  await expect(async () => {
    const [wordsBox, factBox] = [await words.boundingBox(), await fact.boundingBox()]
    expect(factBox!.x).toBeGreaterThan(wordsBox!.x + wordsBox!.width)
    expect(Math.abs(factBox!.y - wordsBox!.y)).toBeLessThan(40)
  }).toPass()
  expect(await violationsIn(page)).toEqual([])

  await page.goto(`/entities/${entity.id}`)
  await page.getByRole('link', { name: 'a conversation' }).click()
  await expect(page).toHaveURL(new RegExp(`/conversations/${conversationId}\\?around=${turns[0]!.id}`))
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(words).toHaveText('From now on we round once.')
  // There a fact follows its turn.
  await expect(async () => {
    const [turnBox, belowBox] = [await words.boundingBox(), await fact.boundingBox()]
    expect(belowBox!.y).toBeGreaterThan(turnBox!.y)
  }).toPass()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1280, height: 860 })

  await page.getByRole('button', { name: 'More about this conversation' }).click()
  await page.getByRole('menuitem', { name: 'Delete conversation' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Conversation deleted')).toBeVisible()
  await expect(list.getByRole('link')).toHaveCount(1)
  expect(problems).toEqual([])
})

test('the list stands by project, and shows only what failed or waits for a decision @both', async ({
  page,
  person,
}) => {
  const store = (title: string, project: string, turn: { text: string; exitCode?: number }) =>
    person.rest.storeTurns({
      body: {
        conversation: { agent: 'codex', externalId: title, title, project: { name: project } },
        turns: [
          { externalId: '1', at: day(1), role: 'person', text: turn.text },
          {
            ...{ externalId: '2', at: day(2), role: 'tool', text: '' },
            tool: { name: 'Bash', input: 'npm test', exitCode: turn.exitCode ?? 0 },
          },
        ],
      },
    })
  await store('A flaky test', 'shop', { text: 'Why does it fail?', exitCode: 1 })
  await store('Commits', 'engine', { text: 'From now on, run the linter before you commit.' })
  await page.goto('/conversations')
  const list = page.getByRole('list', { name: 'Conversations' })
  await expect(list.getByRole('listitem').filter({ hasText: 'Commits' })).toContainText('1 to decide')
  await page.getByText('By project').click()
  await expect(list.getByRole('heading')).toHaveText(['engine', 'shop'])
  await page.getByRole('button', { name: /With failed commands/ }).click()
  await expect(list.getByRole('link')).toHaveText(['A flaky test'])
  await expect(page).toHaveURL(/order=project&only=failed/)
  expect(await violationsIn(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByText('Filters (1)').click()
  await page.getByRole('button', { name: /With something to decide/ }).click()
  await expect(list.getByRole('link')).toHaveText(['Commits'])
  expect(await violationsIn(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('below 1280 pixels, Conversations, Inbox and History are in a menu', async ({ page, person: _ }) => {
  await page.setViewportSize({ width: 1100, height: 700 })
  await page.goto('/dashboard')
  const main = page.getByRole('navigation', { name: 'Main' })
  await expect(main.getByRole('link')).toHaveText(['Dashboard', 'Entities', 'Relations', 'Graph View'])
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Conversations' }).click()
  await expect(page.getByText('No conversations yet.')).toBeVisible()
})
