// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { dialogNamed } from '../../../test/find.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { serve } from '../../../test/server-double.ts'
import { spaceNamed } from '../../../test/spaces.ts'
import { KeepConversations } from './keep-conversations.tsx'

const kept = (conversationDays: number | null) => spaceNamed('default', 'spc_1', { conversationDays })

test('a longer time is set at once; a shorter one deletes what is there, and asks', async () => {
  const server = serve({
    listSpaces: { spaces: [kept(100)] },
    updateSpace: ({ body }) => ({ space: kept((body as { conversationDays: number }).conversationDays) }),
  })
  const { user } = await show(<KeepConversations serverDays={400} />)
  const select = await screen.findByLabelText<HTMLSelectElement>('Delete conversations')
  expect(select.selectedOptions[0]?.textContent).toBe('After 100 days')
  expect(screen.getByText(/This server deletes them after 400 days in any case/)).toBeTruthy()
  await user.selectOptions(select, 'After 365 days')
  expect(await screen.findByText('Conversations are deleted after 365 days without a new turn.')).toBeTruthy()
  await user.selectOptions(select, 'After 30 days')
  const dialog = await dialogNamed('Delete conversations after 30 days?')
  expect(server.callsOf('updateSpace')).toHaveLength(1)
  await user.click(dialog.getByRole('button', { name: 'Delete Them' }))
  await screen.findByText('Conversations are deleted after 30 days without a new turn.')
  await user.selectOptions(select, 'Never')
  await screen.findByText('Conversations are kept until somebody deletes them.')
  expect(server.callsOf('updateSpace').map(({ body }) => body)).toEqual([
    { conversationDays: 365 },
    { conversationDays: 30 },
    { conversationDays: null },
  ])
})

test('others are told how long they are kept', async () => {
  serve({ listSpaces: { spaces: [kept(30)] } })
  await show(<KeepConversations serverDays={null} />, { as: personAs('member') })
  expect(await screen.findByText('Conversations are deleted after 30 days without a new turn.')).toBeTruthy()
  expect(screen.queryByLabelText('Delete conversations')).toBeNull()
})
