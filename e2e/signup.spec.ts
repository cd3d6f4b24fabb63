import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { violationsIn } from './axe.ts'
import { expect, test } from './fixtures.ts'

type Values = { first: string; last: string; email: string; password: string; confirmation: string }
const valid: Values = {
  first: 'Ada',
  last: 'Lovelace',
  email: 'ada@example.com',
  password: 'Violet-123-sky',
  confirmation: 'Violet-123-sky',
}

async function fill(page: Page, values: Values) {
  await page.getByLabel('First Name').fill(values.first)
  await page.getByLabel('Last Name').fill(values.last)
  await page.getByLabel('Email Address').fill(values.email)
  await page.getByLabel('Password', { exact: true }).fill(values.password)
  await page.getByLabel('Confirm Password').fill(values.confirmation)
}

test('mistakes are reported, and the error clears on an edit', async ({ page }) => {
  await page.goto('/signup')
  await fill(page, { ...valid, confirmation: 'Secret-124' })
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('alert')).toHaveText('Passwords do not match')
  await page.getByLabel('First Name').fill('Grace')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('the button waits until all five fields are filled', async ({ page }) => {
  await page.goto('/signup')
  await fill(page, { ...valid, confirmation: '' })
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeDisabled()
  await page.getByLabel('Confirm Password').fill(valid.confirmation)
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeEnabled()
})

test('the checklist follows what is typed', async ({ page }) => {
  await page.goto('/signup')
  const met = page.getByRole('list', { name: 'Password strength' }).locator('[data-met=true]')
  await expect(met).toHaveCount(0)
  await page.getByLabel('Password', { exact: true }).fill('abc')
  await expect(met).toHaveText([/lowercase/])
  await page.getByLabel('Password', { exact: true }).fill('Abcdefg1')
  await expect(met).toHaveCount(4)
})

test('names are trimmed, the email is lower-cased; success is shown and leads on after two seconds', async ({
  page,
}) => {
  const email = `${randomUUID()}@Example.com`
  await page.goto('/signup')
  await fill(page, { ...valid, first: ' Ada ', last: ' Lovelace ', email: `  ${email} ` })
  const sent = page.waitForRequest('**/auth/register')
  await page.getByRole('button', { name: 'Create Account' }).click()
  expect((await sent).postDataJSON()).toMatchObject({
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: email.toLowerCase(),
  })
  await expect(page.getByText('Account created successfully! Redirecting to login...')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
})

test('leaving within the two seconds is not undone', async ({ page }) => {
  await page.clock.install()
  await page.goto('/signup')
  await fill(page, { ...valid, email: `${randomUUID()}@example.com` })
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('Account created successfully! Redirecting to login...')).toBeVisible()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Entities', exact: true }).click()
  await expect(page.getByText('No entities found')).toBeVisible()
  await page.clock.runFor(2_500)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page).toHaveURL('/entities')
})

test("the server's message is shown and what was typed stays", async ({ page, newPerson }) => {
  const { email } = await newPerson()
  await page.goto('/signup')
  await fill(page, { ...valid, email })
  const button = page.getByRole('button', { name: 'Create Account' })
  await page.route('**/auth/register', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 })
  await button.click()
  await expect(page.getByRole('alert')).toHaveText('Failed to create account. Please try again.')
  await page.route('**/auth/register', (route) => route.abort(), { times: 1 })
  await button.click()
  await expect(page.getByRole('alert')).toHaveText('Registration failed. Please try again.')
  await button.click()
  await expect(page.getByRole('alert')).toHaveText('An account with this email already exists')
  await expect(page.getByLabel('First Name')).toHaveValue('Ada')
})

test('a common password is refused at its field until it is changed', async ({ page }) => {
  await page.goto('/signup')
  const email = `${randomUUID()}@example.com`
  await fill(page, { ...valid, email, password: 'password1', confirmation: 'password1' })
  await page.getByLabel('Confirm Password').press('Enter')
  const field = page.getByLabel('Password', { exact: true })
  await expect(field).toHaveAccessibleDescription('This password is too common. Choose another one.')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toBeFocused()
  expect(await violationsIn(page)).toEqual([])
  await field.fill(valid.password)
  await expect(field).not.toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Confirm Password').fill(valid.password)
  await page.getByLabel('Confirm Password').press('Enter')
  await expect(page).toHaveURL('/dashboard')
})

test('a paid plan in the address shows the Selected Plan banner', async ({ page }) => {
  await page.goto('/signup?plan=power-user&billing=annual')
  await expect(page.getByText('Selected Plan: Power User (annual)')).toBeVisible()
  await expect(page.getByText("You'll be taken to billing after signup")).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create Account & Subscribe to Power User' })).toBeVisible()
})

test('the free plan shows no banner', async ({ page }) => {
  await page.goto('/signup?plan=free')
  await expect(page.getByRole('button', { name: 'Create Account', exact: true })).toBeVisible()
  await expect(page.getByText('Selected Plan')).toHaveCount(0)
})
