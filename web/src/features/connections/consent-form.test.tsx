// @vitest-environment jsdom
import type { ConnectionRequest } from '@loci/contract/connections'
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../../../test/screen.tsx'
import { ConsentForm } from './consent-form.tsx'

const home = { id: 'spc_1', name: 'Home' }
const work = { id: 'spc_2', name: 'Work' }

const asked: ConnectionRequest = {
  client: { name: 'Claude', host: 'claude.ai', isVerified: true },
  redirectUri: 'https://claude.ai/api/callback',
  scopes: ['memory:read', 'memory:write'],
  spaces: [home],
  expiresAt: '2026-01-05T09:10:00.000Z',
}

async function showForm(more: Partial<ConnectionRequest> = {}) {
  const onAllow = vi.fn()
  const onRefuse = vi.fn()
  const { user } = await show(
    <ConsentForm
      request={{ ...asked, ...more }}
      email="ada@example.com"
      pending={false}
      onAllow={onAllow}
      onRefuse={onRefuse}
    />,
  )
  return { user, onAllow, onRefuse }
}

test('names the app, where it returns to, and who would allow it', async () => {
  await showForm()
  for (const text of ['Claude', 'claude.ai', 'ada@example.com', 'Home'])
    expect(screen.getByText(text), text).toBeTruthy()
  expect(screen.queryByText(/has not verified/)).toBeNull()
})

test('an app that asks for everything can be granted reading only', async () => {
  const { user, onAllow } = await showForm()
  await user.click(screen.getByRole('radio', { name: 'Only read this memory' }))
  await user.click(screen.getByRole('button', { name: 'Allow' }))
  expect(onAllow).toHaveBeenCalledExactlyOnceWith({ scopes: ['memory:read'], space: 'spc_1' })
})

test('an app gets what it asked for, in the chosen space', async () => {
  const { user, onAllow } = await showForm({ spaces: [home, work] })
  await user.selectOptions(screen.getByLabelText('Space'), 'Work')
  await user.click(screen.getByRole('button', { name: 'Allow' }))
  expect(onAllow).toHaveBeenCalledExactlyOnceWith({ scopes: ['memory:read', 'memory:write'], space: 'spc_2' })
})

test('an app that asks only for reading offers no choice of more', async () => {
  const { user, onAllow } = await showForm({ scopes: ['memory:read'] })
  expect(screen.queryByRole('radio')).toBeNull()
  expect(screen.getByText('The app may read this memory.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Allow' }))
  expect(onAllow).toHaveBeenCalledExactlyOnceWith({ scopes: ['memory:read'], space: 'spc_1' })
})

test('warns of an app whose name anybody could have chosen', async () => {
  await showForm({
    client: { name: 'Claude', host: 'claude.evil.example', isVerified: false },
    redirectUri: 'https://claude.evil.example/callback',
  })
  expect(screen.getByRole('alert').textContent).toContain('has not verified the name of this app')
  expect(screen.getByText('claude.evil.example')).toBeTruthy()
})

test('Cancel grants nothing, and without a space nothing can be granted', async () => {
  const { user, onAllow, onRefuse } = await showForm({ spaces: [] })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Allow' }).disabled).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(onRefuse).toHaveBeenCalledOnce()
  expect(onAllow).not.toHaveBeenCalled()
})
