// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { serverSays } from '../../../test/browser.ts'
import { button, field } from '../../../test/find.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { useUser } from '../../lib/session.ts'
import { hasUnsaved } from '../../lib/unsaved.ts'
import { ProfileForm } from './profile-form.tsx'

/** As in the app, where the form shows the user of the session. */
function Profile() {
  const user = useUser()
  return user ? <ProfileForm user={user} /> : null
}

test('a changed name is saved and updates the session', async () => {
  const server = serve({ updateProfile: personAs('owner', { firstName: 'Augusta' }) })
  const { user } = await show(<Profile />)
  expect(button('Save Profile').disabled).toBe(true)
  await user.clear(field('First Name'))
  await user.type(field('First Name'), 'Augusta')
  expect(hasUnsaved()).toBe(true)
  await user.click(button('Save Profile'))
  expect(await screen.findByText('Profile updated')).toBeTruthy()
  expect(server.callsOf('updateProfile').map(({ body }) => body)).toEqual([
    { firstName: 'Augusta', lastName: 'Lovelace' },
  ])
  expect(button('Save Profile').disabled).toBe(true)
  expect(hasUnsaved()).toBe(false)
})

test('a name of only spaces cannot be saved, and the address cannot be edited', async () => {
  serve({})
  const { user } = await show(<Profile />)
  await user.clear(field('Last Name'))
  await user.type(field('Last Name'), '   ')
  expect(button('Save Profile').disabled).toBe(true)
  expect(field('Email Address').readOnly).toBe(true)
})

test('a name that could not be saved stays typed, with the reason', async () => {
  const server = serve({ updateProfile: new Refusal('rate_limited', 'Try again in a minute') })
  const { user } = await show(<Profile />)
  await user.type(field('Last Name'), ' King')
  await user.click(button('Save Profile'))
  expect((await screen.findByRole('alert')).textContent).toContain('Try again in a minute')
  expect(field('Last Name').value).toBe('Lovelace King')
  server.answer({ updateProfile: new Refusal('internal', 'A stack trace') })
  await user.click(button('Save Profile'))
  expect((await screen.findByText('Failed to update profile')).textContent).not.toContain('stack')
})

test('an unconfirmed address offers its link again, if the server sends mail', async () => {
  serverSays({ sendsMail: true })
  const unconfirmed = personAs('owner', { emailVerified: false })
  const server = serve({
    me: unconfirmed,
    sendVerification: new Refusal('rate_limited', 'Three links an hour at most'),
  })
  const { user } = await show(<ProfileForm user={unconfirmed} />)
  await user.click(button('Send it again'))
  expect(await screen.findByText('Three links an hour at most')).toBeTruthy()
  server.answer({ sendVerification: undefined })
  await user.click(button('Send it again'))
  expect(await screen.findByText('The link is on its way')).toBeTruthy()
})

test('an address that was confirmed in another tab is no longer called unconfirmed', async () => {
  serverSays({ sendsMail: true })
  const unconfirmed = personAs('owner', { emailVerified: false })
  const server = serve({ me: unconfirmed })
  await show(<Profile />, { as: unconfirmed })
  expect(button('Send it again')).toBeTruthy()
  server.answer({ me: personAs('owner') })
  window.dispatchEvent(new Event('visibilitychange'))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Send it again' })).toBeNull())
})

test.each([
  ['a confirmed address', true, { emailVerified: true }],
  ['a server without mail', false, { emailVerified: false }],
])('nothing is to be confirmed with %s', async (_, sendsMail, address) => {
  serverSays({ sendsMail })
  serve({})
  await show(<ProfileForm user={personAs('owner', address)} />)
  expect(screen.queryByRole('button', { name: 'Send it again' })).toBeNull()
})

test('repeated clicks on a slow server send one request', async () => {
  const answered = Promise.withResolvers<void>()
  const server = serve({
    updateProfile: async () => {
      await answered.promise
      return personAs('owner', { firstName: 'Adah' })
    },
  })
  const { user } = await show(<Profile />)
  await user.type(field('First Name'), 'h')
  await user.dblClick(button('Save Profile'))
  await waitFor(() => expect(button('Save Profile').disabled).toBe(true))
  answered.resolve()
  expect(await screen.findByText('Profile updated')).toBeTruthy()
  expect(server.callsOf('updateProfile')).toHaveLength(1)
})
