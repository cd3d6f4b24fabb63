// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { button, field } from '../../../test/find.ts'
import { keyNamed } from '../../../test/keys.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { currentSession } from '../../lib/session.ts'
import { hasUnsaved } from '../../lib/unsaved.ts'
import { PasswordForm } from './password-form.tsx'

const [current, next, again] = ['Current Password', 'New Password', 'Confirm New Password'] as const

async function showForm(answers: Answers) {
  const server = serve(answers)
  const { user, address } = await show(<PasswordForm />)
  const submit = async (...values: [string, string, string]) => {
    for (const [index, label] of [current, next, again].entries()) {
      await user.clear(field(label))
      await user.type(field(label), values[index]!)
    }
    await user.click(button('Change Password'))
  }
  return { server, user, submit, address }
}

test('a short password, or two that differ, are not sent', async () => {
  const { server, submit } = await showForm({})
  expect(button('Change Password').disabled).toBe(true)
  await submit('old secret', 'short', 'short')
  expect(screen.getByRole('alert').textContent).toBe('Password must be at least 8 characters long')
  await submit('old secret', 'long enough', 'long enouhg')
  expect(screen.getByRole('alert').textContent).toBe('Passwords do not match')
  expect(server.calls).toEqual([])
  expect(hasUnsaved()).toBe(true)
})

test('a changed password empties the form and names the keys that still work', async () => {
  const { server, submit, user, address } = await showForm({
    changePassword: undefined,
    listKeys: { apiKeys: [keyNamed('Laptop'), keyNamed('Old phone', { isExpired: true })] },
  })
  await submit('old secret', 'a new secret', 'a new secret')
  const notice = within(await screen.findByRole('status'))
  expect(server.callsOf('changePassword').map(({ body }) => body)).toEqual([
    { currentPassword: 'old secret', newPassword: 'a new secret' },
  ])
  expect([current, next, again].map((label) => field(label).value)).toEqual(['', '', ''])
  expect(hasUnsaved()).toBe(false)
  expect(await notice.findByText('Laptop (loci_A…9fK2)')).toBeTruthy()
  expect(notice.queryByText(/Old phone/)).toBeNull()
  await user.click(notice.getByRole('link', { name: 'Manage API keys' }))
  expect(address()).toBe('/api-keys')
})

test('the personal key is rolled once, replacing the notice that it still works', async () => {
  const { server, submit, user } = await showForm({
    changePassword: undefined,
    listKeys: { apiKeys: [] },
    rollPersonalKey: new Refusal('rate_limited', 'Too many keys'),
  })
  await submit('old secret', 'a new secret', 'a new secret')
  const notice = within(await screen.findByRole('status'))
  expect(notice.queryByRole('link')).toBeNull()
  await user.click(notice.getByRole('button', { name: 'Roll Personal API Key' }))
  expect(await screen.findByText('Too many keys')).toBeTruthy()
  server.answer({ rollPersonalKey: { apiKey: 'loci_fresh' } })
  await user.click(notice.getByRole('button', { name: 'Roll Personal API Key' }))
  expect(await screen.findByText('Personal API key rolled')).toBeTruthy()
  expect(currentSession()).toMatchObject({ user: { apiKey: 'loci_fresh' } })
  const roll = notice.getByRole<HTMLButtonElement>('button', { name: 'Roll Personal API Key' })
  await waitFor(() => expect(roll.disabled).toBe(true))
  await user.click(notice.getByRole('button', { name: 'Close' }))
  expect(screen.queryByText('Your API keys still work')).toBeNull()
})

test('a wrong current password is shown at its field, which has the focus until it is edited', async () => {
  const { submit, user } = await showForm({
    changePassword: new Refusal('validation_failed', 'Invalid input', [
      { path: 'currentPassword', message: 'The current password is wrong' },
    ]),
  })
  await submit('wrong', 'a new secret', 'a new secret')
  expect(await screen.findByText('The current password is wrong')).toBeTruthy()
  expect(document.activeElement).toBe(field(current))
  expect(field(current).getAttribute('aria-invalid')).toBe('true')
  expect(field(next).value).toBe('a new secret')
  expect(screen.queryByRole('alert')).toBeNull()
  await user.type(field(current), '!')
  expect(screen.queryByText('The current password is wrong')).toBeNull()
})

test('any other refusal is shown above the form, and nothing typed is lost', async () => {
  const { submit, server } = await showForm({
    changePassword: new Refusal('rate_limited', 'Try again in 15 minutes'),
  })
  await submit('old secret', 'a new secret', 'a new secret')
  expect((await screen.findByRole('alert')).textContent).toBe('Try again in 15 minutes')
  expect(field(current).value).toBe('old secret')
  server.isReachable = false
  await submit('old secret', 'a new secret', 'a new secret')
  expect(await screen.findByText('Failed to change password')).toBeTruthy()
})
