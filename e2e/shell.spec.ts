import { expect, test } from './fixtures.ts'

test.describe('Signed-in shell', () => {
  test('the navigation leads to the four places', async ({ page, person: _ }) => {
    await page.goto('/dashboard')
    const nav = page.getByRole('navigation', { name: 'Main' })
    await expect(nav.getByRole('link')).toHaveText(['Dashboard', 'Entities', 'Relations', 'Graph View'])
    await nav.getByRole('link', { name: 'Relations' }).click()
    await expect(page).toHaveURL('/relations')
    await expect(nav.getByRole('link', { name: 'Relations' })).toHaveAttribute('aria-current', 'page')
  })

  test('the user menu shows the email, its places and Logout', async ({ page, person }) => {
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'User menu' }).click()
    await expect(page.getByText(person.email)).toBeVisible()
    await expect(page.getByRole('menuitem')).toHaveText([
      'API Keys',
      'Webhooks',
      'Billing',
      'Settings',
      'Logout',
    ])
  })

  test('the colour scheme can be set and is kept', async ({ page, person: _ }) => {
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  })

  test('the badge says Connected while the server is there', async ({ page, person: _ }) => {
    await page.goto('/dashboard')
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  })

  test('the badge says Disconnected when the connection is lost, and pages still work', async ({
    page,
    person: _,
  }) => {
    await page.routeWebSocket('**/ws/connect', (socket) => void socket.close({ code: 1011 }))
    await page.goto('/dashboard')
    await expect(page.getByText('Disconnected', { exact: true })).toBeVisible()
    await expect(page.getByText('No recent activity')).toBeVisible()
  })

  test('Ctrl-K finds entities and pages, and gives the focus back', async ({ page, person }) => {
    const { entity } = await person.rest.createEntity({ body: { name: 'Grace Hopper', type: 'person' } })
    await page.goto('/entities')
    await page.getByLabel('Search entities').focus()
    await page.keyboard.press('Control+k')
    await expect(page.getByPlaceholder('Find an entity or a page')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByLabel('Search entities')).toBeFocused()
    await page.keyboard.press('Control+k')
    await expect(page.getByPlaceholder('Find an entity or a page')).toBeFocused()
    await page.keyboard.type('grace')
    await expect(page.getByRole('button', { name: /Grace Hopper/ })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/entities/${entity.id}`)
  })

  test('on a phone the navigation stands at the foot of the window', async ({ page, person: _ }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/dashboard')
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Entities' })
    expect((await link.boundingBox())?.y).toBeGreaterThan(680)
    await link.click()
    await expect(page).toHaveURL('/entities')
  })
})
