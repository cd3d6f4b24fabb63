// @vitest-environment jsdom
import type { AuditEvent } from '@loci/contract/audit'
import type { MembersResponse } from '@loci/contract/members'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { catchDownloads } from '../../../test/browser.ts'
import { button, wordsOf } from '../../../test/find.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { AuditPage } from './audit-page.tsx'

const event = (id: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
  id,
  at: new Date().toISOString(),
  action: 'key_created',
  category: 'keys',
  actor: {
    kind: 'session',
    userId: 'usr_ada',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    credential: null,
    client: null,
  },
  subject: { kind: 'key', id: 'key_1', name: 'robot' },
  details: { permissions: 'memory:read' },
  address: '203.0.113.0/24',
  ...more,
})

const people: MembersResponse = {
  members: [
    {
      userId: 'usr_grace',
      email: 'grace@example.com',
      firstName: 'Grace',
      lastName: 'Hopper',
      role: 'member',
      joinedAt: '2026-01-05T09:00:00.000Z',
    },
  ],
  invitations: [],
}
const log = (events: AuditEvent[], nextCursor: string | null = null) => ({ events, nextCursor, keptDays: 90 })

async function showPage(answers: Answers, at = '/audit') {
  const server = serve({ listMembers: people, ...answers })
  const shown = await show(<AuditPage />, { at, route: '/audit', as: personAs('admin') })
  return { ...shown, server }
}

test.each(['member', 'viewer'] as const)('a %s is told who sees it, and asks nothing', async (role) => {
  const server = serve({})
  await show(<AuditPage />, { at: '/audit', route: '/audit', as: personAs(role) })
  expect(screen.getByText('Only owners and admins of this account see its audit log.')).toBeTruthy()
  expect(server.calls).toEqual([])
})

test('events are sentences by day, with their details', async () => {
  const before = new Date(Date.now() - 86_400_000).toISOString()
  await showPage({ listAudit: log([event('aud_2'), event('aud_1', { at: before, action: 'key_deleted' })]) })
  const today = await screen.findByRole('region', { name: 'Today' })
  expect(wordsOf(within(today).getByRole('listitem'))).toContain(
    'Ada Lovelace created the API key robotread only · 203.0.113.0/24',
  )
  const yesterday = screen.getByRole('region', { name: 'Yesterday' })
  expect(within(yesterday).getByText(/deleted the API key/)).toBeTruthy()
  expect(screen.getByText('Events are kept for 90 days.')).toBeTruthy()
})

test('filters are kept in the address and sent to the server', async () => {
  const { user, server, address } = await showPage({ listAudit: log([event('aud_1')]) })
  await screen.findByText('robot')
  await user.selectOptions(screen.getByLabelText('What happened'), 'Members')
  await waitFor(() => expect(address()).toBe('/audit?category=members'))
  await user.selectOptions(await screen.findByLabelText('Who did it'), 'Grace Hopper')
  await user.selectOptions(screen.getByLabelText('When'), 'Last 7 days')
  await waitFor(() => expect(address()).toBe('/audit?userId=usr_grace&category=members&since=week'))
  await waitFor(() => expect(server.callsOf('listAudit')).toHaveLength(4))
  const { query } = server.callsOf('listAudit').at(-1)!
  expect(query).toMatchObject({ category: 'members', userId: 'usr_grace' })
  const week = 7 * 86_400_000
  expect(Math.abs(Date.now() - week - Date.parse(String(query.after)))).toBeLessThan(60_000)
})

test('an address with filters shows them, also those of a former member', async () => {
  await showPage({ listAudit: log([]) }, '/audit?userId=usr_gone&category=nonsense&since=day')
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLSelectElement>('Who did it').selectedOptions[0]?.text).toBe(
      'A former member',
    ),
  )
  expect(screen.getByLabelText<HTMLSelectElement>('What happened').value).toBe('')
  expect(screen.getByLabelText<HTMLSelectElement>('When').value).toBe('day')
})

test('a filter that nothing matches can be cleared', async () => {
  const { user, address } = await showPage(
    { listAudit: ({ query }) => log(query.category === undefined ? [event('aud_1')] : []) },
    '/audit?category=billing',
  )
  expect(await screen.findByText('No events match these filters')).toBeTruthy()
  await user.click(screen.getByRole('link', { name: 'Clear Filters' }))
  expect(await screen.findByText('robot')).toBeTruthy()
  expect(address()).toBe('/audit')
})

test('older events are added below; a failed page can be retried', async () => {
  const { user, server } = await showPage({ listAudit: log([event('aud_2')], 'older') })
  await screen.findByText('robot')
  server.answer({ listAudit: new Refusal('invalid_cursor', 'No') })
  await user.click(button('Show older events'))
  expect(await screen.findByText('Failed to load older events')).toBeTruthy()
  const older = event('aud_1', { subject: { kind: 'key', id: 'key_0', name: 'printer' } })
  server.answer({ listAudit: log([older]) })
  await user.click(button('Try again'))
  expect(await screen.findByText('printer')).toBeTruthy()
  expect(screen.getByText('robot')).toBeTruthy()
})

test('a failure to load the log can be retried', async () => {
  const { user, server } = await showPage({ listAudit: new Refusal('rate_limited', 'Too many calls') })
  expect((await screen.findByRole('alert')).textContent).toContain('Too many calls')
  expect(screen.queryByText('No events match these filters')).toBeNull()
  server.answer({ listAudit: log([event('aud_1')]) })
  await user.click(button('Try again'))
  expect(await screen.findByText('robot')).toBeTruthy()
})

test('the filtered log can be downloaded', async () => {
  const downloads = catchDownloads()
  const { user, server } = await showPage(
    { listAudit: log([event('aud_1')]), exportAudit: new Refusal('rate_limited', 'Once a minute') },
    '/audit?category=keys',
  )
  await user.click(await screen.findByRole('button', { name: 'Export as CSV' }))
  expect(await screen.findByText('Once a minute')).toBeTruthy()
  expect(downloads).toEqual([])
  server.answer({ exportAudit: 'at,action\n' })
  await user.click(button('Export as CSV'))
  await waitFor(() => expect(downloads).toMatchObject([{ name: 'audit.csv' }]))
  expect(await downloads[0]?.content.text()).toBe('at,action\n')
  expect(server.callsOf('exportAudit')[0]?.query).toEqual({ category: 'keys' })
})
