// @vitest-environment jsdom
import type { TurnHit } from '@loci/contract/turn-search'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { conversationOf, noCounts, turnOf } from '../../../test/conversations.ts'
import { dialogNamed } from '../../../test/find.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { uploadThroughFetch } from '../../../test/uploads.ts'
import { ConversationsPage } from './conversations-page.tsx'

const ledTo = [{ id: 'ent_toll', name: 'Toll calculator', type: 'product' }]
const tolls = conversationOf('Night tolls', { facts: 2, turns: 64, ledTo, ledToCount: 3, toDecide: 2 })
const portal = conversationOf('Portal', { agent: 'cursor', project: { name: 'portal' } })
const listed = { conversations: [tolls, portal], nextCursor: null }
const counts = {
  ...noCounts,
  ...{ conversations: 2, turns: 65, bytes: 3_000, facts: 2 },
  only: { facts: 1, to_decide: 1, failed: 0 },
  agents: [
    { agent: 'claude-code', conversations: 1, turns: 64, bytes: 1_500 },
    { agent: 'cursor', conversations: 1, turns: 1, bytes: 1_500 },
  ],
  projects: [{ name: 'portal', conversations: 1, turns: 1, bytes: 1_500 }],
}
const answers: Answers = { listConversations: listed, countConversations: counts }

const showPage = (at = '/conversations', as = personAs('owner')) =>
  show(<ConversationsPage />, { at, as, route: '/conversations' })

// The list renders what is near a window that has a height.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(54)
})

test('conversations are told with their project, what they led to and when they were', async () => {
  serve(answers)
  await showPage()
  const row = within((await screen.findByRole('link', { name: 'Night tolls' })).closest('[role=listitem]')!)
  expect(row.getByText('toll')).toBeTruthy()
  expect(row.getByText('Toll calculator')).toBeTruthy()
  expect(row.getByText('Led to 2 facts on', { exact: false })).toBeTruthy()
  expect(row.getByText('+2')).toBeTruthy()
  expect(row.getByText('to decide').parentElement?.textContent).toBe('2 to decide')
  expect(screen.getByText('Nothing kept yet')).toBeTruthy()
  expect(screen.getByText('2 conversations')).toBeTruthy()
  expect(screen.getByRole('status').textContent).toContain('led to 2 facts')
  expect(screen.getByText('2 conversations, 2 facts')).toBeTruthy()
})

test('a project, an agent and a time narrow the list, in the address', async () => {
  const server = serve(answers)
  const { user, address } = await showPage()
  const projects = within(await screen.findByRole('group', { name: 'Project' }))
  await user.click(await projects.findByRole('button', { name: /^portal/ }))
  await waitFor(() => expect(address()).toBe('/conversations?project=portal'))
  await user.click(screen.getByRole('button', { name: /cursor/ }))
  await waitFor(() => expect(address()).toBe('/conversations?project=portal&agent=cursor'))
  await waitFor(() =>
    expect(server.callsOf('listConversations').at(-1)?.query).toMatchObject({
      project: 'portal',
      agent: 'cursor',
    }),
  )
})

test('the list stands by project or agent, and shows only those with something, in the address', async () => {
  const server = serve(answers)
  const { user, address } = await showPage()
  await user.click(await screen.findByRole('radio', { name: 'By agent' }))
  await waitFor(() => expect(address()).toBe('/conversations?order=agent'))
  expect(await screen.findByRole('heading', { name: 'cursor' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /With something to decide/ }))
  await waitFor(() => expect(address()).toBe('/conversations?order=agent&only=to_decide'))
  expect(server.callsOf('listConversations').at(-1)?.query).toMatchObject({
    order: 'agent',
    only: 'to_decide',
  })
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('2 conversationsof 2'))
  await user.click(screen.getByRole('button', { name: /With something to decide/ }))
  await waitFor(() => expect(address()).toBe('/conversations?order=agent'))
})

test('J and K move from row to row, and Enter opens one', async () => {
  serve(answers)
  const { user, address } = await showPage()
  await screen.findByRole('link', { name: 'Night tolls' })
  await user.keyboard('j')
  expect(document.activeElement?.textContent).toBe('Night tolls')
  await user.keyboard('j')
  expect(document.activeElement?.textContent).toBe('Portal')
  await user.keyboard('jk')
  expect(document.activeElement?.textContent).toBe('Night tolls')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/conversations/cnv_night_tolls'))
})

test('/ leads to the search field, where letters are letters', async () => {
  const server = serve(answers)
  server.answer({ searchTurns: { turns: [], total: 0 } })
  const { user, address } = await showPage()
  await screen.findByRole('link', { name: 'Night tolls' })
  await user.keyboard('/jk{Enter}')
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('jk')
  await waitFor(() => expect(address()).toBe('/conversations?query=jk'))
})

test('a search shows two turns under each conversation, with their words marked and a link to each', async () => {
  const hit = (seq: number, text: string): TurnHit => ({
    ...turnOf(seq, text),
    conversation: tolls,
    score: 1,
    highlights: [[0, 5]],
    before: [],
    after: [],
  })
  const found = [hit(1, 'Redis is [redacted: jwt]'), hit(2, 'Redis goes'), hit(3, 'Redis stays')]
  const server = serve({ ...answers, searchTurns: { turns: found, total: 3 } })
  const { user, address } = await showPage('/conversations?query=redis&agent=codex')
  expect(await screen.findByText('3 turns in 1 conversation')).toBeTruthy()
  expect(server.callsOf('searchTurns')[0]?.query).toMatchObject({ query: 'redis', agent: 'codex' })
  expect(screen.getAllByText('Redis').map(({ tagName }) => tagName)).toEqual(['MARK', 'MARK'])
  expect(screen.getByText('redacted: jwt')).toBeTruthy()
  expect(screen.getByText('1 more turn')).toBeTruthy()
  await user.click(screen.getByRole('link', { name: /goes/ }))
  await waitFor(() => expect(address()).toBe('/conversations/cnv_night_tolls?around=trn_2'))
})

test('a memory without conversations says how to get some', async () => {
  serve({
    ...answers,
    listConversations: { conversations: [], nextCursor: null },
    countConversations: noCounts,
  })
  await showPage()
  expect(await screen.findByText('No conversations yet.')).toBeTruthy()
  expect(document.body.textContent).toContain('Run loci connect and choose the agents to follow.')
})

test('filters that leave nothing can be cleared', async () => {
  serve({
    ...answers,
    listConversations: ({ query }) => (query.agent ? { conversations: [], nextCursor: null } : listed),
  })
  const { user } = await showPage('/conversations?agent=codex')
  await user.click(await screen.findByRole('button', { name: 'Clear Filters' }))
  expect(await screen.findByRole('link', { name: 'Night tolls' })).toBeTruthy()
})

test('who may not read them is told so, and nothing is asked of the server', async () => {
  const server = serve({})
  await showPage('/conversations', personAs('viewer'))
  expect(screen.getByText('You can read this memory, but not its conversations.')).toBeTruthy()
  expect(server.calls).toEqual([])
})

test('a failure is told in its place and can be tried again', async () => {
  const server = serve({ ...answers, listConversations: new Refusal('validation_failed', 'No') })
  const { user } = await showPage()
  expect(await screen.findByText('Could not load the conversations.')).toBeTruthy()
  server.answer({ listConversations: listed })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'Night tolls' })).toBeTruthy()
})

test('older conversations load at the end of the list', async () => {
  const older = conversationOf('Older', { endedAt: '2025-01-01T00:00:00.000Z' })
  const server = serve({
    ...answers,
    listConversations: ({ query }) =>
      query.cursor === 'more'
        ? { conversations: [older], nextCursor: null }
        : { conversations: [tolls], nextCursor: 'more' },
  })
  await showPage()
  expect(await screen.findByRole('link', { name: 'Older' })).toBeTruthy()
  expect(server.callsOf('listConversations')).toHaveLength(2)
})

test('an export of another product is imported; what it did is told, and the list follows', async () => {
  uploadThroughFetch()
  const server = serve({
    ...answers,
    importConversations: { conversations: 1, stored: 340, known: 20, redacted: 3 },
  })
  const { user } = await showPage()
  await user.click(await screen.findByRole('button', { name: 'Import' }))
  const dialog = await dialogNamed('Import Conversations')
  const lists = server.callsOf('countConversations').length
  await user.upload(dialog.getByLabelText('Choose a file or drop it here'), new File(['PK'], 'export.zip'))
  expect(await dialog.findByText('1 conversation, 340 new turns')).toBeTruthy()
  expect(dialog.getByText('20 turns were there already.')).toBeTruthy()
  expect(dialog.getByText(/^3 secrets and private passages were removed/)).toBeTruthy()
  expect(server.callsOf('importConversations')[0]?.query).toEqual({ fileName: 'export.zip' })
  await waitFor(() => expect(server.callsOf('countConversations').length).toBeGreaterThan(lists))
  await user.click(dialog.getByRole('button', { name: 'Done' }))
})

test('a file that cannot be imported is said so, and can be sent again', async () => {
  uploadThroughFetch()
  const server = serve({
    ...answers,
    importConversations: new Refusal('validation_failed', 'This is no export of ChatGPT or Claude'),
  })
  const { user } = await showPage()
  await user.click(await screen.findByRole('button', { name: 'Import' }))
  const dialog = await dialogNamed('Import Conversations')
  await user.upload(dialog.getByLabelText('Choose a file or drop it here'), new File(['{}'], 'x.json'))
  expect(await dialog.findByText('This is no export of ChatGPT or Claude')).toBeTruthy()
  server.answer({ importConversations: { conversations: 0, stored: 0, known: 0, redacted: 0 } })
  await user.click(dialog.getByRole('button', { name: 'Try again' }))
  expect(await dialog.findByText('0 conversations, 0 new turns')).toBeTruthy()
})

test('who may only read conversations imports none', async () => {
  serve(answers)
  await showPage('/conversations', personAs('viewer'))
  expect(screen.queryByRole('button', { name: 'Import' })).toBeNull()
})
