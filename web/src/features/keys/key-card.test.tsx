// @vitest-environment jsdom
import type { ApiKey } from '@loci/contract/keys'
import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { button, wordsOf } from '../../../test/find.ts'
import { keyNamed } from '../../../test/keys.ts'
import { show } from '../../../test/screen.tsx'
import { serve } from '../../../test/server-double.ts'
import { spaceNamed } from '../../../test/spaces.ts'
import { KeyCard } from './key-card.tsx'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

async function showCard(more: Partial<ApiKey> = {}, secret?: string) {
  serve({ listSpaces: { spaces: [spaceNamed('default', 'spc_1'), spaceNamed('Work', 'spc_2')] } })
  const onRoll = vi.fn()
  const onDelete = vi.fn()
  const shown = await show(
    <KeyCard apiKey={keyNamed('Laptop', more)} secret={secret} onRoll={onRoll} onDelete={onDelete} />,
  )
  return { ...shown, onRoll, onDelete, card: await screen.findByRole('article') }
}

test('an unused key says so, and an old one can only be recognised', async () => {
  const { card } = await showCard()
  expect(wordsOf(card)).toContain('Last usedNever')
  expect(wordsOf(card)).toContain('ExpiresNever expires')
  expect(wordsOf(card)).toContain('PermissionsRead and write')
  expect(within(card).getByText('loci_A…9fK2')).toBeTruthy()
  expect(within(card).queryByRole('button', { name: 'Copy key' })).toBeNull()
})

test('use, rights and spaces are described in words', async () => {
  const { card } = await showCard({
    permissions: ['memory:read'],
    spaces: ['spc_2'],
    lastUsedAt: minutesAgo(3),
    lastOperation: { type: 'query', resource: 'entity' },
    createdAt: minutesAgo(30),
    usage: { totalRequests: 1_234, activeDays: 2 },
  })
  expect(await within(card).findByText('Work')).toBeTruthy()
  for (const words of [
    'Total requests1,234',
    'Last used3 min agoRead entities',
    'PermissionsRead only',
    'Created30 min ago by Ada Lovelace',
  ])
    expect(wordsOf(card)).toContain(words)
})

test.each([
  [{ isExpired: true, isExpiringSoon: false }, 'Expired'],
  [{ isExpired: false, isExpiringSoon: true }, 'Expires Soon'],
])('%j is a badge: %s', async (state, badge) => {
  const { card } = await showCard(state)
  expect(within(card).getByText(badge)).toBeTruthy()
})

test('a key created in this session is hidden until it is revealed, and copied in full', async () => {
  const secret = 'loci_ZyXwVuTsRqPoNmLk0001'
  const { user, card } = await showCard({}, secret)
  expect(within(card).getByText('loci_Z…0001')).toBeTruthy()
  expect(within(card).queryByText(secret)).toBeNull()
  await user.click(button('Copy key'))
  expect(await navigator.clipboard.readText()).toBe(secret)
  await user.click(button('Reveal key'))
  expect(within(card).getByText(secret)).toBeTruthy()
})

test('a key links to its history, and its buttons open their own questions', async () => {
  const { user, onRoll, onDelete, address } = await showCard()
  await user.click(button('Roll'))
  expect(onRoll).toHaveBeenCalledOnce()
  await user.click(button('Delete'))
  expect(onDelete).toHaveBeenCalledOnce()
  await user.click(screen.getByRole('link', { name: 'History' }))
  expect(address()).toBe('/history?actorId=key_laptop')
})
