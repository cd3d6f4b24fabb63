// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { noCounts } from '../../../test/conversations.ts'
import { wordsOf } from '../../../test/find.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { StoragePanel } from './storage-panel.tsx'

const numbers = { conversations: 3, turns: 1_200, bytes: 61_200_000 }

test('says how much room conversations take, and leads to those of an agent and a project', async () => {
  serve({
    countConversations: {
      ...noCounts,
      ...numbers,
      agents: [{ agent: 'codex', ...numbers }],
      projects: [{ name: 'toll', ...numbers }],
    },
  })
  const { user, address } = await show(<StoragePanel />)
  const text = (await screen.findByText('61.2 MB', { selector: 'b' })).closest('p')
  expect(wordsOf(text)).toContain('61.2 MB in 3 conversations with 1,200 turns.')
  await user.click(screen.getByRole('link', { name: 'toll' }))
  await waitFor(() => expect(address()).toBe('/conversations?project=toll'))
  await user.click(screen.getByRole('link', { name: 'codex' }))
  await waitFor(() => expect(address()).toBe('/conversations?agent=codex'))
})

test('a failure is told and can be tried again', async () => {
  const server = serve({ countConversations: new Refusal('validation_failed', 'No') })
  const { user } = await show(<StoragePanel />)
  await screen.findByText('Could not load the numbers of conversations.')
  server.answer({ countConversations: noCounts })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('0 bytes', { exact: false })).toBeTruthy()
  expect(screen.queryByRole('table')).toBeNull()
})
