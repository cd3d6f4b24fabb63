// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { button, dialogNamed } from '../../../test/find.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { currentSession } from '../../lib/session.ts'
import { DeleteAccount } from './delete-account.tsx'

async function openDialog() {
  const { user } = await show(<DeleteAccount notice="What else ends" />)
  await user.click(button('Delete Account'))
  const dialog = await dialogNamed('Delete Account')
  const submit = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete Account' })
  const password = dialog.getByLabelText<HTMLInputElement>('Your password')
  return { user, dialog, submit, password }
}

test('an account is deleted only with the password, and signs out', async () => {
  const server = serve({ deleteAccount: undefined })
  const { user, dialog, submit, password } = await openDialog()
  expect(dialog.getByText(/deleted immediately and permanently/)).toBeTruthy()
  expect(dialog.getByText(/What else ends/)).toBeTruthy()
  expect(submit.disabled).toBe(true)
  await user.type(password, '{Enter}')
  expect(server.calls).toEqual([])
  await user.type(password, 'engines weave algebra')
  await user.click(submit)
  await waitFor(() => expect(currentSession().status).toBe('anonymous'))
  expect(server.callsOf('deleteAccount').map(({ body }) => body)).toEqual([
    { password: 'engines weave algebra' },
  ])
})

test('a wrong password deletes nothing, signs nobody out and stays typed', async () => {
  serve({ deleteAccount: new Refusal('invalid_credentials', 'The password is wrong') })
  const { user, dialog, submit, password } = await openDialog()
  await user.type(password, 'wrong')
  await user.click(submit)
  expect(await dialog.findByText('The password is wrong')).toBeTruthy()
  expect(password.value).toBe('wrong')
  expect(currentSession().status).toBe('signed-in')
})

test('Cancel forgets the password', async () => {
  const server = serve({})
  const { user, dialog, password } = await openDialog()
  await user.type(password, 'engines')
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(button('Delete Account'))
  expect((await dialogNamed('Delete Account')).getByLabelText<HTMLInputElement>('Your password').value).toBe(
    '',
  )
  expect(server.calls).toEqual([])
})
