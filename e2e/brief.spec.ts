import { connectOverHttp } from '../server/test/mcp-clients.ts'
import { expect, test } from './fixtures.ts'

test.describe('The brief', () => {
  test('tells what agents did since the last visit, and is read from the keyboard @both', async ({
    page,
    person,
  }) => {
    const entities = Array.from({ length: 12 }, (_, i) => ({ name: `Thing ${i}`, type: 'concept' }))
    await person.rest.createBatch({ body: { entities, relations: [] } })
    await page.goto('/dashboard')
    await expect(page.getByText('Total Entities')).toBeVisible()
    await expect(page.getByText('Since you were here')).toHaveCount(0)
    const agent = await connectOverHttp({ url: person.url }, person.apiKey, 'auto')
    await agent.callTool({
      name: 'add_observations',
      arguments: {
        observations: [
          { entityName: 'Thing 1', contents: ['Is blue'] },
          { entityName: 'Thing 2', contents: ['Is heavy', 'Is old'] },
        ],
      },
    })
    await agent.callTool({ name: 'recall', arguments: { query: 'zeppelin' } })
    await agent.close()
    await page.reload()
    const brief = page.getByRole('region', { name: 'Since you were here' })
    await expect(brief).toContainText('3 of 3 unread')
    await expect(page.getByRole('link', { name: '“zeppelin”', exact: true })).toBeVisible()
    await page.keyboard.press('a')
    await expect(brief).toContainText('2 of 3 unread')
    await page.keyboard.press('d')
    await expect(page.getByText('Observation deleted')).toBeVisible()
    await page.keyboard.press('z')
    await expect(page.getByText('Undone')).toBeVisible()
    await page.reload()
    await expect(brief).toContainText('unread')
    await page.keyboard.press('Shift+A')
    await expect(page.getByRole('heading', { name: 'All read' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'All read' })).toBeVisible()
  })
})
