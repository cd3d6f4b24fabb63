// @vitest-environment jsdom
import type { Session } from '@loci/contract/auth'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { button, itemWith, wordsOf } from '../../../test/find.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { EndOtherSessions, SessionList } from './session-list.tsx'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const session = (id: string, userAgent: string, more: Partial<Session> = {}): Session => ({
  id,
  userAgent,
  network: null,
  current: false,
  createdAt: minutesAgo(50),
  lastSeenAt: minutesAgo(4),
  expiresAt: minutesAgo(-50),
  ...more,
})

const here = session('ses_1', 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0', { current: true })
const phone = session('ses_2', 'Mozilla/5.0 (iPhone) Version/18.0 Safari/605.1', {
  network: '203.0.113.0/24',
})
const program = session('ses_3', 'curl/8.9')

const panel = (
  <>
    <EndOtherSessions />
    <SessionList />
  </>
)

test('sessions show device, time and network, and this one cannot be ended here', async () => {
  serve({ listSessions: { sessions: [here, phone, program] } })
  await show(panel)
  const own = await itemWith('Firefox on Windows')
  expect(own.getByText('This session')).toBeTruthy()
  expect(own.queryByRole('button')).toBeNull()
  const row = (await screen.findByText('Safari on iPhone')).closest('li')
  expect(wordsOf(row)).toContain('Last seen 4 min ago · since 50 min ago · from 203.0.113.0/24')
  expect((await itemWith('curl')).getByRole('button', { name: 'End session' })).toBeTruthy()
})

test('one session is ended, and leaves the list', async () => {
  const sessions = [here, phone]
  const server = serve({
    listSessions: () => ({ sessions }),
    deleteSession: () => void sessions.pop(),
  })
  const { user } = await show(panel)
  await user.click((await itemWith('Safari on iPhone')).getByRole('button', { name: 'End session' }))
  await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull())
  expect(server.callsOf('deleteSession')).toMatchObject([{ params: { id: 'ses_2' } }])
  expect(screen.queryByRole('button', { name: 'End all other sessions' })).toBeNull()
})

test('all others are ended at once, but not this one', async () => {
  const sessions = [here, phone, program]
  const server = serve({
    listSessions: () => ({ sessions }),
    deleteSessions: () => void sessions.splice(1),
  })
  const { user } = await show(panel)
  await user.click(await screen.findByRole('button', { name: 'End all other sessions' }))
  expect(await screen.findByText('All other sessions have ended')).toBeTruthy()
  expect(server.callsOf('deleteSessions')).toMatchObject([{ query: { others: 'true' } }])
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1))
})

test('sessions that could not be ended stay, with the reason', async () => {
  serve({
    listSessions: { sessions: [here, phone] },
    deleteSession: new Refusal('session_not_found', 'Session not found'),
    deleteSessions: new Refusal('rate_limited', 'Try again in a minute'),
  })
  const { user } = await show(panel)
  await user.click((await itemWith('Safari on iPhone')).getByRole('button', { name: 'End session' }))
  expect(await screen.findByText('Session not found')).toBeTruthy()
  await user.click(button('End all other sessions'))
  expect(await screen.findByText('Try again in a minute')).toBeTruthy()
  expect(screen.getByText('Safari on iPhone')).toBeTruthy()
})

test('a failure to load sessions can be retried', async () => {
  const server = serve({ listSessions: new Refusal('forbidden', 'Not from here') })
  const { user } = await show(panel)
  expect((await screen.findByRole('alert')).textContent).toContain('Not from here')
  server.answer({ listSessions: { sessions: [here] } })
  await user.click(button('Try again'))
  expect(await screen.findByText('Firefox on Windows')).toBeTruthy()
})
