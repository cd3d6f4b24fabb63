import { createRestClient } from '@loci/client/rest'
import type { Page } from '@playwright/test'
import { totpAt } from '../server/test/totp.ts'
import { violationsIn } from './axe.ts'
import { expect, type Person, password, signIn, test } from './fixtures.ts'

async function enterPassword(page: Page, { email }: Person) {
  await expect(page.getByRole('heading', { name: 'Sign in to Loci' })).toBeVisible()
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

/** From the password to the picture of the key; answers the key. */
async function beginApp(page: Page) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('img', { name: 'QR code with the key' })).toBeVisible()
  return (await dialog.locator('code').textContent())!.replaceAll(' ', '')
}

async function confirmApp(page: Page, secret: string, at: number) {
  await page.getByRole('dialog').getByRole('textbox', { name: 'Code' }).fill(totpAt(secret, at))
  await page.keyboard.press('Enter')
}

/** Somebody new in the account of a person, signed in in `page`; answers where that account's entities are. */
async function join(page: Page, { rest, url: home }: Person) {
  const { url } = await rest.inviteMember({ body: { email: 'guest@example.org', role: 'member' } })
  const { token } = await createRestClient({ baseUrl: home }).register({
    body: {
      email: 'guest@example.org',
      password,
      firstName: 'Grace',
      lastName: 'Hopper',
      invitation: url.split('#token=')[1],
    },
  })
  await signIn(page, token)
  return `/entities?account=${(await rest.me()).accountId}`
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
}

test('an authenticator app is set up, required from members and at sign-in, and replaced by a recovery code', async ({
  page,
  person,
  browser,
}) => {
  await page.goto('/settings#security')
  const panel = page.getByRole('region', { name: 'Second factor' })
  await panel.getByRole('button', { name: 'Set Up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill('wrong-one')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Your password')).toHaveAccessibleDescription(
    'The current password is incorrect',
  )
  const secret = await beginApp(page)
  expect(await violationsIn(page)).toEqual([])
  const usedAt = Date.now()
  await confirmApp(page, secret, usedAt)
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  const codes = await dialog.getByRole('listitem').allTextContents()
  expect(await violationsIn(page)).toEqual([])
  await dialog.getByRole('button', { name: 'I Saved Them' }).click()
  await expect(panel.getByText('10 of 10 left')).toBeVisible()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Members' }).click()
  await page.getByLabel('Every member needs a second factor').click()
  await expect(page.getByLabel('Every member needs a second factor')).toBeChecked()

  const context = await browser.newContext({ baseURL: person.url })
  const guest = await context.newPage()
  const entities = await join(guest, person)
  await guest.goto(entities)
  await expect(guest, 'members are led here before anything else').toHaveURL(/\/second-factor/)
  await expect(guest.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await expect(guest.getByRole('button', { name: 'Set Up' })).toBeVisible()
  expect(await violationsIn(guest)).toEqual([])
  await guest.getByRole('button', { name: 'Set Up' }).click()
  await confirmApp(guest, await beginApp(guest), Date.now())
  await guest.getByRole('button', { name: 'I Saved Them' }).click()
  await guest.getByRole('button', { name: 'Continue to Loci' }).click()
  await expect(guest).toHaveURL(entities)
  await expect(guest.getByText('No entities found')).toBeVisible()
  await context.close()

  await signOut(page)
  await enterPassword(page, person)
  await expect(page.getByRole('heading', { name: 'Confirm it is you' })).toBeVisible()
  expect(await violationsIn(page)).toEqual([])
  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('This code is wrong')
  // The next time step: a code works only once.
  await page.getByRole('textbox', { name: 'Code' }).fill(totpAt(secret, usedAt + 30_000))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')

  await signOut(page)
  await enterPassword(page, person)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery Code').fill(codes[0]!)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
})

/** Gives the page's browser a device with passkeys; `verifies`: whether finger, face or PIN are right. */
async function addDevice(page: Page, verifies = true) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: verifies,
      automaticPresenceSimulation: true,
    },
  })
  return {
    client,
    authenticatorId,
    verify: () => client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true }),
    remove: () => client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  }
}

test('a passkey is added, signs in alone or after the password, and is removed', async ({ page, person }) => {
  const home = person.url.replace('127.0.0.1', 'localhost')
  const { client, authenticatorId } = await addDevice(page)
  await page.goto(`${home}/settings#security`)
  const panel = page.getByRole('region', { name: 'Second factor' })
  await panel.getByRole('button', { name: 'Add a Passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('My laptop')
  await dialog.getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'I Saved Them' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(panel.getByText('My laptop')).toBeVisible()
  expect(await violationsIn(page)).toEqual([])

  await client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false })
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to Loci' })).toBeVisible()
  expect(await violationsIn(page)).toEqual([])
  await enterPassword(page, person)
  await client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true })
  await page.getByRole('button', { name: 'Use a Passkey' }).click()
  await expect(page).toHaveURL(`${home}/dashboard`)

  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  // This authenticator may have accepted the autofill offer before the button is reached.
  await page
    .getByRole('button', { name: 'Sign In with a Passkey' })
    .click({ timeout: 5_000 })
    .catch(() => {})
  await expect(page).toHaveURL(`${home}/dashboard`)

  await page.goto(`${home}/settings#security`)
  await panel.getByRole('button', { name: 'Rename My laptop' }).click()
  await dialog.getByLabel('Name').fill('Work laptop')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await panel.getByRole('button', { name: 'Remove Work laptop' }).click()
  await dialog.getByRole('button', { name: 'Use a Passkey' }).click()
  await expect(panel.getByText('Work laptop')).toHaveCount(0)
  await expect(panel.getByText('Recovery codes'), 'the password is enough again').toHaveCount(0)
})

test('a device that fails, is known already or holds a passkey that was removed is explained', async ({
  page,
  person,
}) => {
  const home = person.url.replace('127.0.0.1', 'localhost')
  const laptop = await addDevice(page)
  await page.goto(`${home}/settings#security`)
  const panel = page.getByRole('region', { name: 'Second factor' })
  const dialog = page.getByRole('dialog')
  const submit = dialog.getByRole('button', { name: 'Add Passkey' })
  await panel.getByRole('button', { name: 'Add a Passkey' }).click()
  await dialog.getByLabel('Name').fill('My laptop')
  await dialog.getByLabel('Your password').fill(password)
  // The network fails once the passkey is stored; the codes are shown only now.
  await page.route('**/auth/me', (route) => route.abort())
  await submit.click()
  const codes = await dialog.getByRole('listitem').first().textContent()
  await page.unroute('**/auth/me')
  await dialog.getByRole('button', { name: 'I Saved Them' }).click()

  await panel.getByRole('button', { name: 'Add a Passkey' }).click()
  await dialog.getByLabel('Name').fill('The same laptop')
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codes!)
  await submit.click()
  await expect(dialog.getByRole('alert')).toContainText('This device holds a passkey of yours already')
  await laptop.remove()
  const phone = await addDevice(page, false)
  await submit.click()
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await expect(submit).not.toHaveAttribute('data-loading')
  await phone.verify()
  await submit.click()
  await expect(dialog, 'the code that was sent at first still counts').toHaveCount(0)
  await expect(panel.getByText('The same laptop')).toBeVisible()

  await panel.getByRole('button', { name: 'Remove The same laptop' }).click()
  await dialog.getByRole('button', { name: 'Use a Passkey' }).click()
  await expect(panel.getByText('The same laptop')).toHaveCount(0)
  await signOut(page)
  // The device accepts what the field offers.
  await expect(page.getByRole('alert')).toContainText('This passkey does not sign in here')
  await phone.remove()
  expect(await violationsIn(page)).toEqual([])
})

test('the offer of a passkey outlasts the five minutes for which the server accepts it', async ({
  page,
  serverUrl,
}) => {
  await addDevice(page)
  await page.clock.install()
  let offers = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/login/passkey/options')) offers += 1
  })
  await page.goto(`${serverUrl.replace('127.0.0.1', 'localhost')}/login`)
  await expect.poll(() => offers).toBe(1)
  await page.clock.fastForward('04:00')
  await expect.poll(() => offers).toBe(2)
  await page.clock.fastForward('04:00')
  await expect.poll(() => offers).toBe(3)
})
