import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { type SmtpDouble, startSmtpDouble } from '../server/test/smtp-double.ts'
import { test as base, expect } from './fixtures.ts'

/** A server that sends mail, to a mail server that the test reads. */
const test = base.extend<object, { smtp: SmtpDouble }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  smtp: [async ({}, use) => use(await startSmtpDouble()), { scope: 'worker' }],
  environment: [
    async ({ smtp }, use) => use({ SMTP_URL: smtp.url, LOCI_MAIL_FROM: 'Loci <loci@example.com>' }),
    { scope: 'worker' },
  ],
})

const findViolations = async (page: Page) =>
  (await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)

/** The address in the mail about something to somebody. */
async function linkTo(smtp: SmtpDouble, email: string, subject: string): Promise<string> {
  const find = () => smtp.mails.find((mail) => mail.to.includes(email) && mail.headers.subject === subject)
  await expect.poll(find).toBeDefined()
  return /https?:\/\/\S+/.exec(find()!.text)![0]
}

test('a forgotten password is set anew by a link from the mailbox', async ({ page, newPerson, smtp }) => {
  const { email } = await newPerson()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email Address').fill(email)
  expect(await findViolations(page)).toEqual([])
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
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Sign In', exact: true }).click()
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('Another-horse-8')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')

  await page.goto(await linkTo(smtp, email, 'Confirm your email address'))
  await expect(page.getByRole('alert'), 'the first link confirmed it').toContainText('was used')
})
