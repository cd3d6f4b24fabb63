// @vitest-environment jsdom
import { ApiError } from '@loci/client/call'
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { readDeviceTokens, storeDeviceToken } from '../../lib/device-tokens.ts'
import { currentSession } from '../../lib/session.ts'
import { ForgotPasswordForm } from './forgot-password-form.tsx'
import { LoginForm } from './login-form.tsx'
import { ResetPasswordForm } from './reset-password-form.tsx'
import { SecondStepForm } from './second-step-form.tsx'
import { SignupForm } from './signup-form.tsx'

const session = { token: 'new', user: personAs('owner'), deviceToken: 'known-device' }
const soon = '2026-01-05T09:05:00.000Z'
const visitor = { as: 'visitor' as const }

async function showLogin() {
  const onSignedIn = vi.fn()
  const onSecondStep = vi.fn()
  function Login() {
    const [email, setEmail] = useState('')
    return (
      <LoginForm email={email} onEmailChange={setEmail} onSignedIn={onSignedIn} onSecondStep={onSecondStep} />
    )
  }
  const { user } = await show(<Login />, visitor)
  const submit = async (email: string, password: string) => {
    await user.type(screen.getByLabelText('Email Address'), email)
    await user.type(screen.getByLabelText('Password'), `${password}{Enter}`)
  }
  return { user, submit, onSignedIn, onSecondStep }
}

test('signing in stores the session and the token of this device', async () => {
  const server = serve({ login: session })
  const { submit, onSignedIn } = await showLogin()
  await submit('ada@example.com', 'engines weave algebra')
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
  expect(currentSession()).toMatchObject({ status: 'signed-in', user: { id: 'usr_ada' } })
  expect(localStorage.getItem('auth_token')).toBe('new')
  expect(server.callsOf('login')).toMatchObject([{ body: { deviceTokens: [] } }])
  expect(readDeviceTokens()).toEqual(['known-device'])
})

test("this device identifies itself, so that other people's attempts do not slow it down", async () => {
  const server = serve({ login: session })
  const { submit } = await showLogin()
  storeDeviceToken('earlier')
  await submit('ada@example.com', 'engines weave algebra')
  await waitFor(() =>
    expect(server.callsOf('login')).toMatchObject([{ body: { deviceTokens: ['earlier'] } }]),
  )
})

test('Enter says what is missing, since the button is disabled', async () => {
  const server = serve({})
  const { submit } = await showLogin()
  await submit('ada@example.com', '')
  expect(screen.getByRole('alert').textContent).toBe('Please fill in all fields')
  expect(server.calls).toEqual([])
})

test.each([
  [new Refusal('invalid_credentials', 'No such user'), 'Invalid email or password. Please try again.'],
  [new Refusal('rate_limited', 'Try again in 15 minutes'), 'Try again in 15 minutes'],
  [new Refusal('user_suspended', 'This user is suspended'), 'This user is suspended'],
  [new Refusal('internal', 'A stack trace'), 'Login failed. Please try again.'],
])('a refused sign-in is explained without naming what was wrong: $message', async (refusal, words) => {
  serve({ login: refusal })
  const { submit, onSignedIn } = await showLogin()
  await submit('ada@example.com', 'wrong')
  expect((await screen.findByRole('alert')).textContent).toBe(words)
  expect(onSignedIn).not.toHaveBeenCalled()
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('wrong')
})

test('a correct password that needs a second step leads to it and signs nobody in', async () => {
  const step = { token: 'step', methods: ['totp', 'recovery_code'], expiresAt: soon }
  serve({ login: new Refusal('second_factor_required', 'A code is needed', [step]) })
  const { submit, onSignedIn, onSecondStep } = await showLogin()
  await submit('ada@example.com', 'engines weave algebra')
  await waitFor(() => expect(onSecondStep).toHaveBeenCalledWith(step))
  expect(onSignedIn).not.toHaveBeenCalled()
  expect(localStorage.getItem('auth_token')).toBeNull()
})

test('the second step accepts a code or a recovery code', async () => {
  const server = serve({ finishLogin: new Refusal('invalid_credentials', 'The code is wrong') })
  const onSignedIn = vi.fn()
  const step = { token: 'step', methods: ['totp' as const, 'recovery_code' as const], expiresAt: soon }
  const { user } = await show(
    <SecondStepForm step={step} onSignedIn={onSignedIn} onBack={() => {}} />,
    visitor,
  )
  await user.type(screen.getByLabelText(/^Code/), '123 456{Enter}')
  expect((await screen.findByRole('alert')).textContent).toContain('The code is wrong')
  await user.click(screen.getByRole('button', { name: 'Use a recovery code' }))
  expect(screen.queryByRole('alert')).toBeNull()
  server.answer({ finishLogin: session })
  await user.type(screen.getByLabelText(/^Recovery Code/), 'abcd-efgh{Enter}')
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
  expect(server.callsOf('finishLogin').map(({ body }) => body)).toMatchObject([
    { token: 'step', code: '123 456' },
    { token: 'step', code: 'abcd-efgh' },
  ])
})

test('a person with only recovery codes is asked for one at once', async () => {
  serve({})
  const step = { token: 'step', methods: ['recovery_code' as const], expiresAt: soon }
  await show(<SecondStepForm step={step} onSignedIn={() => {}} onBack={() => {}} />, visitor)
  expect(screen.getByLabelText(/^Recovery Code/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /authenticator app/ })).toBeNull()
})

test('a forgotten password is answered the same way whether or not the address is known', async () => {
  const server = serve({ requestPasswordReset: undefined })
  const { user } = await show(<ForgotPasswordForm email="" />, visitor)
  await user.type(screen.getByLabelText('Email Address'), ' ada@example.com {Enter}')
  expect((await screen.findByRole('status')).textContent).toContain(
    'If there is an account for ada@example.com',
  )
  expect(server.callsOf('requestPasswordReset')).toHaveLength(1)
})

test('a failed request for a new password can be repeated', async () => {
  const server = serve({ requestPasswordReset: undefined })
  server.isReachable = false
  const { user } = await show(<ForgotPasswordForm email="" />, visitor)
  await user.type(screen.getByLabelText('Email Address'), 'ada@example.com{Enter}')
  expect(await screen.findByRole('alert')).toBeTruthy()
  server.isReachable = true
  await user.click(screen.getByRole('button', { name: 'Send Link' }))
  expect(await screen.findByRole('status')).toBeTruthy()
})

test('a new password is sent only if it is long enough and repeated correctly', async () => {
  const server = serve({ confirmPasswordReset: undefined })
  const onDone = vi.fn()
  const { user } = await show(<ResetPasswordForm token="link" onDone={onDone} />, visitor)
  const first = screen.getByLabelText('New Password')
  const second = screen.getByLabelText('Confirm New Password')
  await user.type(first, 'short')
  await user.type(second, 'short{Enter}')
  expect((await screen.findByRole('alert')).textContent).toContain('at least 8 characters')
  await user.type(first, ' but longer')
  await user.type(second, '{Enter}')
  expect((await screen.findByRole('alert')).textContent).toContain('Passwords do not match')
  expect(server.calls).toEqual([])
  await user.type(second, ' but longer{Enter}')
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  expect(server.callsOf('confirmPasswordReset')).toMatchObject([
    { body: { token: 'link', password: 'short but longer' } },
  ])
})

test('a link that is over leads to a new one', async () => {
  serve({ confirmPasswordReset: new Refusal('link_not_found', 'This link was used') })
  const { user } = await show(<ResetPasswordForm token="link" onDone={() => {}} />, visitor)
  await user.type(screen.getByLabelText('New Password'), 'long enough')
  await user.type(screen.getByLabelText('Confirm New Password'), 'long enough{Enter}')
  expect((await screen.findByRole('alert')).textContent).toContain('This link was used')
  expect(screen.getByRole('link', { name: 'Ask for a new link' }).getAttribute('href')).toBe(
    '/forgot-password',
  )
})

test('a refused password is explained at its field, which gets the focus', async () => {
  serve({})
  const refused = new Error('Invalid input', {
    cause: new ApiError(400, {
      code: 'validation_failed',
      message: 'Invalid input',
      details: [{ path: 'password', message: 'This password is too common' }],
    }),
  })
  const onSubmit = vi.fn(async () => Promise.reject(refused))
  const { user } = await show(<SignupForm label="Create Account" onSubmit={onSubmit} />, visitor)
  await user.type(screen.getByLabelText('First Name'), 'Ada')
  await user.type(screen.getByLabelText('Last Name'), 'Lovelace')
  await user.type(screen.getByLabelText('Email Address'), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), 'password1234')
  await user.type(screen.getByLabelText('Confirm Password'), 'password1235{Enter}')
  expect(screen.getByRole('alert').textContent).toBe('Passwords do not match')
  expect(onSubmit).not.toHaveBeenCalled()
  await user.type(screen.getByLabelText('Confirm Password'), '{Backspace}4')
  expect(screen.queryByRole('alert')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Create Account' }))
  expect(await screen.findByText('This password is too common')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  expect(screen.queryByRole('alert')).toBeNull()
})
