// @vitest-environment jsdom
import type { Passkey, SecondFactors } from '@loci/contract/second-factors'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { catchDownloads, catchRedirects } from '../../../test/browser.ts'
import { button, dialogNamed, itemWith, wordsOf } from '../../../test/find.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { currentSession } from '../../lib/session.ts'
import { SecondFactorsPanel } from './second-factors-panel.tsx'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const none: SecondFactors = { totp: null, passkeys: [], recoveryCodes: 0 }
const laptop: Passkey = {
  id: 'pky_1',
  name: 'Laptop',
  synced: true,
  createdAt: minutesAgo(40),
  lastUsedAt: minutesAgo(5),
}
const withTotp: SecondFactors = { totp: { since: minutesAgo(10) }, passkeys: [], recoveryCodes: 9 }
const codes = ['abcd-efgh', 'ijkl-mnop']
const made = { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Loci:ada', setup: 'setup_1' }

/** A panel whose factors are those of the server at the time, in a browser with passkeys. */
async function showPanel(factors: SecondFactors, answers: Answers = {}) {
  catchRedirects()
  vi.stubGlobal('PublicKeyCredential', class {})
  const state = { factors }
  const server = serve({
    secondFactors: () => state.factors,
    me: () => personAs('owner', { secondFactor: state.factors.totp !== null }),
    ...answers,
  })
  const { user } = await show(<SecondFactorsPanel />)
  await screen.findByText('Authenticator app')
  return { user, server, state }
}

test('without a second factor, both kinds are offered and there are no recovery codes', async () => {
  await showPanel(none)
  expect(button('Set Up')).toBeTruthy()
  expect(button('Add a Passkey').disabled).toBe(false)
  expect(screen.queryByText('Recovery codes')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Turn Off' })).toBeNull()
})

test('factors are listed with their use, and few recovery codes are a warning', async () => {
  await showPanel({ ...withTotp, passkeys: [laptop], recoveryCodes: 3 })
  expect(wordsOf(screen.getByText('Authenticator app').closest('li'))).toContain('On since 10 min ago')
  expect(wordsOf(screen.getByText('Laptop').closest('li'))).toContain(
    'SyncedAdded 40 min ago · last used 5 min ago',
  )
  const recovery = await itemWith('Recovery codes')
  expect(recovery.getByText('3 of 10 left')).toBeTruthy()
  expect(recovery.getByText('Few left')).toBeTruthy()
})

test('an authenticator app is set up with the password and a code, and shows recovery codes once', async () => {
  const { user, server, state } = await showPanel(none, {
    beginTotp: made,
    confirmTotp: new Refusal('invalid_credentials', 'The code is wrong'),
  })
  await user.click(button('Set Up'))
  const dialog = await dialogNamed('Set up an authenticator app')
  expect(dialog.queryByLabelText('Code')).toBeNull()
  await user.type(dialog.getByLabelText('Your password'), 'engines{Enter}')
  expect(await dialog.findByText('JBSW Y3DP EHPK 3PXP')).toBeTruthy()
  expect(server.callsOf('beginTotp').map(({ body }) => body)).toEqual([{ password: 'engines' }])
  await user.type(dialog.getByLabelText('Code'), '123456')
  await user.click(dialog.getByRole('button', { name: 'Turn On' }))
  expect(await dialog.findByText('The code is wrong')).toBeTruthy()
  expect(dialog.getByLabelText<HTMLInputElement>('Code').value).toBe('123456')
  server.answer({
    confirmTotp: () => {
      state.factors = withTotp
      return { recoveryCodes: codes }
    },
  })
  await user.click(dialog.getByRole('button', { name: 'Turn On' }))
  expect(await dialog.findByText('abcd-efgh')).toBeTruthy()
  expect(server.callsOf('confirmTotp').at(-1)?.body).toEqual({ setup: 'setup_1', code: '123456' })
  await waitFor(() => expect(currentSession()).toMatchObject({ user: { secondFactor: true } }))
  await user.click(dialog.getByRole('button', { name: 'I Saved Them' }))
  await waitFor(() => expect(screen.queryByText('abcd-efgh')).toBeNull())
  expect(button('Turn Off')).toBeTruthy()
})

test('recovery codes can be copied and saved as a file', async () => {
  const downloads = catchDownloads()
  const { user } = await showPanel(withTotp, { rollRecoveryCodes: { recoveryCodes: codes } })
  await user.click(button('Make New Ones'))
  const dialog = await dialogNamed('New recovery codes')
  await user.type(dialog.getByLabelText('Your password'), 'engines')
  await user.type(dialog.getByLabelText('Code'), '123456')
  await user.click(dialog.getByRole('button', { name: 'Make New Codes' }))
  await user.click(await dialog.findByRole('button', { name: 'Copy All' }))
  expect(await navigator.clipboard.readText()).toBe('abcd-efgh\nijkl-mnop\n')
  await user.click(dialog.getByRole('button', { name: 'Download' }))
  expect(downloads).toMatchObject([{ name: 'loci-recovery-codes.txt' }])
  expect(await downloads[0]?.content.text()).toBe('abcd-efgh\nijkl-mnop\n')
})

test('with a second factor, the password alone is not enough', async () => {
  const { user, server, state } = await showPanel(withTotp, {
    deleteTotp: new Refusal('validation_failed', 'Invalid input', [
      { path: 'password', message: 'The password is wrong' },
    ]),
  })
  await user.click(button('Turn Off'))
  const dialog = await dialogNamed('Turn off the authenticator app')
  const submit = dialog.getByRole<HTMLButtonElement>('button', { name: 'Turn Off' })
  await user.type(dialog.getByLabelText('Your password'), 'wrong{Enter}')
  expect(submit.disabled).toBe(true)
  expect(server.callsOf('deleteTotp')).toEqual([])
  await user.type(dialog.getByLabelText('Code'), '123456')
  await user.click(submit)
  expect(await dialog.findByText('The password is wrong')).toBeTruthy()
  expect(dialog.queryByRole('alert')).toBeNull()
  server.answer({ deleteTotp: new Refusal('rate_limited', 'Try again in 15 minutes') })
  await user.click(submit)
  expect((await dialog.findByRole('alert')).textContent).toBe('Try again in 15 minutes')
  server.answer({
    deleteTotp: () => {
      state.factors = none
    },
  })
  await user.click(submit)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByRole('button', { name: 'Set Up' })).toBeTruthy()
  expect(server.callsOf('deleteTotp').at(-1)?.body).toEqual({ password: 'wrong', code: '123456' })
})

test('a passkey is renamed without a confirmation; a refused name stays typed', async () => {
  const { user, server, state } = await showPanel(
    { ...none, passkeys: [laptop] },
    { renamePasskey: new Refusal('passkey_not_found', 'Passkey not found') },
  )
  await user.click(button('Rename Laptop'))
  const dialog = await dialogNamed('Rename passkey')
  const name = dialog.getByLabelText<HTMLInputElement>('Name')
  await user.clear(name)
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Rename' }).disabled).toBe(true)
  await user.type(name, ' Work laptop {Enter}')
  expect(await dialog.findByText('Passkey not found')).toBeTruthy()
  expect(name.value).toBe(' Work laptop ')
  const passkey = { ...laptop, name: 'Work laptop' }
  server.answer({
    renamePasskey: () => {
      state.factors = { ...none, passkeys: [passkey] }
      return { passkey }
    },
  })
  await user.click(dialog.getByRole('button', { name: 'Rename' }))
  expect(await screen.findByText('Work laptop')).toBeTruthy()
  expect(server.callsOf('renamePasskey').at(-1)).toMatchObject({
    params: { id: 'pky_1' },
    body: { name: 'Work laptop' },
  })
})

test('a passkey is removed with a confirmation, for which a recovery code will do', async () => {
  const { user, server, state } = await showPanel(
    { ...none, passkeys: [laptop], recoveryCodes: 10 },
    {
      deletePasskey: () => {
        state.factors = none
      },
    },
  )
  await user.click(button('Remove Laptop'))
  const dialog = await dialogNamed('Remove Laptop')
  expect(dialog.getByText('One of your recovery codes.')).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Use a Passkey' })).toBeTruthy()
  await user.type(dialog.getByLabelText('Your password'), 'engines')
  await user.type(dialog.getByLabelText('Code'), 'abcd-efgh')
  await user.click(dialog.getByRole('button', { name: 'Remove Passkey' }))
  await waitFor(() => expect(screen.queryByText('Laptop')).toBeNull())
  expect(server.callsOf('deletePasskey')).toMatchObject([
    { params: { id: 'pky_1' }, body: { password: 'engines', code: 'abcd-efgh' } },
  ])
})

test('a passkey needs a name before anything is confirmed', async () => {
  const { user, server } = await showPanel(none, {
    beginPasskey: new Refusal('passkey_limit_reached', 'You have 25 passkeys already'),
  })
  await user.click(button('Add a Passkey'))
  const dialog = await dialogNamed('Add a passkey')
  await user.type(dialog.getByLabelText('Your password'), 'engines')
  const submit = dialog.getByRole<HTMLButtonElement>('button', { name: 'Add Passkey' })
  expect(submit.disabled).toBe(true)
  await user.type(dialog.getByLabelText('Name'), 'Laptop')
  await user.click(submit)
  expect((await dialog.findByRole('alert')).textContent).toBe('You have 25 passkeys already')
  expect(server.callsOf('beginPasskey').map(({ body }) => body)).toEqual([{ password: 'engines' }])
  expect(server.callsOf('addPasskey')).toEqual([])
})

test('a server addressed by IP says where passkeys work instead', async () => {
  catchRedirects('http://127.0.0.1:7400/settings')
  serve({ secondFactors: none })
  await show(<SecondFactorsPanel />)
  const passkeys = await itemWith('Passkeys')
  expect(passkeys.getByText(/open http:\/\/localhost:7400/)).toBeTruthy()
  expect(passkeys.getByRole<HTMLButtonElement>('button').disabled).toBe(true)
})

test('a failure to load factors can be retried', async () => {
  const server = serve({ secondFactors: new Refusal('forbidden', 'No') })
  const { user } = await show(<SecondFactorsPanel />)
  const alert = within(await screen.findByRole('alert'))
  expect(alert.getByText('Failed to load how you sign in')).toBeTruthy()
  server.answer({ secondFactors: none })
  await user.click(alert.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Authenticator app')).toBeTruthy()
})
