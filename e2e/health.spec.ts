import { violationsIn } from './axe.ts'
import { expect, type Person, test } from './fixtures.ts'

const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')

async function remember({ rest }: Person) {
  const entity = (name: string, type: string, ...observations: string[]) => ({ name, type, observations })
  await rest.createBatch({
    body: {
      entities: [
        entity('edi-gateway', 'service', `Staging SFTP of haldvik-edi: the token is ${secret}`),
        entity(
          'On-call',
          'team',
          'Handover is on Mondays at 10:00',
          'Handover is on Thursdays, after the stand-up',
        ),
        entity('Jonas Weber', 'person', 'He is away from tomorrow'),
        entity('Helios Maps', 'company', 'Sells map tiles', 'Sells map tiles.', 'Is based in Graz'),
        entity('Helios Maps GmbH', 'company', 'Is based in Graz'),
        entity('route-planner', 'service', 'Falls back to OSRM after 800 ms'),
      ],
      relations: [
        { from: 'Jonas Weber', to: 'On-call', type: 'leads' },
        { from: 'route-planner', to: 'edi-gateway', type: 'uses' },
        { from: 'Helios Maps', to: 'route-planner', type: 'serves' },
      ],
    },
  })
}

test('what is wrong is listed with the worst first, mended in place, and undone', async ({
  page,
  person,
}) => {
  await remember(person)
  await page.goto('/entities')
  await page.getByRole('link', { name: 'Health' }).click()
  await expect(page.getByRole('heading', { name: 'Memory health', level: 1 })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Secrets')
  await expect(page.getByText('hidden: github-token')).toBeVisible()
  await expect(page.locator('body')).not.toContainText(secret)

  await page.getByRole('button', { name: 'The newer holds' }).click()
  await expect(page.getByText('The newer fact about On-call holds')).toBeVisible()
  const { entities } = await person.rest.listEntities({
    query: { query: 'On-call', include: 'observations' },
  })
  expect(entities[0]!.observations!.map(({ content }) => content)).toEqual([
    'Handover is on Thursdays, after the stand-up',
  ])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'The newer holds' })).toBeVisible()

  await page.getByRole('button', { name: 'Remove it' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove it' }).click()
  await expect(page.getByText(/Secret removed from edi-gateway/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  const { changes } = await person.rest.listChanges({ query: { limit: '100' } })
  expect(JSON.stringify(changes)).not.toContain(secret)

  await page.reload()
  await expect(page.getByRole('heading', { name: 'Secrets' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Unclear on their own' }).click()
  await expect(page).toHaveURL(/kind=not_standalone/)
  await expect(page.getByText(/Jonas Weber is away from/)).toBeVisible()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'New wording' }).fill('Jonas Weber is away in June 2027')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Written anew: Jonas Weber')).toBeVisible()
})

test('a text of several entities is shown once, below their names', async ({ page, person }) => {
  const text = 'Reports are written from the shared template'
  const names = ['Audit of May', 'Audit of June', 'Audit of July']
  await person.rest.createBatch({
    body: {
      entities: names.map((name) => ({ name, type: 'document', observations: [text] })),
      relations: [],
    },
  })
  await page.goto('/health?kind=duplicate')
  for (const name of names) await expect(page.getByRole('link', { name })).toBeVisible()
  await expect(page.getByText(text)).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Keep all' })).toBeVisible()
})

test('the keys of lists decide, and a letter after g goes to a page instead', async ({ page, person }) => {
  await remember(person)
  await page.goto('/health?kind=duplicate')
  const rows = page.locator('[data-item]')
  await expect(rows).toHaveCount(2)
  await page.keyboard.press('j')
  await expect(rows.nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('a')
  await expect(
    page.getByText(/Only the first about Helios Maps is kept|merged into Helios Maps/),
  ).toBeVisible()
  await page.keyboard.press('z')
  await expect(page.getByRole('button', { name: 'Keep only the first' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page).toHaveURL(/dashboard/)
  const { entities } = await person.rest.listEntities({
    query: { query: 'Helios Maps', include: 'observations' },
  })
  expect(entities.flatMap(({ observations = [] }) => observations)).toHaveLength(4)
})

test('a memory with nothing to mend says so, and a failure does not look like one', async ({
  page,
  person,
}) => {
  await person.rest.createEntity({ body: { name: 'Ada', type: 'person', observations: ['Prefers tea'] } })
  await page.goto('/health')
  await expect(page.getByText('Nothing to mend. 1 observation checked.')).toBeVisible()
  await page.route('**/api/health/memory*', (route) => route.fulfill({ status: 400, json: {} }))
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('Failed to check the memory')
})

test('a name of 500 characters leaves room for what is wrong', async ({ page, person }) => {
  const name = 'Quarterly-report-of-the-shipping-team'.repeat(14).slice(0, 500)
  const observations = ['The password is hunter2hunter2']
  await person.rest.createEntity({ body: { name, type: 'document', observations } })
  await page.setViewportSize({ width: 390, height: 860 })
  await page.goto('/health')
  await expect(page.getByRole('button', { name: 'Remove it' })).toBeVisible()
  const { height } = (await page.getByRole('link', { name }).boundingBox())!
  expect(height).toBeLessThanOrEqual(48)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme })
    test('axe finds no violations, also in mended rows, and the page fits a phone', async ({
      page,
      person,
    }, info) => {
      await remember(person)
      await page.goto('/health')
      await page.getByRole('button', { name: 'Both', exact: true }).click()
      await expect(page.getByText('Left as it is: On-call')).toBeVisible()
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 860 })
        await page.screenshot({ path: info.outputPath(`health-${colorScheme}-${width}.png`), fullPage: true })
        expect(await violationsIn(page, undefined, colorScheme === 'dark')).toEqual([])
        const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        await expect.poll(overflow).toBeLessThanOrEqual(0)
      }
    })
  })
}
