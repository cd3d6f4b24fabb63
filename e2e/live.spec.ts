import { expect, test } from './fixtures.ts'

test.describe('Live', () => {
  test('what an agent changes appears without a reload, and an open form stays', async ({ page, person }) => {
    await page.goto('/entities')
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Create Entity' }).first().click()
    await page.getByLabel('Name').fill('Half typed')
    const { entity } = await person.rest.createEntity({ body: { name: 'From an agent', type: 'concept' } })
    await expect(page.getByText('Entity created: From an agent')).toBeVisible()
    await expect(page.getByLabel('Name')).toHaveValue('Half typed')
    await expect(page.getByLabel('Name')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('article').getByText('From an agent')).toBeVisible()
    await person.rest.updateEntity({
      params: { id: entity.id },
      body: { name: 'Renamed by an agent', type: 'concept' },
    })
    await expect(page.getByRole('article').getByText('Renamed by an agent')).toBeVisible()
    await person.rest.deleteEntity({ params: { id: entity.id } })
    await expect(page.getByText('No entities found')).toBeVisible()
  })

  test('at most five notifications, each for ten seconds', async ({ page, person }) => {
    await page.goto('/dashboard')
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    const notes = page.getByRole('list', { name: 'Live notifications' }).getByRole('listitem')
    for (let i = 0; i < 7; i++) {
      await person.rest.createEntity({ body: { name: `Agent's ${i}`, type: 'concept' } })
    }
    await expect(notes.last()).toContainText("Agent's 6")
    await expect(notes).toHaveCount(5)
    await expect(notes).toHaveCount(0, { timeout: 15_000 })
  })

  test('reading further down, the page stays where it is while entities arrive above', async ({
    page,
    person,
  }) => {
    const entities = Array.from({ length: 120 }, (_, i) => ({ name: `Entity ${i}`, type: 'concept' }))
    await person.rest.createBatch({ body: { entities } })
    await page.goto('/entities')
    await expect(page.getByText('120 entities')).toBeVisible()
    await page.mouse.wheel(0, 2_000)
    const read = () =>
      page.evaluate(
        () => document.elementFromPoint(200, 400)?.closest('article')?.querySelector('a')?.textContent,
      )
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(1_500)
    const before = await read()
    for (let i = 0; i < 4; i++) {
      await person.rest.createEntity({ body: { name: `New ${i}`, type: 'concept' } })
    }
    await expect(page.getByText('124 entities')).toBeAttached()
    await expect.poll(read).toBe(before)
  })

  test('two pages show the same change of an open entity', async ({ page, person, context }) => {
    const { entity } = await person.rest.createEntity({ body: { name: 'Shared', type: 'concept' } })
    const other = await context.newPage()
    await other.addInitScript((token) => localStorage.setItem('auth_token', token), person.token)
    await page.goto(`/entities/${entity.id}`)
    await other.goto(`/entities/${entity.id}`)
    await expect(other.getByText('Connected', { exact: true })).toBeVisible()
    await page.getByLabel('New observation').fill('Seen by both')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(other.getByText('Seen by both')).toBeVisible()
  })
})
