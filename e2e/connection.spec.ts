import { expect, password, test } from './fixtures.ts'

test.describe('Lost connections', () => {
  test('offline is announced; a screen that failed to load keeps the navigation and loads on reconnect', async ({
    page,
    person: _,
  }) => {
    await page.goto('/dashboard')
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await page.context().setOffline(true)
    await expect(page.getByText(/^You are offline/)).toBeVisible()
    const nav = page.getByRole('navigation', { name: 'Main' })
    await nav.getByRole('link', { name: 'Relations' }).click()
    await expect(page.getByText('This page could not be loaded')).toBeVisible()
    await expect(nav).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('This page could not be loaded')).toBeVisible()
    await page.context().setOffline(false)
    await expect(page.getByRole('heading', { name: 'Relation Management' })).toBeVisible()
    await expect(page.getByText(/^You are offline/)).toBeHidden()
    expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(1)
  })

  test('a screen whose file is gone from the server loads after one reload', async ({ page, person: _ }) => {
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'Knowledge Graph Dashboard' })).toBeVisible()
    await page.route(/assets\/relations-page/, (route) => route.fulfill({ status: 404, body: '' }))
    const reloaded = page.waitForEvent('load')
    await page.getByRole('link', { name: 'Relations' }).first().click()
    await reloaded
    // A second reload would not help either.
    await expect(page.getByText('This page could not be loaded')).toBeVisible()
    await page.unroute(/assets\/relations-page/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Relation Management' })).toBeVisible()
  })

  test('a change made offline fails at once, keeps the form, and is not sent later', async ({
    page,
    person,
  }) => {
    await page.goto('/entities?create=true')
    await page.getByLabel('Name').fill('Written offline')
    await page.getByRole('combobox', { name: 'Type' }).last().click()
    await page.getByRole('option', { name: 'concept', exact: true }).click()
    await page.context().setOffline(true)
    await page.getByRole('dialog').getByRole('button', { name: 'Create Entity' }).click()
    await expect(page.getByText('Failed to save entity')).toBeVisible()
    await expect(
      page.getByText('The server cannot be reached. Try again when the connection is back.'),
    ).toBeVisible()
    await page.context().setOffline(false)
    await expect(page.getByText(/^You are offline/)).toBeHidden()
    await expect(page.getByLabel('Name')).toHaveValue('Written offline')
    expect((await person.rest.listEntities()).entities).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Create Entity' }).click()
    await expect(page.getByText('Entity created successfully')).toBeVisible()
  })

  test('a live connection that died without a word is noticed, and what it missed appears', async ({
    page,
    person,
  }) => {
    await page.clock.install()
    let isDead = false
    await page.routeWebSocket(/\/ws\/connect/, (socket) => {
      const server = socket.connectToServer()
      const lives = !isDead
      socket.onMessage((message) => (lives && isDead ? undefined : server.send(message)))
      server.onMessage((message) => (lives && isDead ? undefined : socket.send(message)))
    })
    await page.goto('/entities')
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await expect(page.getByText('No entities found')).toBeVisible()
    isDead = true
    await person.rest.createEntity({ body: { name: 'Written meanwhile', type: 'concept' } })
    // Two pings without an answer, and the time until the next one and the reconnection.
    for (let i = 0; i < 4; i += 1) await page.clock.fastForward(30_000)
    await expect(page.getByRole('article').getByText('Written meanwhile')).toBeVisible()
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  })

  test('error pages of a proxy count as a server that is away: a screen loads when it is back', async ({
    page,
    person,
  }) => {
    await person.rest.createEntity({ body: { name: 'Still here', type: 'concept' } })
    await page.goto('/dashboard')
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    const body = '<html><body><h1>502 Bad Gateway</h1></body></html>'
    await page.route(/\/(api|healthz)/, (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body }),
    )
    await page.getByRole('link', { name: 'Entities' }).first().click()
    await expect(page.getByText('Failed to load entities').first()).toBeVisible()
    await expect(page.getByText(/^The server cannot be reached\. Trying again/)).toBeVisible()
    await page.unroute(/\/(api|healthz)/)
    await expect(page.getByRole('article').getByText('Still here')).toBeVisible()
  })

  test('a list that failed while the server was down loads when it is back', async ({ page, person }) => {
    await person.rest.createEntity({ body: { name: 'Still here', type: 'concept' } })
    await page.goto('/dashboard')
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await page.route(/\/(api|healthz)/, (route) => route.abort())
    await page.getByRole('link', { name: 'Entities' }).first().click()
    await expect(page.getByText('Failed to load entities').first()).toBeVisible()
    await expect(page.getByText(/^The server cannot be reached\. Trying again/)).toBeVisible()
    await page.unroute(/\/(api|healthz)/)
    await expect(page.getByRole('article').getByText('Still here')).toBeVisible()
  })
})

test('a session that ended is said, and leads back to what was half-written; other tabs follow', async ({
  page,
  person,
}) => {
  const { email } = person
  await page.goto('/entities?type=event')
  await expect(page.getByText('No entities found')).toBeVisible()
  const other = await page.context().newPage()
  await other.goto('/relations')
  await expect(other.getByText('No relations found')).toBeVisible()
  await page.getByRole('button', { name: 'Create Entity' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create Entity' })
  await form.getByLabel('Name').fill('Half-written')
  await form.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'concept' }).click()
  await person.rest.logout()
  await form.getByRole('button', { name: 'Create Entity' }).click()
  await expect(page).toHaveURL('/login')
  expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull()
  await expect(page.getByText('Your session has ended')).toBeVisible()
  await expect(other).toHaveURL('/login')
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/entities?type=event')
  await expect(form.getByLabel('Name')).toHaveValue('Half-written')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(other).toHaveURL('/relations')
  await expect(other.getByText('No relations found')).toBeVisible()
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Your session has ended')).toBeHidden()
  await expect(other).toHaveURL('/login')
})
