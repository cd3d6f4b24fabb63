import { violationsIn } from './axe.ts'
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
      'Audit Log',
      'Billing',
      'Settings',
      'Keyboard shortcuts?',
      'Logout',
    ])
  })

  test('the colour scheme can be set and is remembered', async ({ page, person: _ }) => {
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  })

  test('the badge says Connected while the server is up', async ({ page, person: _ }) => {
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

  test('Ctrl-K finds entities and pages, and returns the focus', async ({ page, person }) => {
    const { entity } = await person.rest.createEntity({ body: { name: 'Grace Hopper', type: 'person' } })
    await page.goto('/entities')
    await page.getByLabel('Search entities').focus()
    await page.keyboard.press('Control+k')
    await expect(page.getByPlaceholder('Find an entity, a page or an action')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByLabel('Search entities')).toBeFocused()
    await page.keyboard.press('Control+k')
    await expect(page.getByPlaceholder('Find an entity, a page or an action')).toBeFocused()
    await page.keyboard.type('grace')
    await expect(page.getByRole('button', { name: /Grace Hopper/ })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/entities/${entity.id}`)
  })

  test('the palette offers what was opened last, until somebody else signs in', async ({ page, person }) => {
    const { entities } = await person.rest.createBatch({
      body: { entities: ['Loom', 'Engine'].map((name) => ({ name, type: 'machine' })) },
    })
    for (const { id } of entities.created) {
      await page.goto(`/entities/${id}`)
      await expect(page.getByRole('heading', { name: 'Relationships' })).toBeVisible()
    }
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    const first = palette.getByRole('button').first()
    // Not the one on screen.
    await expect(first).toHaveText('Loommachine')
    await expect(palette.getByPlaceholder('Find an entity, a page or an action')).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/entities/${entities.created[0]!.id}`)
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/login')
    expect(await page.evaluate(() => localStorage.getItem('recent entities'))).toBeNull()
  })

  test('the navigation is painted before any style or script of the app has arrived', async ({
    page,
    person: _,
  }) => {
    const bar = page.getByRole('banner')
    const placeOf = async (name: string) => (await bar.getByText(name, { exact: true }).boundingBox())!.x
    await page.goto('/dashboard')
    await expect(page.getByRole('button', { name: /^Space: / })).toBeVisible()
    await expect(page.getByText('Loading...', { exact: true })).toHaveCount(0)
    const shown = await placeOf('Entities')
    await page.route('**/assets/*.{js,css}', (route) => route.abort())
    await page.reload()
    await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
    await expect(bar).toHaveText(/Dashboard\s*Entities\s*Relations\s*Graph View/)
    const bytes = await page.evaluate(() => {
      const needed = performance
        .getEntries()
        .filter(({ name, entryType }) => entryType === 'navigation' || name.endsWith('/before-paint.js'))
      return needed.map((entry) => (entry as PerformanceResourceTiming).encodedBodySize)
    })
    expect(bytes).toHaveLength(2)
    // A fifth of a second at 400 kbit/s.
    expect(bytes[0]! + bytes[1]!).toBeLessThan(10_000)
    // Except for the font, which has not arrived.
    expect(Math.abs((await placeOf('Entities')) - shown)).toBeLessThan(20)
    await page.goto('/invitation')
    await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
    await expect(bar).toHaveCount(0)
  })

  test('the first screen takes few files', async ({ page, person: _ }) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/dashboard')
    await expect(page.getByText('Total Entities')).toBeVisible()
    expect(asked.filter((path) => /\.(js|css)$/.test(path)).length).toBeLessThan(20)
  })

  test('the navigation stays in place while spaces and agents load', async ({ page, person: _ }) => {
    const places = () =>
      Promise.all(
        [
          page.getByRole('link', { name: 'Entities' }),
          page.getByRole('button', { name: 'Find anything' }),
        ].map(async (control) => (await control.first().boundingBox())!.x),
      )
    await page.goto('/history')
    await expect(page.getByRole('button', { name: /^Space: / })).toBeVisible()
    await expect(page.getByRole('banner').getByRole('link', { name: 'Connect' })).toBeVisible()
    const before = await places()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/api\/(spaces|usage|analytics\/usage)/, async (route) => {
      await held
      await route.continue()
    })
    await page.reload()
    await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Space: / })).toHaveCount(0)
    await expect(page.getByRole('banner').getByRole('link', { name: 'Connect' })).toHaveCount(0)
    expect(await places()).toEqual(before)
    release()
    await expect(page.getByRole('button', { name: /^Space: / })).toBeVisible()
    await expect(page.getByRole('banner').getByRole('link', { name: 'Connect' })).toBeVisible()
    expect(await places()).toEqual(before)
  })

  test('a long name of a space leaves the search and the user menu in sight at any width', async ({
    page,
    person,
  }) => {
    const { space } = await person.rest.createSpace({ body: { name: 'Long name '.repeat(6).trim() } })
    await page.goto(`/history?space=${space.id}`)
    await expect(page.getByRole('button', { name: /^Space: .*Long name/ })).toBeVisible()
    const sign = page.getByRole('button', { name: 'Find anything' }).locator('svg')
    expect((await sign.boundingBox())!.width).toBe(15)
    const menu = page.getByRole('button', { name: 'User menu' })
    for (const width of [721, 768, 900, 901, 1000, 1001, 1100, 1101, 1279]) {
      await page.setViewportSize({ width, height: 600 })
      const { x, width: own } = (await menu.boundingBox())!
      expect(x + own, `at ${width} pixels`).toBeLessThanOrEqual(width)
    }
  })

  test("the palette's field stays in place, whatever is found, and shows shortcuts", async ({
    page,
    person: _,
  }) => {
    await page.goto('/history')
    await page.getByRole('button', { name: 'Find anything' }).click()
    const field = page.getByPlaceholder('Find an entity, a page or an action')
    await expect(field).toBeVisible()
    await expect(page.locator('[data-action]', { hasText: 'Graph View' }).locator('kbd')).toHaveText([
      'G',
      'G',
    ])
    const top = () => field.evaluate((element) => element.getBoundingClientRect().top)
    await expect.poll(top).toBeGreaterThan(50)
    const before = await top()
    await field.fill('graph v')
    await expect(page.locator('[data-action]')).toHaveCount(2)
    expect(await top()).toBe(before)
  })

  test('keyboard shortcuts go everywhere, but never while typing', async ({ page, person: _ }) => {
    await page.goto('/dashboard')
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(help.getByText('Create an entity')).toBeVisible()
    expect(await violationsIn(page, '[role=dialog]')).toEqual([])
    await page.keyboard.press('Escape')
    await expect(help).toBeHidden()
    await page.keyboard.type('gr')
    await expect(page).toHaveURL('/relations')
    await page.keyboard.press('/')
    await expect(page).toHaveURL('/search')
    await expect(page.locator('#content input').first()).toBeFocused()
    await page.keyboard.type('gec?')
    await expect(page.locator('#content input').first()).toHaveValue('gec?')
    await page.keyboard.press('Tab')
    await page.locator('h1').click()
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'Create Entity' }).getByLabel('Name').fill('Typed')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('dialog').getByText('Type is required')).toBeVisible()
  })

  test('letters that are typed for a palette that still loads are no shortcuts', async ({
    page,
    person: _,
  }) => {
    let arrive: () => void = () => {}
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    await page.route('**/command-palette*.js', (route) => arrived.then(() => route.continue()))
    await page.goto('/dashboard')
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('c')
    arrive()
    await expect(page.getByLabel('Find an entity, a page or an action')).toBeFocused()
    await expect(page).toHaveURL('/dashboard')
  })

  test('Esc, Back and closing the tab ask before unsaved text is lost', async ({ page, person: _ }) => {
    await page.goto('/relations')
    await expect(page.getByText('No relations found')).toBeVisible()
    await page.keyboard.type('c')
    const form = page.getByRole('dialog', { name: 'Create Entity' })
    await form.getByLabel('Name').fill('Half-written')
    const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
    await page.keyboard.press('Escape')
    await expect(question).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await expect(form.getByLabel('Name')).toHaveValue('Half-written')
    const closingAsks = await page.evaluate(
      () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })),
    )
    expect(closingAsks).toBe(true)
    await page.goBack()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(page).toHaveURL('/entities')
    await expect(form.getByLabel('Name')).toHaveValue('Half-written')
    await page.goBack()
    await question.getByRole('button', { name: 'Discard' }).click()
    await expect(page).toHaveURL('/relations')
  })

  test('the palette does everything the menus do', async ({ page, person: _ }) => {
    await page.goto('/dashboard')
    const choose = async (words: string, isNamed = false) => {
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('Find an entity, a page or an action').fill(words)
      // The first result has been selected, or the last one is.
      if (isNamed) await expect(page.locator('[data-action][data-selected]')).toBeVisible()
      else await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeHidden()
    }
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await choose('dark theme', true)
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await choose('new link')
    await expect(page.getByRole('dialog', { name: 'Create New Relation' })).toBeVisible()
    await page.keyboard.press('Escape')
    await choose('import', true)
    await expect(page).toHaveURL('/settings#memory')
    await choose('create space', true)
    await expect(page.getByRole('dialog', { name: 'Create Space' })).toBeVisible()
    await page.keyboard.press('Escape')
    await choose('sign out')
    await expect(page).toHaveURL('/login')
  })

  test('a space is created, switched to, renamed and deleted; links stay in it', async ({ page, person }) => {
    await person.rest.createEntity({ body: { name: 'Of the first space', type: 'concept' } })
    await page.goto('/entities')
    await expect(page.getByRole('article').getByText('Of the first space')).toBeVisible()
    const menu = page.getByRole('button', { name: /^Space: / })
    const choose = async (name: string) => {
      await menu.click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('Create space')
    await page.getByRole('dialog', { name: 'Create Space' }).getByLabel('Name').fill('Büro 100%')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/entities\?space=spc_\w+$/)
    await expect(menu).toHaveText('Space: Ada Lovelace / Büro 100%')
    await expect(page.getByText('No entities found')).toBeVisible()
    const { spaces } = await person.rest.listSpaces()
    const headers = { 'loci-space': spaces[1]!.id }
    await person.rest.createEntity({ body: { name: 'Of the second', type: 'concept' }, headers })
    await expect(page.getByRole('article').getByText('Of the second')).toBeVisible()
    await page.getByRole('link', { name: 'Relations' }).click()
    await expect(page).toHaveURL(/\/relations\?space=spc_\w+$/)
    await menu.click()
    await page.getByRole('menuitemradio', { name: /^default/ }).click()
    await expect(page).toHaveURL('/relations')
    await page.goBack()
    await expect(menu).toHaveText('Space: Ada Lovelace / Büro 100%')
    await choose('Rename this space')
    await page.getByRole('dialog', { name: 'Rename Space' }).getByLabel('Name').fill('default')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
    await page.getByRole('dialog').getByLabel('Name').fill('Office')
    await page.keyboard.press('Enter')
    await expect(menu).toHaveText('Space: Ada Lovelace / Office')
    await choose('Delete this space')
    const deletion = page.getByRole('dialog', { name: 'Delete Space' })
    await expect(deletion.getByRole('button', { name: 'Delete Space' })).toBeDisabled()
    await deletion.getByLabel('Type Office to confirm').fill('Office')
    await deletion.getByRole('button', { name: 'Delete Space' }).click()
    await expect(menu).toHaveText('Space: Ada Lovelace / default')
    await page.goto(`/entities?space=${spaces[1]!.id}`)
    await page.getByRole('button', { name: 'Go to my default space' }).click()
    await expect(page).toHaveURL('/dashboard')
  })

  test('Back returns to the same place, by the browser and on the page', async ({ page, person }) => {
    const entities = Array.from({ length: 90 }, (_, i) => ({ name: `Entity ${i}`, type: 'concept' }))
    await person.rest.createBatch({ body: { entities } })
    await page.goto('/entities?type=concept')
    await expect(page.getByText('90 entities')).toBeVisible()
    const scrolled = () => page.evaluate(() => Math.round(window.scrollY))
    for (const back of [
      () => page.goBack(),
      () => page.locator('#content').getByRole('link', { name: 'Back', exact: true }).click(),
    ]) {
      await expect(async () => {
        // The scroll position is saved on the scroll event, which the browser sends with its next frame.
        await page.evaluate(() => {
          window.scrollTo(0, 1_200)
          return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
        })
        expect(await scrolled()).toBe(1_200)
      }).toPass()
      await page.evaluate(() => {
        const links = [...document.querySelectorAll<HTMLElement>('article a')]
        links.find((link) => link.getBoundingClientRect().top > 100)?.click()
      })
      await expect(page).toHaveURL(/\/entities\/ent_/)
      await expect.poll(scrolled).toBe(0)
      await back()
      await expect(page).toHaveURL('/entities?type=concept')
      await expect.poll(scrolled).toBe(1_200)
    }
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

    test('the navigation is at the bottom', async ({ page, person: _ }) => {
      await page.goto('/dashboard')
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Entities' })
      expect((await link.boundingBox())?.y).toBeGreaterThan(680)
      await link.click()
      await expect(page).toHaveURL('/entities')
    })
  })
})
