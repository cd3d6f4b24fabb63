import type { Page } from '@playwright/test'
import { violationsIn } from './axe.ts'
import { expect, type Person, subscribe, test } from './fixtures.ts'

/** Two memories, a key into both and one that only reads the first, which also called. */
async function furnish(person: Person) {
  await subscribe(person, 'pro')
  const { rest, url } = person
  await rest.createEntity({
    body: { name: 'Kettle', type: 'thing', observations: ['The kettle whistles in G'] },
  })
  const { space } = await rest.createSpace({ body: { name: 'checkout' } })
  const codex = await rest.createKey({ body: { name: 'codex' } })
  await rest.createKey({ body: { name: 'summary job', permissions: ['memory:read'], spaces: ['spc_1'] } })
  const write = () =>
    fetch(`${url}/api/entities`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${codex.apiKey}`,
        'content-type': 'application/json',
        'loci-space': space.id,
      },
      body: JSON.stringify({ name: crypto.randomUUID(), type: 'thing' }),
    })
  return { space, codex, write }
}

const doorOf = (page: Page, agent: string, memory: string) =>
  page.getByRole('button', { name: `${agent} into ${memory}` })

test.describe('Doors', () => {
  test('a door is closed, undone, opened wider after a question, and holds for the agent @both', async ({
    page,
    person,
  }) => {
    const { write } = await furnish(person)
    expect((await write()).status).toBe(201)
    await page.goto('/doors')
    await doorOf(page, 'codex', 'checkout').click()
    const panel = page.getByRole('complementary', { name: 'codex into checkout' })
    await panel.getByText('Read', { exact: true }).click()
    await expect(doorOf(page, 'codex', 'checkout')).toContainText('Read')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(doorOf(page, 'codex', 'checkout')).toContainText('Write')
    await panel.getByText('Read', { exact: true }).click()
    await expect(doorOf(page, 'codex', 'checkout')).toContainText('Read')
    expect((await write()).status).toBe(403)
    await page.reload()
    await expect(doorOf(page, 'codex', 'checkout')).toContainText('Refused')
    await doorOf(page, 'codex', 'checkout').click()
    await panel.getByText('None', { exact: true }).click()
    await expect(doorOf(page, 'codex', 'checkout')).toContainText('None')
    expect((await write()).status).toBe(404)
    await panel.getByText('Propose', { exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Let codex propose changes to checkout?' })
    await question.getByRole('button', { name: 'Let it propose' }).click()
    await expect(doorOf(page, 'codex', 'checkout')).toContainText('Propose')
    const proposed = await write()
    expect(await proposed.json()).toMatchObject({ proposed: true })
  })

  test('a door is tried through its own key, by keyboard alone @both', async ({ page, person }) => {
    await furnish(person)
    await page.goto('/doors')
    await doorOf(page, 'codex', 'default').focus()
    await page.keyboard.press('ArrowLeft')
    await expect(doorOf(page, 'summary job', 'default')).toBeFocused()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'summary job into default' })
    await page.keyboard.press('t')
    await page.keyboard.type('what does the kettle do?')
    await page.keyboard.press('Enter')
    await expect(panel.getByText('The kettle whistles in G')).toBeVisible()
    await panel.getByRole('combobox', { name: 'Tool' }).selectOption('add_observations')
    await panel.getByRole('button', { name: 'Try it' }).click()
    await expect(panel.getByText('This needs the right memory:write.')).toBeVisible()
    await expect(panel).toContainText(/claude mcp add .*loci_.…/)
    expect(await violationsIn(page)).toEqual([])
  })

  test('on a phone a door opens as a sheet', async ({ page, person }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await furnish(person)
    await page.goto('/doors')
    await page.getByRole('region', { name: 'checkout' }).getByRole('button', { name: 'codex' }).click()
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByRole('radio', { name: 'Write' })).toBeChecked()
    expect(await violationsIn(page, '[role=dialog]')).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBe(390)
    await sheet.getByRole('button', { name: 'Close' }).click()
    await expect(sheet).toBeHidden()
  })
})
