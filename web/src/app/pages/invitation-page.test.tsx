// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { InvitationPage } from './invitation-page.tsx'

const visitor = { as: 'visitor' as const }
const details = { account: 'Analytical Engines', email: 'grace@example.com', role: 'member' as const }

beforeEach(() => {
  window.history.replaceState(null, '', '/invitation#token=abc')
})

test('a visitor reads who invites them to what, and can sign in or sign up', async () => {
  const server = serve({ invitation: details })
  await show(<InvitationPage />, visitor)
  expect(await screen.findByText('Analytical Engines')).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'You are invited' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Create Account' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Sign In' })).toBeTruthy()
  expect(server.callsOf('invitation')).toMatchObject([{ params: { token: 'abc' } }])
  expect(window.location.hash, 'the token does not stay in the address').toBe('')
})

test('an invitation that is over says so, and invites nobody', async () => {
  serve({ invitation: new Refusal('invitation_not_found', 'This invitation has expired.') })
  await show(<InvitationPage />, visitor)
  expect(await screen.findByText('This invitation has expired.')).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'This invitation cannot be used' })).toBeTruthy()
  expect(screen.queryByText('You are invited')).toBeNull()
  expect(screen.queryByRole('link', { name: 'Create Account' })).toBeNull()
})

test('a signed-in person accepts with one click, or is told why it did not work', async () => {
  const server = serve({
    invitation: { ...details, email: 'Ada@Example.com' },
    acceptInvitation: new Refusal('already_member', 'You are a member of this account already.'),
  })
  const { user } = await show(<InvitationPage />)
  await user.click(await screen.findByRole('button', { name: /accept|join/i }))
  expect(await screen.findByText('You are a member of this account already.')).toBeTruthy()
  expect(server.callsOf('acceptInvitation')).toMatchObject([{ params: { token: 'abc' } }])
})

test('a person signed in with another address reads whose invitation it is, and can sign out', async () => {
  const server = serve({ invitation: details, logout: undefined })
  const { user } = await show(<InvitationPage />)
  const words = 'You are signed in as ada@example.com. Only grace@example.com can accept this invitation.'
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /join/i })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Use another account' }))
  expect(await screen.findByRole('link', { name: 'Sign In' })).toBeTruthy()
  expect(server.callsOf('logout')).toHaveLength(1)
})
