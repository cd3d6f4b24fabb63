import { connectOverHttp } from '../server/test/mcp-clients.ts'
import { expect, type Person, test } from './fixtures.ts'

async function ask({ url, apiKey }: Person, ...questions: string[]) {
  const agent = await connectOverHttp({ url }, apiKey, 'auto')
  for (const query of questions) await agent.callTool({ name: 'recall', arguments: { query } })
  await agent.close()
}

test.describe('Recalls', () => {
  test('a recall is replayed, mended and asked again', async ({ page, person }) => {
    await person.rest.createBatch({
      body: {
        entities: [
          { name: 'Ada', type: 'person', observations: ['Approves deploys on Friday'] },
          { name: 'Deploys', type: 'concept', observations: ['Deploys on Friday need an approval'] },
        ],
      },
    })
    await ask(person, 'Who approves a deploy on Friday?')
    await page.goto('/recalls')
    await page.getByRole('link', { name: /Who approves a deploy/ }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('“Who approves a deploy on Friday?”')
    const rows = page.locator('[data-row]')
    await expect(rows).toHaveCount(2)
    await expect(page.getByRole('img', { name: /The answer walked through/ })).toBeVisible()
    const ada = rows.filter({ hasText: 'Approves deploys' })
    await ada.hover()
    await ada.getByRole('button', { name: 'Outdated' }).click()
    await ada.getByLabel('What is so now').fill('Grace approves deploys on Friday')
    await ada.getByRole('button', { name: 'Replace' }).click()
    await expect(ada.getByText('Replaced since')).toBeVisible()
    await page.locator('h1').click()
    await page.keyboard.press('r')
    await expect(rows.filter({ hasText: 'Grace approves' }).getByText('New')).toBeVisible()
    await expect(ada.getByText('Gone')).toBeVisible()
    await page.keyboard.press('z')
    await expect(page.getByText('Undone')).toBeVisible()
    await page.getByRole('button', { name: 'Forget this recall' }).click()
    await expect(page.getByText('No recalls yet')).toBeVisible()
  })

  test('a question without an answer is answered where it was asked', async ({ page, person }) => {
    await ask(person, 'Which harbour is closed?')
    await page.goto('/recalls?found=false')
    await page.getByRole('link', { name: /Which harbour/ }).click()
    await expect(page.getByText('Nothing was handed over.')).toBeVisible()
    await page.getByLabel('What should it have known?').fill('The harbour of Oslo is closed until May')
    await page.getByRole('combobox', { name: 'About' }).fill('Oslo')
    await page.getByRole('button', { name: 'Add to memory' }).click()
    await expect(
      page.locator('[data-row]').filter({ hasText: 'closed until May' }).getByText('New'),
    ).toBeVisible()
  })

  test('a space stops keeping recalls, and forgets those it has', async ({ page, person }) => {
    await ask(person, 'Anything?')
    await page.goto('/recalls')
    await expect(page.getByRole('link', { name: /Anything/ })).toBeVisible()
    await page.getByRole('switch', { name: 'Keep recalls' }).click()
    await expect(page.getByText('No recalls yet')).toBeVisible()
    await ask(person, 'Anything now?')
    await page.reload()
    await expect(page.getByText('No recalls yet')).toBeVisible()
    await expect(page.getByRole('switch', { name: 'Keep recalls' })).not.toBeChecked()
  })
})
