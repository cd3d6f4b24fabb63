import type { Page } from 'playwright-core'
import { answers, button, changes, fails, type Screen } from './screen.ts'

const factors = {
  totp: { since: new Date(Date.now() - 40 * 86_400_000).toISOString() },
  passkeys: ['My laptop', 'longname'.repeat(8)].map((name, i) => ({
    id: `psk_${i}`,
    name,
    synced: i === 0,
    createdAt: new Date(Date.now() - 12 * 86_400_000).toISOString(),
    lastUsedAt: i === 0 ? new Date(Date.now() - 240_000).toISOString() : null,
  })),
  recoveryCodes: 3,
}
const recoveryCodes = Array.from({ length: 10 }, (_, i) => `${i}k7q-m2xd-t9wa-e4hn`)
const refused = (pattern: string, status: number, error: object) => (page: Page) =>
  page.route(pattern, (route) => route.fulfill({ status, json: { error: { details: [], ...error } } }))
const asOwnerWithFactor = async (page: Page) => {
  await changes('**/auth/me', (me) => ({ ...me, secondFactor: true, secondFactorRequired: true }))(page)
  await answers('**/auth/me/second-factors', factors)(page)
}

/** Browsers have passkeys for names only. */
async function underName(page: Page): Promise<void> {
  await page.goto(page.url().replace('127.0.0.1', 'localhost'))
  await page.getByText('Authenticator app', { exact: true }).waitFor()
}

async function beginApp(page: Page): Promise<void> {
  await button(page, 'Set Up').click()
  await page.getByRole('dialog').getByLabel('Your password').fill('demo-password')
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'QR code with the key' }).waitFor()
}

async function confirmApp(page: Page): Promise<void> {
  await beginApp(page)
  await page.getByRole('dialog').getByRole('textbox', { name: 'Code' }).fill('123456')
  await page.keyboard.press('Enter')
}

/** Somebody whose account asks for a second factor, until they have one. */
async function asLed(page: Page): Promise<void> {
  let has = false
  await changes('**/auth/me', (me) => ({ ...me, secondFactor: has, secondFactorRequired: true }))(page)
  await page.route('**/auth/me/second-factors', (route) =>
    has ? route.fulfill({ json: { ...factors, passkeys: [], recoveryCodes: 10 } }) : route.continue(),
  )
  await page.route('**/auth/me/totp/confirm', (route) => {
    has = true
    return route.fulfill({ json: { recoveryCodes } })
  })
}

/** Second factors: in the settings, at sign-in, and where members are led whose account asks for one. */
export function secondFactorScreens(): Screen[] {
  const inSettings = { path: '/settings#security', who: 'demo' } as const
  const full = { ...inSettings, route: asOwnerWithFactor }
  const step = {
    token: 'x',
    methods: ['totp', 'passkey', 'recovery_code'],
    expiresAt: '2030-01-01T00:00:00Z',
  }
  const asksForMore = refused('**/auth/login', 403, {
    code: 'second_factor_required',
    message: 'A second factor has to follow.',
    details: [step],
  })
  const afterPassword = async (page: Page) => {
    await page.goto(page.url().replace('127.0.0.1', 'localhost'))
    await page.getByLabel('Email Address').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill('a-password')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Confirm it is you' }).waitFor()
  }
  return [
    { ...inSettings, name: 'factors-none' },
    { ...full, name: 'factors-full', act: underName },
    { ...inSettings, name: 'factors-failed', route: fails('**/auth/me/second-factors') },
    { ...full, name: 'factors-rule', path: '/settings#members' },
    { ...inSettings, name: 'factors-app', act: beginApp },
    { ...inSettings, name: 'factors-app-refused', act: confirmApp },
    {
      ...inSettings,
      name: 'factors-codes',
      route: answers('**/auth/me/totp/confirm', { recoveryCodes }),
      act: confirmApp,
    },
    ...['Add a Passkey', 'Rename My laptop', 'Remove My laptop'].map((name) => ({
      ...full,
      name: `factors-${name.toLowerCase().replaceAll(' ', '-')}`,
      act: async (page: Page) => {
        await underName(page)
        await button(page, name).click()
      },
    })),
    { name: 'factors-login', path: '/login', route: asksForMore, act: afterPassword },
    {
      name: 'factors-login-refused',
      path: '/login',
      route: async (page) => {
        await asksForMore(page)
        const error = { code: 'invalid_credentials', message: 'This code is wrong or was already used' }
        await refused('**/auth/login/second-factor', 401, error)(page)
      },
      act: async (page) => {
        await afterPassword(page)
        await button(page, 'Use a recovery code').click()
        await page.getByLabel('Recovery Code').fill('abcd-efgh')
        await page.keyboard.press('Enter')
        await page.getByRole('alert').waitFor()
      },
    },
    { name: 'factors-led', path: '/second-factor', who: 'newcomer', route: asLed, act: underName },
    {
      name: 'factors-led-done',
      path: '/second-factor',
      who: 'newcomer',
      route: asLed,
      act: async (page) => {
        await confirmApp(page)
        await button(page, 'I Saved Them').click()
        await button(page, 'Continue to Loci').waitFor()
      },
    },
  ]
}
