import type { Locator, Page } from '@playwright/test'
import { expect, type Person, subscribe, test } from './fixtures.ts'

const pages = [
  '/dashboard',
  '/entities',
  '/relations',
  '/graph',
  '/history',
  '/search?query=ada',
  '/api-keys',
  '/settings',
  '/billing',
]

async function seed({ rest }: Person) {
  const { entities } = await rest.createBatch({
    body: {
      entities: [
        { name: 'Ada', type: 'person', observations: ['Ada likes trains'] },
        { name: 'Engine', type: 'product' },
        { name: 'x'.repeat(500), type: 'concept' },
      ],
      relations: [{ from: 'Ada', to: 'Engine', type: 'works_on' }],
    },
  })
  await rest.createKey({ body: { name: 'x'.repeat(90), permissions: [] } })
  return entities.created[0]!
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
}

/** Controls that reach beyond the window, where nobody can scroll to them. */
const controlsOutside = (page: Page) =>
  page.locator('main :is(a, button, input, select, textarea)').evaluateAll((all) =>
    all
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0)
      .filter((one) => {
        for (let part = one.parentElement; part; part = part.parentElement)
          if (/auto|scroll|hidden|clip/.test(getComputedStyle(part).overflowX)) return false
        return true
      })
      .filter((one) => {
        const { left, right, width } = one.getBoundingClientRect()
        return width > 1 && (left < -1 || right > window.innerWidth + 1)
      })
      .map((one) => one.outerHTML.slice(0, 120)),
  )

test.describe('at 200 % zoom', () => {
  // A window of 1280 by 860 pixels.
  test.use({ viewport: { width: 640, height: 430 }, deviceScaleFactor: 2 })

  test('no page scrolls sideways, and every control is within reach', async ({ page, person }) => {
    test.slow()
    const { id } = await seed(person)
    for (const path of [...pages, `/entities/${id}`]) {
      await open(page, path)
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      await expect.poll(overflow, path).toBeLessThanOrEqual(0)
      expect(await controlsOutside(page), path).toEqual([])
    }
    await page.goto('/entities?create=true')
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create Entity' })
    await create.scrollIntoViewIfNeeded()
    await expect(create).toBeInViewport()
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the longest names stay within dialogs and panels', async ({ page, person }) => {
    const body = { name: 'W'.repeat(500), type: 't'.repeat(64) }
    const { entity } = await person.rest.createEntity({ body })
    await subscribe(person, 'pro')
    await person.rest.createSpace({ body: { name: 'S'.repeat(60) } })
    const wider = (part: Locator) => part.evaluate((element) => element.scrollWidth - element.clientWidth)
    await open(page, '/entities')
    await page.getByRole('button', { name: 'Edit types' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(body.type)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Close dialog' })).toBeInViewport({ ratio: 1 })
    await open(page, '/settings#spaces')
    await page.getByRole('button', { name: 'Delete' }).last().click()
    await expect(dialog.getByLabel(/^Type S+ to confirm$/)).toBeVisible()
    expect(await wider(dialog)).toBe(0)
    await open(page, `/graph?selected=${entity.id}`)
    const name = page.getByRole('region', { name: 'Selected Node' }).getByRole('link', { name: body.name })
    // Three whole lines, and none of the fourth.
    await expect(name.locator('[data-line-clamp]')).toHaveJSProperty('clientHeight', 66)
  })
})

test('bars, lights and marks are visible in forced colours', async ({ page, person }) => {
  const { id } = await seed(person)
  const held = { content: 'Ada drove a train', at: '2024-01-01', until: '2025-01-01' }
  await person.rest.createObservations({ params: { id }, body: held })
  await page.emulateMedia({ forcedColors: 'active' })
  const colorsOf = (part: string) =>
    page
      .locator(part)
      .first()
      .evaluate((element) => [
        getComputedStyle(element).backgroundColor,
        getComputedStyle(document.body).backgroundColor,
      ])
  const parts = {
    '/entities': ['header [data-status] > span', 'main .loci-colored'],
    '/graph': ['main .loci-colored'],
    '/billing': ['main .mantine-Progress-section'],
    '/recalls': ['.mantine-Switch-input:checked + *'],
    [`/entities/${id}`]: ['main [class*="_bar_"][data-kind]'],
  }
  for (const [path, selectors] of Object.entries(parts)) {
    await open(page, path)
    await page.getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
    for (const part of selectors) {
      await page.locator(part).first().waitFor({ state: 'attached' })
      const [color, ground] = await colorsOf(part)
      expect(color, `${path} ${part}`).not.toBe(ground)
      expect(color, `${path} ${part}`).not.toBe('rgba(0, 0, 0, 0)')
    }
  }
  await open(page, '/entities')
  await page.getByRole('checkbox', { name: 'Select Ada', exact: true }).check()
  const [checked, ground] = await colorsOf('.mantine-Checkbox-input:checked')
  expect(checked).not.toBe(ground)
  await page.getByRole('combobox', { name: 'Sort by' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[data-combobox-selected]')).toHaveCSS('outline-style', 'solid')
})

test.describe('on paper', () => {
  test.use({ colorScheme: 'dark' })

  test('content is dark on white without controls, in the dark scheme too', async ({ page, person }) => {
    const { id } = await seed(person)
    await page.emulateMedia({ media: 'print' })
    for (const path of ['/entities', `/entities/${id}`, '/history', '/billing']) {
      await open(page, path)
      await expect(page.getByRole('banner')).toBeHidden()
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
      await expect(page.getByRole('button', { name: 'Refresh' })).toBeHidden()
      const heading = page.getByRole('heading', { level: 1 }).first()
      await expect(heading, path).toHaveCSS('color', 'rgb(27, 26, 31)')
    }
    await page.goto('/history')
    await expect(page.getByText('Ada likes trains')).toHaveCSS('color', 'rgb(27, 26, 31)')
    expect((await page.pdf()).length).toBeGreaterThan(1_000)
  })

  test('a long list is printed as far as it was loaded, and says how far that is', async ({
    page,
    person,
  }) => {
    const entities = Array.from({ length: 110 }, (_, i) => ({ name: `Thing ${i}`, type: 'concept' }))
    const stored = await person.rest.createBatch({ body: { entities, relations: [] } })
    const { id } = stored.entities.created[0]!
    const observations = Array.from({ length: 300 }, (_, i) => ({ content: `Fact ${i}` }))
    await person.rest.createObservations({ params: { id }, body: { observations } })
    const printed = async (rows: string) => {
      await page.evaluate((selector) => {
        const count = () =>
          document.body.setAttribute('data-rows', `${document.querySelectorAll(selector).length}`)
        window.addEventListener('beforeprint', () => queueMicrotask(count), { once: true })
      }, rows)
      await page.pdf()
      return Number(await page.locator('body').getAttribute('data-rows'))
    }
    await open(page, '/entities')
    await expect(page.getByRole('article').first()).toBeVisible()
    expect(await printed('main article')).toBe(100)
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByText('The first 100 of 110.')).toBeVisible()
    await expect(page.getByText('Skip to content')).toBeHidden()
    await page.emulateMedia({ media: null })
    await expect(page.getByText('The first 100 of 110.')).toBeHidden()
    await open(page, `/entities/${id}`)
    await expect(page.getByText('Fact 299')).toBeVisible()
    expect(await printed('main ol[data-placed] > [data-kind=observation]')).toBe(300)
  })

  test('the graph is drawn on white, and no empty boxes stay where controls were', async ({
    page,
    person,
  }) => {
    await seed(person)
    await open(page, '/graph')
    await page.getByRole('application', { name: 'Graph with 3 entities and 1 relation' }).waitFor()
    await expect.poll(() => brightnessAt(page, 20, 400)).toBeLessThan(50)
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => brightnessAt(page, 20, 400)).toBeGreaterThan(200)
    await open(page, '/entities')
    await expect(page.getByText('Ada likes trains')).toBeVisible()
    await expect(page.getByRole('search')).toBeHidden()
    await expect(page.getByRole('radiogroup')).toBeHidden()
    await page.setViewportSize({ width: 794, height: 1_000 })
    await open(page, '/history')
    await expect(page.getByText('Filters', { exact: true })).toBeHidden()
  })
})

/** Of one pixel of the window, 0 to 255. */
async function brightnessAt(page: Page, x: number, y: number): Promise<number> {
  const picture = await page.screenshot({ clip: { x, y, width: 1, height: 1 } })
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const context = new OffscreenCanvas(1, 1).getContext('2d')!
    context.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0)
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
    return (red + green + blue) / 3
  }, picture.toString('base64'))
}

test('the graph and the history can be read in words', async ({ page, person }) => {
  const ada = await seed(person)
  await person.rest.updateEntity({ params: { id: ada.id }, body: { name: 'Ada', type: 'company' } })
  await page.goto('/graph')
  const graph = page.getByRole('application', { name: 'Graph with 3 entities and 1 relation' })
  await expect(graph).toHaveAccessibleDescription(/Arrow keys walk along relations, Enter expands a node/)

  await page.goto('/history')
  const calls = page.getByRole('article', { name: 'Changes by Ada Lovelace' })
  await expect(calls.first().getByRole('listitem')).toMatchAriaSnapshot(`
    - listitem:
      - img "Changed"
      - text: entity
      - link "Ada"
      - text: type person → company
  `)
  await expect(calls.last().getByRole('img', { name: 'Added' }).first()).toBeVisible()
})
