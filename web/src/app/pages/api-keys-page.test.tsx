// @vitest-environment jsdom
import type { ApiKey } from '@loci/contract/keys'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { ApiKeysPage } from './api-keys-page.tsx'

const space = {
  id: 'spc_1',
  name: 'Home',
  entities: 0,
  relations: 0,
  observations: 0,
  createdAt: '2026-01-05T09:00:00.000Z',
}

const laptop: ApiKey = {
  id: 'key_1',
  name: 'Laptop',
  keyPreview: 'loci_A…9fK2',
  permissions: [],
  spaces: null,
  expiresAt: null,
  isExpired: false,
  isExpiringSoon: false,
  lastUsedAt: null,
  lastOperation: null,
  createdAt: '2026-01-05T09:00:00.000Z',
  createdBy: { name: 'Ada Lovelace' },
  usage: { totalRequests: 1_234, activeDays: 3 },
}

test('a new key is shown once, whole, and never in the list', async () => {
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

test('viewers are told that they have no keys, and the server is not asked', async () => {
  const server = serve({})
  await show(<ApiKeysPage />, { as: personAs('viewer') })
  expect(await screen.findByText('Viewers of this account have no keys of their own.')).toBeTruthy()
  expect(server.calls).toEqual([])
})
