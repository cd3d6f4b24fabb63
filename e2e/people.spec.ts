import { readFile } from 'node:fs/promises'
import { createRestClient } from '@loci/client/rest'
import { type SmtpDouble, startSmtpDouble } from '../server/test/smtp-double.ts'
import { violationsIn } from './axe.ts'
import { test as base, expect, password } from './fixtures.ts'

/** A server that sends mail to a mail server that the test can read. */
const test = base.extend<object, { smtp: SmtpDouble }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  smtp: [async ({}, use) => use(await startSmtpDouble()), { scope: 'worker' }],
  environment: [
    async ({ smtp }, use) => use({ SMTP_URL: smtp.url, LOCI_MAIL_FROM: 'Loci <loci@example.com>' }),
    { scope: 'worker' },
  ],
})

/** The link in the mail with this subject to this address. */
async function linkTo(smtp: SmtpDouble, email: string, subject: string): Promise<string> {
  const find = () => smtp.mails.find((mail) => mail.to.includes(email) && mail.headers.subject === subject)
  await expect.poll(find).toBeDefined()
  return /https?:\/\/\S+/.exec(find()!.text)![0]
}

test('a forgotten password is reset by a link from the mailbox', async ({ page, newPerson, smtp }) => {
  const { email } = await newPerson()
  await page.goto('/login')
  await page.getByLabel('Email Address').fill(email)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  // The sign-in page has a field of the same name.
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
  await expect(page.getByLabel('Email Address')).toHaveValue(email)
  expect(await violationsIn(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toContainText(`an account for ${email}`)

  const link = await linkTo(smtp, email, 'Set a new password for Loci')
  await page.goto(link)
  await expect(page, 'the token does not stay in the address').toHaveURL('/reset-password')
  await page.getByLabel('New Password', { exact: true }).fill('Another-horse-8')
  await page.getByLabel('Confirm New Password').fill('Another-horse-9')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Passwords do not match')
  await page.getByLabel('Confirm New Password').fill('Another-horse-8')
  expect(await violationsIn(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Sign In', exact: true }).click()
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('Another-horse-8')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')

  await page.goto(await linkTo(smtp, email, 'Confirm your email address'))
  await expect(page.getByRole('alert'), 'the first link confirmed it').toContainText('was used')
})

test('an invited person signs up by the link and works in the account they joined', async ({
  page,
  person,
  browser,
  serverUrl,
}) => {
  await person.rest.createEntity({ body: { name: 'Shared plan', type: 'concept' } })
  await page.goto('/settings#members')
  const members = page.locator('#members')
  await expect(members.getByRole('listitem')).toHaveCount(1)
  await members.getByLabel('Email Address').fill('new@example.org')
  await members.getByLabel('Role', { exact: true }).selectOption('Viewer')
  await members.getByRole('button', { name: 'Invite' }).click()
  await expect(members.getByRole('status')).toContainText('new@example.org is invited')
  expect(await violationsIn(page)).toEqual([])
  const link = (await members.locator('pre').textContent())!

  const context = await browser.newContext({ baseURL: serverUrl })
  const guest = await context.newPage()
  await guest.goto(link)
  await expect(guest.getByText('Join the account of Ada Lovelace as Viewer.')).toBeVisible()
  expect(await violationsIn(guest)).toEqual([])
  await guest.getByRole('link', { name: 'Create Account' }).click()
  await guest.getByLabel('First Name').fill('Grace')
  await guest.getByLabel('Last Name').fill('Hopper')
  await expect(guest.getByText('Join the account of Ada Lovelace')).toBeVisible()
  await expect(guest.getByLabel('Email Address')).toHaveValue('new@example.org')
  await guest.getByLabel('Password', { exact: true }).fill('Correct-horse-7')
  await guest.getByLabel('Confirm Password').fill('Correct-horse-7')
  await guest.getByRole('button', { name: 'Create Account' }).click()
  await expect(guest).toHaveURL(/\/dashboard\?account=/)
  await guest.goto(guest.url().replace('/dashboard', '/entities'))
  await expect(guest.getByText('Shared plan').first()).toBeVisible()
  await expect(guest.getByRole('button', { name: 'Create Entity' }), 'viewers only read').toHaveCount(0)
  await guest.getByRole('button', { name: 'Entity actions' }).click()
  await expect(guest.getByRole('menuitem')).toHaveText(['View Details'])
  await guest.keyboard.press('Escape')
  await guest.getByRole('link', { name: 'Shared plan' }).click()
  await expect(guest.getByRole('button', { name: 'More actions' })).toBeVisible()
  await expect(guest.getByRole('button', { name: /^(Edit|Rename entity|Add relationship)$/ })).toHaveCount(0)
  await expect(guest.getByLabel('New observation')).toHaveCount(0)
  await guest.getByRole('button', { name: 'User menu' }).click()
  await expect(guest.getByRole('menuitem', { name: /^(API Keys|Webhooks|Billing)$/ })).toHaveCount(0)
  await guest.keyboard.press('Escape')

  // The address names no account: the app opens in the team's, until they switch to their own.
  const place = guest.getByRole('button', { name: /^Space: / })
  await guest.goto('/dashboard')
  await expect(place).toHaveText('Space: Ada Lovelace / default')
  await expect(guest).toHaveURL(/\/dashboard\?account=/)
  await place.click()
  const kept = guest.waitForResponse(
    (response) => response.url().endsWith('/api/me/place') && response.request().method() === 'PUT',
  )
  // The spaces of their other account arrive after the menu is open.
  const spaces = guest.getByRole('menuitemradio', { name: 'default' })
  await expect(spaces).toHaveCount(2)
  await spaces.last().click()
  await expect(place).toHaveText('Space: Grace Hopper / default')
  await kept
  await guest.goto('/entities')
  await expect(place).toHaveText('Space: Grace Hopper / default')
  await expect(guest.getByText('No entities found')).toBeVisible()
  await context.close()

  await page.reload()
  await members.getByLabel('Role of Grace Hopper').selectOption('Admin')
  await expect(page.getByText('Grace Hopper is now Admin')).toBeVisible()

  const sections = page.getByRole('navigation', { name: 'Settings' })
  await sections.getByRole('link', { name: 'Account' }).click()
  const account = page.locator('#account')
  await account.getByLabel('Account name').fill('Analytical Engines')
  await account.getByRole('button', { name: 'Rename' }).click()
  await expect(page.getByText('This account is now called Analytical Engines')).toBeVisible()
  await account.getByRole('button', { name: 'Hand Over Ownership' }).click()
  const handOver = page.getByRole('dialog')
  await handOver.getByLabel('New owner').selectOption('Grace Hopper (new@example.org)')
  await handOver.getByLabel('Your password').fill('not my password')
  await handOver.getByRole('button', { name: 'Hand Over' }).click()
  await expect(handOver.getByRole('alert')).toContainText('The current password is incorrect')
  expect(await violationsIn(page)).toEqual([])
  await handOver.getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Grace Hopper is the owner now')).toBeVisible()
  await expect(account, 'an admin neither renames nor deletes').toHaveCount(0)

  await sections.getByRole('link', { name: 'Members' }).click()
  await members.locator('..').getByRole('link', { name: 'Audit log' }).click()
  const events = page.getByRole('listitem')
  await expect(events.first()).toContainText('Ada Lovelace handed the account over to new@example.org')
  await expect(events).toContainText(
    ['renamed the account to', 'changed the role', 'joined', 'invited'].map((text) => new RegExp(text)),
  )
  expect(await violationsIn(page)).toEqual([])
  await page.getByLabel('What happened').selectOption('Members')
  await expect(page).toHaveURL('/audit?category=members')
  await expect(events).toHaveCount(3)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ])
  expect(await readFile(await file.path(), 'utf8')).toContain('member_role_changed')
  await page.getByLabel('Who did it').selectOption('Grace Hopper')
  await page.getByLabel('What happened').selectOption('Billing')
  await expect(page.getByText('No events match these filters')).toBeVisible()

  const { url } = await person.rest.inviteMember({ body: { email: 'late@example.org', role: 'member' } })
  await createRestClient({ baseUrl: serverUrl }).register({
    body: {
      email: 'late@example.org',
      password,
      firstName: 'Late',
      lastName: 'Comer',
      invitation: url.split('#token=')[1],
    },
  })
  await page.goto('/settings#members')
  await members.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(members.getByRole('listitem')).toHaveCount(2)
})
