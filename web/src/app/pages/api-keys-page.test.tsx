// @vitest-environment jsdom
import type { ApiKey } from '@loci/contract/keys'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { button, dialogNamed } from '../../../test/find.ts'
import { keyNamed } from '../../../test/keys.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { spaceNamed } from '../../../test/spaces.ts'
import { ApiKeysPage } from './api-keys-page.tsx'

const space = spaceNamed('Home', 'spc_1')
const laptop = keyNamed('Laptop')

test('a new key is shown in full once, and never in the list', async () => {
  const keys: ApiKey[] = []
  const server = serve({
    listSpaces: { spaces: [space] },
    listKeys: () => ({ apiKeys: keys }),
    createKey: () => {
      keys.push(laptop)
      return { id: laptop.id, apiKey: 'loci_AbCdEfGhIjKlMnOp9fK2' }
    },
  })
  const { user } = await show(<ApiKeysPage />)
  await user.click(await screen.findByRole('button', { name: 'Create Your First API Key' }))
  const dialog = await screen.findByRole('dialog', { name: 'Create API Key' })
  await user.type(within(dialog).getByLabelText('Name'), '  Laptop ')
  await user.click(within(dialog).getByRole('button', { name: 'Create API Key' }))
  await screen.findByText("Save this key now - you won't be able to see it again!")
  expect(server.callsOf('createKey').map(({ body }) => body)).toEqual([
    { name: 'Laptop', permissions: [], expiresAt: null },
  ])
  const card = await screen.findByRole('article')
  expect(within(card).getByText('loci_A…9fK2')).toBeTruthy()
  expect(within(card).queryByText('loci_AbCdEfGhIjKlMnOp9fK2')).toBeNull()
  await user.click(within(card).getByRole('button', { name: 'Reveal key' }))
  expect(within(card).getByText('loci_AbCdEfGhIjKlMnOp9fK2')).toBeTruthy()
})

test('a new key comes with the text to paste, for the memory that it reaches', async () => {
  const work = spaceNamed('Work', 'spc_2')
  const keys: ApiKey[] = []
  serve({
    listSpaces: { spaces: [space, work] },
    listKeys: () => ({ apiKeys: keys }),
    createKey: () => {
      keys.push({ ...laptop, spaces: ['spc_2'] })
      return { id: laptop.id, apiKey: 'loci_AbCdEfGhIjKlMnOp9fK2' }
    },
  })
  const { user } = await show(<ApiKeysPage />)
  await user.click(await screen.findByRole('button', { name: 'Create Your First API Key' }))
  const dialog = await dialogNamed('Create API Key')
  await user.type(dialog.getByLabelText('Name'), 'Laptop')
  await user.click(dialog.getByRole('button', { name: 'Create API Key' }))
  const use = within(await screen.findByRole('region', { name: 'Use this key' }))
  const text = () => use.getByText(/Bearer/).closest('pre')?.textContent
  expect(text()).toContain('loci-work http://localhost:3000/mcp/spaces/spc_2')
  expect(text()).toContain('Bearer loci_AbCdEfGhIjKlMnOp9fK2')
  await user.click(use.getByRole('radio', { name: 'Gemini CLI' }))
  expect(text()).toContain('gemini mcp add')
  await user.click(button('Dismiss'))
  expect(screen.queryByRole('region', { name: 'Use this key' })).toBeNull()
})

test('the personal key stands beside the others', async () => {
  serve({ listSpaces: { spaces: [space] }, listKeys: { apiKeys: [] } })
  await show(<ApiKeysPage />, { as: personAs('owner', { apiKey: 'loci_QwErTyUiOpAsDfGh7x2Z' }) })
  const personal = within(screen.getByRole('region', { name: 'Personal API key' }))
  expect(personal.getByText('loci_Q…7x2Z')).toBeTruthy()
  expect(personal.getByRole('link', { name: 'Connect an agent with it' }).getAttribute('href')).toBe(
    '/settings#connect',
  )
})

test('a key that cannot be deleted stays, with the reason', async () => {
  const server = serve({
    listSpaces: { spaces: [space] },
    listKeys: { apiKeys: [laptop] },
    deleteKey: new Refusal('key_not_found', 'API key not found'),
  })
  const { user } = await show(<ApiKeysPage />)
  await user.click(within(await screen.findByRole('article')).getByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete API Key' })
  expect(server.callsOf('deleteKey')).toEqual([])
  await user.click(within(dialog).getByRole('button', { name: 'Delete Key' }))
  expect(await screen.findByText('API key not found')).toBeTruthy()
  expect(screen.getByRole('article')).toBeTruthy()
})

test('viewers are told that they have no keys, without a request', async () => {
  const server = serve({})
  await show(<ApiKeysPage />, { as: personAs('viewer') })
  expect(await screen.findByText('Viewers of this account have no keys of their own.')).toBeTruthy()
  expect(server.calls).toEqual([])
})

test('a deleted key leaves the list, after a question that lists the consequences', async () => {
  const keys = [laptop]
  const server = serve({
    listSpaces: { spaces: [space] },
    listKeys: () => ({ apiKeys: keys }),
    deleteKey: () => void keys.pop(),
  })
  const { user } = await show(<ApiKeysPage />)
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  const question = await dialogNamed('Delete API Key')
  expect(question.getByText('The key stops working at once.')).toBeTruthy()
  await user.click(question.getByRole('button', { name: 'Delete Key' }))
  expect(await screen.findByText('No API keys yet')).toBeTruthy()
  expect(server.callsOf('deleteKey')).toMatchObject([{ params: { id: 'key_laptop' } }])
})

test('a rolled key is shown in full once; the banner can be dismissed', async () => {
  const server = serve({
    listSpaces: { spaces: [space] },
    listKeys: { apiKeys: [laptop] },
    rollKey: new Refusal('key_rolled', 'This key was rolled already'),
  })
  const { user } = await show(<ApiKeysPage />)
  const roll = async () => {
    await user.click(within(await screen.findByRole('article')).getByRole('button', { name: 'Roll' }))
    const question = await dialogNamed('Roll API Key')
    expect(question.getByText(/The old key stays active for 2 weeks/)).toBeTruthy()
    await user.click(question.getByRole('button', { name: 'Roll Key' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await roll()
  expect((await screen.findByRole('alert')).textContent).toBe('This key was rolled already')
  server.answer({ rollKey: { newKey: { id: 'key_2', apiKey: 'loci_ZyXwVuTsRqPoNmLk0001' } } })
  await roll()
  expect(await screen.findByText('loci_ZyXwVuTsRqPoNmLk0001')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  await user.click(button('Dismiss'))
  expect(screen.queryByText('loci_ZyXwVuTsRqPoNmLk0001')).toBeNull()
})

test('a failure to load keys can be retried, and does not look like an empty list', async () => {
  const server = serve({ listKeys: new Refusal('rate_limited', 'Too many calls') })
  const { user } = await show(<ApiKeysPage />)
  expect((await screen.findByRole('alert')).textContent).toContain('Too many calls')
  expect(screen.queryByText('No API keys yet')).toBeNull()
  server.answer({ listKeys: { apiKeys: [] } })
  await user.click(button('Try again'))
  expect(await screen.findByText('No API keys yet')).toBeTruthy()
})
