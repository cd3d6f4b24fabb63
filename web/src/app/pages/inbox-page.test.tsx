// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { conversationOf, pageOf, turnOf } from '../../../test/conversations.ts'
import { draftOf, draftsPage } from '../../../test/drafts.ts'
import { personAs } from '../../../test/people.ts'
import { proposalOf, proposalsPage, proposedFact } from '../../../test/proposals.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve, WithHeaders } from '../../../test/server-double.ts'
import { runDeferred } from '../../lib/deferred.ts'
import { setScope } from '../../lib/scope.ts'
import { InboxPage } from './inbox-page.tsx'

const first = proposalOf('prp_1', [proposedFact('obs_1', 'Rounds once')], {
  rivals: [
    { id: 'obs_9', content: 'Rounds always', entity: { id: 'ent_toll', name: 'Toll', type: 'project' } },
  ],
})
const second = proposalOf('prp_2', [proposedFact('obs_2', 'Is in Rust')])
const third = proposalOf('prp_3', [proposedFact('obs_3', 'Has an owner')], {
  by: { kind: 'api_key', id: 'key_2', name: 'Desk', client: 'cursor' },
})
const all = [first, second, third]
const accepted = { proposal: { ...first, status: 'accepted' as const, setId: 'set_7' }, setId: 'set_7' }

/** A server whose proposals go once they are decided. */
function serveInbox(more: Answers = {}) {
  const decided = new Set<string>()
  const server = serve({
    listDrafts: draftsPage([]),
    listProposals: ({ query }) =>
      query.status === undefined || query.status === 'open'
        ? proposalsPage(all.filter(({ id }) => !decided.has(id)))
        : proposalsPage([]),
    acceptProposal: ({ params }) => {
      decided.add(params.id!)
      return accepted
    },
    decideProposals: ({ body }) => {
      const { accept = [], reject = [] } = body as { accept?: string[]; reject?: string[] }
      for (const id of [...accept, ...reject]) decided.add(id)
      return { accepted: accept.map((id) => ({ id, setId: `set_${id}` })), rejected: reject, failed: [] }
    },
    ...more,
  })
  return server
}

const said = draftOf('drf_1', 'We decided to round once.')
const unclear = draftOf('drf_2', 'It is decided for every toll.')

/** A server with a proposal and drafts of the same conversation, which go once they are decided. */
function serveDrafts(more: Answers = {}) {
  const gone = new Set<string>()
  const source = { conversationId: 'cnv_1', turnId: 'trn_1' }
  const go = (id: string, status: 'accepted' | 'rejected') => {
    gone.add(id)
    return { ...said, id, status }
  }
  return serveInbox({
    listProposals: proposalsPage([{ ...first, source }]),
    listDrafts: () => {
      const left = [said, unclear].filter(({ id }) => !gone.has(id))
      return draftsPage(left, { thisWeek: left.length })
    },
    keepDraft: ({ params }) =>
      new WithHeaders(
        { 'loci-change-set': 'set_9' },
        { draft: go(params.id!, 'accepted'), entityId: 'ent_toll', observationId: 'obs_7' },
      ),
    dropDraft: ({ params }) => ({ draft: go(params.id!, 'rejected') }),
    readConversation: pageOf(conversationOf('Night tolls'), [turnOf(1, 'Good. We decided to round once.')]),
    ...more,
  })
}

const showInbox = (at = '/inbox', as = personAs('owner')) => show(<InboxPage />, { at, as, route: '/inbox' })
const row = (text: string) => within(screen.getByText(text).closest('li')!)
const focused = () => document.querySelector('[data-focus]')?.textContent ?? ''

afterEach(() => {
  vi.useRealTimers()
  runDeferred()
  setScope({})
})

test('proposals stand under the agent that they are from, the first with its choices', async () => {
  serveInbox()
  await showInbox()
  expect(await screen.findByText('Rounds once')).toBeTruthy()
  expect(screen.getByText('2 to decide')).toBeTruthy()
  expect(screen.getByText('1 to decide')).toBeTruthy()
  expect(row('Rounds once').getByRole('button', { name: /^Accept/ })).toBeTruthy()
  expect(row('Is in Rust').queryByRole('button')).toBeNull()
  expect(row('Rounds once').getByRole('radiogroup', { name: 'What happens to: Rounds always' })).toBeTruthy()
})

test('A accepts and moves on, and Undo takes it back', async () => {
  const server = serveInbox({ undoChangeSet: { setId: 'set_8', undone: 1 } })
  const { user } = await showInbox()
  await screen.findByText('Rounds once')
  await user.keyboard('a')
  await waitFor(() => expect(server.callsOf('acceptProposal')).toHaveLength(1))
  expect(server.callsOf('acceptProposal')[0]).toMatchObject({ params: { id: 'prp_1' }, body: {} })
  expect(screen.queryByText('Rounds once')).toBeNull()
  await waitFor(() => expect(focused()).toContain('Is in Rust'))
  await screen.findByText('Fact on Toll accepted')
  await user.keyboard('z')
  await waitFor(() => expect(server.callsOf('undoChangeSet')[0]?.params).toEqual({ setId: 'set_7' }))
})

test('words that could not be stored are still there, and A shows them before it sends them', async () => {
  const server = serveInbox({ acceptProposal: new Refusal('internal', 'A stack trace') })
  const { user } = await showInbox()
  await screen.findByText('Rounds once')
  await user.keyboard('e')
  await user.clear(screen.getByRole('textbox', { name: 'Toll' }))
  await user.type(screen.getByRole('textbox', { name: 'Toll' }), 'Rounds once a day')
  await user.click(row('Rounds once').getByRole('button', { name: /^Accept/ }))
  await screen.findByText('The proposal could not be accepted')
  expect(focused()).toContain('Is in Rust')
  await user.click(screen.getByText('Rounds once'))
  await user.keyboard('a')
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Toll' }).value).toBe('Rounds once a day')
  server.answer({ acceptProposal: accepted })
  await user.click(row('Rounds once').getByRole('button', { name: /^Accept/ }))
  await waitFor(() => expect(server.callsOf('acceptProposal')).toHaveLength(2))
  expect(server.callsOf('acceptProposal')[1]?.body).toEqual({
    changes: [{ subject: { id: 'obs_1' }, leaveOut: false, after: { content: 'Rounds once a day' } }],
  })
})

test('Z takes back the last decision, also while the server has not answered it', async () => {
  let answer = () => {}
  const slow = new Promise<void>((resolve) => {
    answer = resolve
  })
  const server = serveInbox({
    acceptProposal: async ({ params }) => {
      if (params.id === 'prp_1') await slow
      return { ...accepted, setId: `set_${params.id}` }
    },
    listChanges: { changes: [], nextCursor: null },
    undoChangeSet: { setId: 'set_8', undone: 1 },
  })
  const { user } = await showInbox()
  await screen.findByText('Rounds once')
  await user.keyboard('aa')
  await waitFor(() => expect(server.callsOf('acceptProposal')).toHaveLength(2))
  await user.keyboard('z')
  expect(server.callsOf('undoChangeSet')).toEqual([])
  answer()
  await waitFor(() => expect(server.callsOf('undoChangeSet')[0]?.params).toEqual({ setId: 'set_prp_2' }))
})

test('J and K move, and R rejects when the time for Undo is over', async () => {
  const server = serveInbox()
  const { user } = await showInbox()
  await screen.findByText('Rounds once')
  await user.keyboard('j')
  expect(focused()).toContain('Is in Rust')
  await user.keyboard('jk')
  expect(focused()).toContain('Is in Rust')
  await user.keyboard('r')
  expect(screen.queryByText('Is in Rust')).toBeNull()
  expect(server.callsOf('decideProposals')).toEqual([])
  runDeferred()
  await waitFor(() => expect(server.callsOf('decideProposals')[0]?.body).toEqual({ reject: ['prp_2'] }))
})

test('what is rejected is sent to the space that it is of, also once another is shown', async () => {
  const server = serveInbox()
  setScope({ space: 'desk' })
  const { user } = await showInbox()
  await screen.findByText('Rounds once')
  await user.keyboard('r')
  setScope({ space: 'attic' })
  runDeferred()
  await waitFor(() => expect(server.callsOf('decideProposals')).toHaveLength(1))
  expect(server.callsOf('decideProposals')[0]!.headers.get('loci-space')).toBe('desk')
})

test('decisions outlast the page', async () => {
  serveInbox()
  const { user } = await showInbox()
  await screen.findByText('Rounds once')
  const sent = vi.spyOn(globalThis, 'fetch')
  await user.keyboard('ar')
  runDeferred()
  await waitFor(() => {
    const decisions = sent.mock.calls.filter(([, init]) => init?.method === 'POST')
    expect(decisions.map(([, init]) => init?.keepalive)).toEqual([true, true])
  })
})

test('a rejection that is undone never reaches the server', async () => {
  const server = serveInbox()
  const { user } = await showInbox()
  await screen.findByText('Rounds once')
  await user.keyboard('r')
  expect(screen.queryByText('Rounds once')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Rounds once')).toBeTruthy()
  runDeferred()
  expect(server.callsOf('decideProposals')).toEqual([])
})

test('a known fact is kept unless the reader chooses to replace it', async () => {
  const server = serveInbox()
  const { user } = await showInbox()
  await screen.findByText('Rounds once')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Keep both' }).checked).toBe(true)
  await user.click(screen.getByRole('radio', { name: 'Replace it' }))
  await user.keyboard('a')
  await waitFor(() =>
    expect(server.callsOf('acceptProposal')[0]?.body).toEqual({
      changes: [{ subject: { id: 'obs_1' }, leaveOut: false, after: { replaces: ['obs_9'] } }],
    }),
  )
})

test('E puts it into other words before it is accepted, and Esc leaves it as it was', async () => {
  const server = serveInbox()
  const { user } = await showInbox()
  await screen.findByText('Rounds once')
  await user.keyboard('e{Escape}')
  expect(screen.queryByRole('textbox')).toBeNull()
  await user.keyboard('e')
  const field = await screen.findByRole('textbox', { name: 'Toll' })
  await user.type(field, ' a trip')
  await user.click(within(field.closest('form')!).getByRole('button', { name: /^Accept/ }))
  await waitFor(() =>
    expect(server.callsOf('acceptProposal')[0]?.body).toEqual({
      changes: [{ subject: { id: 'obs_1' }, leaveOut: false, after: { content: 'Rounds once a trip' } }],
    }),
  )
})

test('Shift with a letter acts on the selection, which X and Shift J make', async () => {
  const server = serveInbox()
  const { user } = await showInbox()
  await screen.findByText('Rounds once')
  await user.keyboard('x')
  expect(screen.getByText('1 selected')).toBeTruthy()
  await user.keyboard('{Shift>}jj{/Shift}')
  expect(screen.getByText('2 selected')).toBeTruthy()
  await user.keyboard('{Shift>}a{/Shift}')
  await waitFor(() =>
    expect(server.callsOf('decideProposals')[0]?.body).toEqual({ accept: ['prp_1', 'prp_2'] }),
  )
  expect(await screen.findByText('2 proposals accepted')).toBeTruthy()
  expect(screen.queryByText('selected', { exact: false })).toBeNull()
})

test('a range is selected by holding the shift key, and Esc clears it', async () => {
  serveInbox()
  const { user } = await showInbox()
  await screen.findByText('Rounds once')
  const boxes = screen.getAllByRole('checkbox', { name: /^Select/ })
  await user.click(boxes[0]!)
  await user.keyboard('{Shift>}')
  await user.click(boxes[2]!)
  await user.keyboard('{/Shift}')
  expect(screen.getByText('3 selected')).toBeTruthy()
  await user.keyboard('{Escape}')
  expect(screen.queryByText('3 selected')).toBeNull()
})

test('all of a group are accepted at once', async () => {
  const server = serveInbox()
  const { user } = await showInbox()
  await user.click(await screen.findByRole('button', { name: 'Accept both' }))
  await waitFor(() =>
    expect(server.callsOf('decideProposals')[0]?.body).toEqual({ accept: ['prp_1', 'prp_2'] }),
  )
})

test('what changed meanwhile is told with both states, and stays', async () => {
  const state = (content: string) => ({ content })
  serveInbox({
    acceptProposal: new Refusal('proposal_conflict', 'What this proposal rests on has changed', [
      { message: 'changed', before: state('Was so'), now: state('Is so') },
    ]),
  })
  const { user } = await showInbox()
  await screen.findByText('Rounds once')
  await user.keyboard('a')
  const note = within(
    await screen.findByText('This fact has changed since').then((text) => text.parentElement!),
  )
  expect(note.getByText('Was so')).toBeTruthy()
  expect(note.getByText('Is so')).toBeTruthy()
  expect(screen.getByText('Rounds once')).toBeTruthy()
})

test('O opens the words that it rests on, which are loaded for the one in focus only', async () => {
  const source = { conversationId: 'cnv_1', turnId: 'trn_1', quote: 'we round once' }
  const server = serveInbox({
    listProposals: proposalsPage([
      { ...first, source },
      { ...second, source: { ...source, turnId: 'trn_2' } },
    ]),
    readConversation: pageOf(conversationOf('Night tolls'), [turnOf(1, 'From now on we round once.')]),
  })
  const { user, address } = await showInbox()
  expect((await screen.findByText('we round once', { selector: '[data-quote]' })).textContent).toBe(
    'we round once',
  )
  expect(screen.getByRole('heading', { name: 'Night tolls' })).toBeTruthy()
  expect(server.callsOf('readConversation').map(({ query }) => query.around)).toEqual(
    expect.not.arrayContaining(['trn_2']),
  )
  await user.keyboard('o')
  await waitFor(() => expect(address()).toBe('/conversations/cnv_1?around=trn_1'))
})

test('a rule is made by the tick under a proposal, and ended in the list of rules', async () => {
  const rule = {
    id: 'arl_1',
    by: first.by,
    type: 'project',
    createdBy: { id: 'usr_1', name: 'Maya Lindt' },
    createdAt: '2026-11-20T10:00:00.000Z',
  }
  const kept = new Set<string>()
  const server = serveInbox({
    createAcceptRule: () => {
      kept.add(rule.id)
      return { rule }
    },
    listAcceptRules: () => ({ rules: kept.size > 0 ? [rule] : [] }),
    deleteAcceptRule: () => {
      kept.clear()
      return undefined
    },
  })
  const { user } = await showInbox()
  await screen.findByText('Rounds once')
  await user.click(screen.getByRole('checkbox', { name: /^Always accept project facts from/ }))
  await user.keyboard('a')
  await waitFor(() =>
    expect(server.callsOf('createAcceptRule')[0]?.body).toEqual({ proposalId: 'prp_1', type: 'project' }),
  )
  await user.click(screen.getByRole('button', { name: 'Rules' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Rules' }))
  await user.click(await dialog.findByRole('button', { name: 'End the rule for project' }))
  expect(server.callsOf('deleteAcceptRule')[0]?.params).toEqual({ id: 'arl_1' })
  expect(await dialog.findByText(/^No rules\./)).toBeTruthy()
})

test('the first item has the focus, whichever list comes first', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const newest = { ...first, at: new Date(Date.parse(said.at) + 60_000).toISOString() }
  const server = serveDrafts({
    listProposals: async () => {
      await promise
      return proposalsPage([newest])
    },
  })
  await showInbox()
  await waitFor(() => expect(server.callsOf('listDrafts')).not.toEqual([]))
  await new Promise((later) => setTimeout(later, 50))
  resolve()
  await waitFor(() => expect(focused()).toContain('Rounds once'))
})

test('an empty inbox is a reward', async () => {
  const today = { ...first, status: 'accepted' as const, decidedAt: new Date().toISOString() }
  serve({
    listProposals: ({ query }) =>
      query.status === 'accepted' ? proposalsPage([today], { open: 0 }) : proposalsPage([]),
    listDrafts: ({ query }) =>
      draftsPage(
        query.status === 'rejected' ? [{ ...said, status: 'rejected', decidedAt: today.decidedAt }] : [],
      ),
  })
  await showInbox()
  expect(await screen.findByText('All decided. 2 today.')).toBeTruthy()
})

test('who may not decide reads their own', async () => {
  serveInbox({ listProposals: proposalsPage(all, { mayDecide: false }) })
  const { user } = await showInbox('/inbox', personAs('member'))
  expect(await screen.findByText('Rounds once')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Accept|Reject|Edit/ })).toBeNull()
  expect(screen.queryByRole('checkbox')).toBeNull()
  await user.keyboard('ar')
  expect(screen.getByText('Rounds once')).toBeTruthy()
})

test('what was accepted is listed with an undo', async () => {
  const server = serveInbox({
    listProposals: ({ query }) =>
      query.status === 'accepted'
        ? proposalsPage([{ ...first, status: 'accepted', setId: 'set_7', decidedAt: first.at }])
        : proposalsPage(all),
    undoChangeSet: { setId: 'set_8', undone: 1 },
  })
  const { user, address } = await showInbox()
  await user.click(await screen.findByRole('radio', { name: 'Accepted' }))
  await waitFor(() => expect(address()).toBe('/inbox?show=accepted'))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(server.callsOf('undoChangeSet')[0]?.params).toEqual({ setId: 'set_7' }))
})

test('a failure can be tried again', async () => {
  const server = serveInbox({ listProposals: new Refusal('validation_failed', 'No') })
  const { user } = await showInbox()
  expect(await screen.findByText('Could not load the inbox.')).toBeTruthy()
  server.answer({ listProposals: proposalsPage(all) })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Rounds once')).toBeTruthy()
})

test('drafts stand beside proposals of their conversation, and are counted', async () => {
  serveDrafts()
  await showInbox()
  expect(await screen.findAllByText('We decided to round once.')).not.toEqual([])
  expect(screen.getByRole('heading', { name: 'Night tolls' })).toBeTruthy()
  expect(screen.getByText('3 to decide')).toBeTruthy()
  expect(screen.getByRole('radio', { name: 'To decide 3' })).toBeTruthy()
  expect(screen.getByText('2 drafts from this week')).toBeTruthy()
  expect(screen.getAllByText('Draft')).toHaveLength(2)
  expect(screen.getAllByText('Proposal')).toHaveLength(1)
})

test('A keeps a draft as it was said, and Undo takes the fact back', async () => {
  const server = serveDrafts({ undoChangeSet: { setId: 'set_10', undone: 1 } })
  const { user } = await showInbox()
  await screen.findByText('3 to decide')
  await user.keyboard('ja')
  await waitFor(() =>
    expect(server.callsOf('keepDraft')[0]).toMatchObject({ params: { id: 'drf_1' }, body: {} }),
  )
  await screen.findByText('Fact on Toll kept')
  await user.keyboard('z')
  await waitFor(() => expect(server.callsOf('undoChangeSet')[0]?.params).toEqual({ setId: 'set_9' }))
})

test('a draft that does not stand alone is put into other words, about another entity, before it is kept', async () => {
  const server = serveDrafts()
  const { user } = await showInbox()
  await screen.findByText('3 to decide')
  await user.keyboard('jja')
  expect(await screen.findByText(/begins with “It”/)).toBeTruthy()
  expect(server.callsOf('keepDraft')).toEqual([])
  const [fact, about] = [screen.getByLabelText('Fact'), screen.getByLabelText('About')]
  await user.clear(fact)
  await user.type(fact, 'Rounding once is decided')
  await user.clear(about)
  await user.type(about, 'Rounding')
  await user.click(within(about.closest('form')!).getByRole('button', { name: /^Keep/ }))
  await waitFor(() =>
    expect(server.callsOf('keepDraft')[0]).toMatchObject({
      params: { id: 'drf_2' },
      body: { content: 'Rounding once is decided', entity: { name: 'Rounding' } },
    }),
  )
})

test('R drops a draft when the time for Undo is over', async () => {
  const server = serveDrafts()
  const { user } = await showInbox()
  await screen.findByText('3 to decide')
  await user.keyboard('jr')
  await screen.findByText('Fact on Toll dropped')
  await user.keyboard('z')
  expect(await screen.findByText('3 to decide')).toBeTruthy()
  await user.keyboard('r')
  expect(server.callsOf('dropDraft')).toEqual([])
  runDeferred()
  await waitFor(() => expect(server.callsOf('dropDraft')).toHaveLength(1))
  expect(server.callsOf('decideProposals')).toEqual([])
})

test('a draft that could not be kept comes back', async () => {
  serveDrafts({ keepDraft: new Refusal('plan_limit_reached', 'The plan is full') })
  const { user } = await showInbox()
  await screen.findByText('3 to decide')
  await user.keyboard('ja')
  expect(await screen.findByText('The draft could not be kept')).toBeTruthy()
  expect(await screen.findByText('3 to decide')).toBeTruthy()
})

test('a whole group is accepted and kept at once', async () => {
  const server = serveDrafts({ listChanges: { changes: [], nextCursor: null } })
  const { user } = await showInbox()
  await user.click(await screen.findByRole('button', { name: 'Accept all 3' }))
  await waitFor(() => expect(server.callsOf('keepDraft')).toHaveLength(2))
  expect(server.callsOf('decideProposals')[0]?.body).toEqual({ accept: ['prp_1'] })
  expect(await screen.findByText('2 drafts kept')).toBeTruthy()
})

test('a member keeps drafts beside proposals that others decide on', async () => {
  serveDrafts({ listProposals: proposalsPage([first], { mayDecide: false }) })
  const { user } = await showInbox('/inbox', personAs('member'))
  await screen.findByText('2 to decide')
  expect(screen.queryByRole('button', { name: /^Accept/ })).toBeNull()
  expect(screen.getByRole('button', { name: 'Keep both' })).toBeTruthy()
  await user.keyboard('j')
  expect(await screen.findByRole('button', { name: 'Keep' })).toBeTruthy()
})

test('who may not read conversations sees proposals only', async () => {
  const server = serveDrafts({ listProposals: proposalsPage([first], { mayDecide: false }) })
  await showInbox('/inbox', personAs('viewer'))
  expect(await screen.findByText('Rounds once')).toBeTruthy()
  expect(screen.queryByText('Draft')).toBeNull()
  expect(server.callsOf('listDrafts')).toEqual([])
})
