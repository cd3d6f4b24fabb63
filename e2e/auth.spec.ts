import { createRestClient } from '@loci/client/rest'
import { violationsIn } from './axe.ts'
import { expect, password, test } from './fixtures.ts'

const protectedPaths = [
  '/dashboard',
  '/entities',
  '/entities/ent_1',
  '/relations',
  '/graph',
  '/history',
  '/billing',
  '/api-keys',
  '/settings',
  '/search',
  '/no-such-page',
]

test.describe('Visitors', () => {
  test('any protected or unknown path redirects to /login', async ({ page }) => {
    for (const path of protectedPaths) {
      await page.goto(path)
      await expect(page, path).toHaveURL('/login')
    }
  })

  test('a token that the server does not know is removed silently', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('auth_token', 'stale'))
    await page.goto('/login')
    await expect(page.getByLabel('Email Address')).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
})

test.describe('Signed-in users', () => {
  test('visitor pages and unknown paths redirect to /dashboard', async ({ page, person: _ }) => {
    for (const path of ['/login', '/signup', '/no-such-page']) {
      await page.goto(path)
      await expect(page, path).toHaveURL('/dashboard')
    }
    for (const path of ['/entities/', '/entities/%20']) {
      await page.goto(path)
      await expect(page, 'a missing id redirects to /entities').toHaveURL('/entities')
    }
  })

  test('the loading screen is shown while the session is checked, and leaving it does not end the session', async ({
    page,
    person: _,
  }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/auth/me', async (route) => {
      await held
      // The request is gone if the page was left meanwhile.
      await route.continue().catch(() => {})
    })
    for (const path of ['/no-such-page', '/dashboard']) {
      await page.goto(path)
      await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
    }
    release()
    await expect(page.getByRole('heading', { name: 'Knowledge Graph Dashboard' })).toBeVisible()
  })

  test('Logout removes the token', async ({ page, person: _ }) => {
    await page.goto('/entities')
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/login')
    expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull()
  })
})

test.describe('Login', () => {
  test('the button waits for both fields, a wrong password is reported, the right one signs in', async ({
    page,
    newPerson,
  }) => {
    const { email } = await newPerson()
    await page.goto('/login')
    await expect(page.getByRole('link', { name: 'Create an account' })).toHaveAttribute('href', '/signup')
    await expect(page.getByRole('link', { name: 'Back to home' })).toHaveAttribute('href', '/')
    const button = page.getByRole('button', { name: 'Sign In' })
    await expect(button).toBeDisabled()
    await page.getByLabel('Email Address').fill(email)
    await expect(button).toBeDisabled()
    await page.getByLabel('Email Address').press('Enter')
    await expect(page.getByText('Please fill in all fields')).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await button.click()
    await expect(page.getByText('Invalid email or password. Please try again.')).toBeVisible()
    await expect(page.getByLabel('Email Address')).toHaveValue(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await button.click()
    await expect(page).toHaveURL('/dashboard')
    expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeTruthy()
  })

  test('too many failures say how long to wait', async ({ page, newPerson, serverUrl }) => {
    const { email } = await newPerson()
    const anonymous = createRestClient({ baseUrl: serverUrl })
    const fail = () => anonymous.login({ body: { email, password: 'wrong' } })
    for (let failures = 0; failures < 10; failures++) await expect(fail()).rejects.toThrow('Invalid email')
    await page.goto('/login')
    await page.getByLabel('Email Address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Password', { exact: true }).press('Enter')
    await expect(page.getByRole('alert')).toHaveText(/^Too many attempts\. Try again in \d+ seconds\.$/)
    expect(await violationsIn(page)).toEqual([])
  })

  test('a suspended user is told so', async ({ page, newPerson, server }) => {
    const { email } = await newPerson()
    await server.run('user', 'suspend', email)
    await page.goto('/login')
    await page.getByLabel('Email Address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert')).toHaveText(
      'This account is suspended. Ask the person who runs this server.',
    )
  })

  test('a failing server is reported', async ({ page }) => {
    await page.route('**/auth/login', (route) => route.abort())
    await page.goto('/login')
    await page.getByLabel('Email Address').fill('a@b.co')
    await page.getByLabel('Password', { exact: true }).fill('x')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Login failed. Please try again.')).toBeVisible()
  })

  test('signing in returns to the page that was asked for', async ({ page, newPerson }) => {
    const { email } = await newPerson()
    await page.goto('/relations?type=uses')
    await page.getByLabel('Email Address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL('/relations?type=uses')
  })
})
