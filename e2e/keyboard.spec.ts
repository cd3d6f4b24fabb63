import { createRestClient } from '@loci/client/rest'
import type { Locator, Page } from '@playwright/test'
import { expect, type Person, test } from './fixtures.ts'

async function seed({ rest }: Person): Promise<string> {
  const names = Array.from({ length: 12 }, (_, index) => `Thing ${index}`)
  const { entities } = await rest.createBatch({
    body: {
      entities: names.map((name) => ({ name, type: 'tool', observations: ['One', 'Two', 'Three'] })),
      relations: names.slice(1).map((to) => ({ from: 'Thing 0', to, type: 'uses' })),
    },
  })
  return entities.created[0]!.id
}

async function press(control: Locator) {
  await control.focus()
  await control.press('Enter')
}

async function choose(page: Page, menu: Locator, item: string | RegExp) {
  await press(menu)
  await press(page.getByRole('menuitem', { name: item }))
}

/** Whether the element in focus can be seen: no bar of the page lies over its middle. */
const focusIsClear = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement!
    const { left, top, width, height } = focused.getBoundingClientRect()
    const above = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20))
    return focused.contains(above) || (above?.contains(focused) ?? false)
  })

/** What scrolls into view on a busy machine may take a while. */
const becomesClear = (page: Page) =>
  expect
    .poll(() => focusIsClear(page), { timeout: 2_000 })
    .toBe(true)
    .then(
      () => true,
      () => false,
    )

async function coveredStops(page: Page, key: 'Tab' | 'Shift+Tab', count: number): Promise<string[]> {
  const covered: string[] = []
  for (let i = 0; i < count; i++) {
    await page.keyboard.press(key)
    const label = await page.evaluate(() => {
      const focused = document.activeElement
      // The browser itself scrolls to a radio button that is drawn as a label.
      const isDrawn = !focused?.matches('body, [type=radio]')
      return isDrawn ? (focused?.getAttribute('aria-label') ?? focused?.textContent ?? '') : undefined
    })
    if (label !== undefined && !(await becomesClear(page))) covered.push(label)
  }
  return covered
}

test('no bar covers what has the focus, at 400 % and backwards through a table', async ({ page, person }) => {
  const thing = await seed(person)
  await page.setViewportSize({ width: 320, height: 256 })
  for (const path of ['/dashboard', '/relations', `/entities/${thing}`]) {
    await page.goto(path)
    await expect(page.getByText(/Thing \d/).first()).toBeAttached()
    expect(await coveredStops(page, 'Tab', 40), path).toEqual([])
  }
  await page.goto('/relations?create=true')
  await expect(page.getByRole('dialog').getByLabel('From Entity')).toBeFocused()
  expect(await coveredStops(page, 'Tab', 12), 'in a dialog').toEqual([])
  await page.setViewportSize({ width: 1280, height: 400 })
  await page.goto('/relations')
  await press(page.getByRole('button', { name: 'Relation actions' }).last())
  await page.keyboard.press('Escape')
  expect(await coveredStops(page, 'Shift+Tab', 20)).toEqual([])

  const turns = Array.from({ length: 24 }, (_, index) => ({
    externalId: String(index),
    at: new Date(index * 1_000).toISOString(),
    role: index % 2 === 0 ? ('agent' as const) : ('tool' as const),
    text: `Turn ${index}`,
    tool: index % 2 === 0 ? undefined : { name: 'Bash', exitCode: 0 },
  }))
  const conversation = { agent: 'codex', externalId: '1', title: 'Tools' }
  const { conversationId } = await person.rest.storeTurns({ body: { conversation, turns } })
  await page.goto(`/conversations/${conversationId}`)
  await page.getByRole('button', { name: '1 tool' }).last().focus()
  expect(await coveredStops(page, 'Shift+Tab', 10)).toEqual([])
})

test('after a dialog, a deletion or a change of page the focus stays near', async ({ page, person }) => {
  const thing = await seed(person)
  await page.goto('/relations')
  const actions = page.getByRole('button', { name: 'Relation actions' })
  await choose(page, actions.nth(2), 'Delete Relation')
  await page.keyboard.press('Escape')
  await expect(actions.nth(2), 'back at the menu of the row').toBeFocused()
  await choose(page, actions.nth(2), 'Delete Relation')
  await press(page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
  await expect(page.getByText('10 relations')).toBeVisible()
  await expect(actions.nth(2), 'at the row that moved up').toBeFocused()

  await page.goto('/entities')
  await choose(page, page.getByRole('button', { name: 'Entity actions' }).first(), 'Edit Entity')
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Escape')
  await press(page.getByRole('link', { name: 'Thing 11' }))
  await expect(page.getByRole('heading', { name: 'Thing 11' })).toBeVisible()
  await expect(page.locator('#content')).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'Thing 11' })).toHaveCount(1)

  await page.goto(`/entities/${thing}`)
  const remove = page.getByRole('button', { name: 'Delete observation' })
  await press(remove.nth(1))
  await expect(remove).toHaveCount(2)
  await expect(remove.nth(1)).toBeFocused()
  await press(page.getByRole('button', { name: 'Edit observation' }).nth(1))
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Copy observation' }).nth(1)).toBeFocused()
  const refresh = page.getByRole('button', { name: 'Refresh' })
  await press(refresh)
  await expect(refresh).toBeEnabled()
  await expect(refresh).toBeFocused()

  await page.goto('/settings#profile')
  await page.getByLabel('First Name').fill('Augusta')
  await press(page.getByRole('button', { name: 'Save Profile' }))
  await expect(page.getByLabel('Email Address')).toBeFocused()
})

test('a field that was left on purpose does not get the focus back', async ({ page, person }) => {
  await seed(person)
  await page.goto('/entities')
  const field = page.getByRole('searchbox', { name: 'Search entities' })
  await field.press('a')
  await field.blur()
  await person.rest.createEntity({ body: { name: 'Late', type: 'tool' } })
  await expect(page.getByText('Late').first()).toBeVisible()
  await expect(page.locator('body')).toBeFocused()
})

test('a password is shown and hidden by keys', async ({ page }) => {
  await page.goto('/login')
  const field = page.getByLabel('Password', { exact: true })
  await field.fill('secret')
  await field.press('Tab')
  await expect(page.getByRole('button', { name: 'Toggle password visibility' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(field).toHaveAttribute('type', 'text')
  await page.keyboard.press('Enter')
  await expect(field).toHaveAttribute('type', 'password')
})

test('what is typed into a field with options is chosen by Enter', async ({ page, person }) => {
  await seed(person)
  await page.goto('/entities?create=true')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Ada')
  const type = dialog.getByRole('combobox', { name: 'Type' })
  await type.focus()
  await page.keyboard.type('perso', { delay: 60 })
  await page.keyboard.press('Enter')
  await expect(type).toHaveValue('person')
  await expect(dialog.getByText('Type is required')).toHaveCount(0)
  await page.goto('/graph?limit=100')
  await page.getByRole('combobox', { name: 'Search nodes' }).focus()
  await page.keyboard.type('Thing 7', { delay: 60 })
  await expect(page.getByRole('option').first()).toHaveAttribute('data-combobox-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/selected=ent_/)
})

test('menus and the palette fit a window at 400 %', async ({ page, person }) => {
  await seed(person)
  await page.setViewportSize({ width: 320, height: 256 })
  await page.goto('/dashboard')
  await press(page.getByRole('button', { name: 'User menu' }))
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  const last = page.getByRole('menuitem', { name: 'Logout' })
  await expect(last).toBeFocused()
  await expect(last).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  await press(page.getByRole('button', { name: 'Find anything' }))
  await page.getByLabel('Find an entity, a page or an action').fill('thing 3')
  await expect(page.getByRole('button', { name: /^Thing 3/ })).toBeInViewport({ ratio: 1 })
})

test('the graph and its list can be used at 400 %', async ({ page, person }) => {
  await seed(person)
  await page.setViewportSize({ width: 320, height: 256 })
  await page.goto('/graph?view=list')
  const row = page.getByRole('button', { name: 'Thing 0' }).first()
  await row.scrollIntoViewIfNeeded()
  await expect(row).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('button', { name: 'Share' })).toBeInViewport({ ratio: 1 })
  await page.getByText('Graph', { exact: true }).last().click()
  await expect(page).not.toHaveURL(/view=list/)
})

test('groups of choices and boxes that select have names', async ({ page, person }) => {
  const thing = await seed(person)
  const { apiKey } = await person.rest.createKey({ body: { name: 'codex', writes: 'propose' } })
  const codex = createRestClient({ baseUrl: person.url, token: () => apiKey })
  await codex.createObservations({ params: { id: thing }, body: { content: 'One more' } })
  await page.goto('/inbox')
  await expect(page.getByRole('checkbox', { name: 'Select Thing 0 One more' })).toBeVisible()
  await expect(page.getByRole('radiogroup', { name: 'What happens to: One' })).toBeVisible()
  await page.goto(`/entities/${thing}`)
  await press(page.getByRole('button', { name: 'Edit observation' }).first())
  await page.keyboard.type(' and four')
  await expect(page.getByRole('radiogroup', { name: 'What changed' })).toBeVisible()
})
