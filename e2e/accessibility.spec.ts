import AxeBuilder from '@axe-core/playwright'
import { expect, test } from './fixtures.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const pages = [
  '/dashboard',
  '/entities',
  '/relations',
  '/search?query=ada',
  '/api-keys',
  '/settings',
  '/billing',
]

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`Accessibility, ${colorScheme}`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } })

    for (const path of pages) {
      test(`axe finds nothing on ${path}, and 360 pixels are enough`, async ({ page, person }) => {
        await person.rest.createBatch({
          body: {
            entities: [
              { name: 'Ada', type: 'person', observations: ['Ada likes trains'], metadata: { born: 1815 } },
              { name: 'x'.repeat(500), type: 'concept' },
            ],
            relations: [{ from: 'Ada', to: 'x'.repeat(500), type: 'knows' }],
          },
        })
        await person.rest.createKey({ body: { name: 'Laptop', permissions: [] } })
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await page.waitForLoadState('networkidle')
        const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze()
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
        await page.setViewportSize({ width: 360, height: 740 })
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
          .toBeLessThanOrEqual(0)
      })
    }

    test('axe finds nothing on /entities/{id} and its dialogs', async ({ page, person }) => {
      const { entity } = await person.rest.createEntity({
        body: { name: 'Ada', type: 'person', observations: ['One'], metadata: { born: 1815 } },
      })
      await page.goto(`/entities/${entity.id}`)
      await page.getByRole('button', { name: 'Edit' }).click()
      await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('Ada')
      const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    })
  })
}
