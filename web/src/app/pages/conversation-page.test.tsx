// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { conversationOf, factFrom, pageOf, toolTurn, turnOf } from '../../../test/conversations.ts'
import { draftOf, draftsPage } from '../../../test/drafts.ts'
import { personAs } from '../../../test/people.ts'
import { proposalOf, proposalsPage, proposedFact } from '../../../test/proposals.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { runDeferred } from '../../lib/deferred.ts'
import { ConversationPage } from './conversation-page.tsx'

const tolls = conversationOf('Night tolls', { id: 'cnv_1', turns: 5, facts: 1 })
const turns = [
  turnOf(1, 'My key is [redacted: aws-access-key]. From now on we round once.'),
  turnOf(2, 'I look.', { role: 'agent' }),
  toolTurn(3, 'Read', { files: ['a.rs'] }),
  toolTurn(4, 'Bash', { text: 'left: 18.41', tool: { name: 'Bash', input: 'cargo test', exitCode: 101 } }),
  turnOf(5, 'Done [redacted: private]', { role: 'agent', cut: 12_000 }),
]
const fact = factFrom('trn_1', 'Rounds once', 'From now on we round once.')
const answers: Answers = {
  readConversation: pageOf(tolls, turns),
  listSourcedObservations: { observations: [fact], nextCursor: null },
  listDrafts: draftsPage([]),
  listProposals: proposalsPage([]),
}

const showPage = (at = '/conversations/cnv_1', as = personAs('owner')) =>
  show(<ConversationPage />, { at, as, route: '/conversations/$conversationId' })

test('is read like a chat, with marks for what was removed or left out', async () => {
  serve(answers)
  await showPage()
  expect(await screen.findByRole('heading', { name: 'Night tolls', level: 1 })).toBeTruthy()
  expect(screen.getByText('redacted: aws-access-key')).toBeTruthy()
  expect(screen.getByText('A private passage was not stored')).toBeTruthy()
  expect(screen.getByText('12 kB left out')).toBeTruthy()
  expect(screen.getByText('1 secret removed before storing')).toBeTruthy()
  expect(screen.getByText('turns 1 to 5 of 5')).toBeTruthy()
})

test('folds tools, says that one failed, and T unfolds them', async () => {
  serve(answers)
  const { user } = await showPage()
  const fold = await screen.findByRole('button', { name: /2 tools/ })
  expect(fold.textContent).toContain('1 failed')
  expect(fold.textContent).toContain('1 file')
  expect(screen.queryByText('cargo test')).toBeNull()
  await user.keyboard('t')
  expect(screen.getByText('cargo test')).toBeTruthy()
  expect(screen.getByText('exit 101')).toBeTruthy()
  expect(screen.getByText('left: 18.41')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Fold tools' }))
  expect(screen.queryByText('exit 101')).toBeNull()
})

test('shows the facts it led to, and marks the words that they rest on', async () => {
  serve(answers)
  const { user, address } = await showPage()
  const words = await screen.findByText('From now on we round once.')
  expect(words.dataset.quote).toBe(fact.id)
  expect(screen.getByText('1 fact')).toBeTruthy()
  await user.keyboard(']')
  expect(words.dataset.active).toBe('true')
  expect(document.activeElement?.textContent).toBe('Toll')
  await user.click(screen.getByRole('link', { name: 'Toll' }))
  await waitFor(() => expect(address()).toBe('/entities/ent_toll'))
})

test('leads to the turn of a fact that is not shown', async () => {
  serve({
    ...answers,
    listSourcedObservations: { observations: [factFrom('trn_77', 'From later')], nextCursor: null },
  })
  const { user, address } = await showPage()
  await user.click(await screen.findByRole('link', { name: 'Show the turn it is from' }))
  await waitFor(() => expect(address()).toBe('/conversations/cnv_1?around=trn_77'))
})

test('opens around a turn, unfolds the tools that hold it, and reads on at both ends', async () => {
  const server = serve({
    ...answers,
    readConversation: ({ query }) => {
      if (query.cursor === 'before') return pageOf(tolls, [turns[0]!], { nextCursor: 'x' })
      if (query.cursor === 'after') return pageOf(tolls, [turns[4]!], { previousCursor: 'x' })
      return pageOf(tolls, turns.slice(1, 4), { previousCursor: 'before', nextCursor: 'after' })
    },
  })
  const { user } = await showPage('/conversations/cnv_1?around=trn_4')
  expect(await screen.findByText('exit 101')).toBeTruthy()
  expect(server.callsOf('readConversation')[0]?.query).toMatchObject({ around: 'trn_4' })
  await user.click(screen.getByRole('button', { name: 'Show earlier turns' }))
  expect(await screen.findByText('redacted: aws-access-key')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Show later turns' }))
  expect(await screen.findByText('12 kB left out')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Show (earlier|later) turns/ })).toBeNull()
})

test.each([
  ['Delete conversation', 'Delete', 'deleteConversation'],
  ['Erase for good', 'Erase', 'eraseConversation'],
] as const)('%s asks first, and then leads back to the list', async (item, confirm, operation) => {
  const server = serve({ ...answers, [operation]: undefined })
  const { user, address } = await showPage()
  await user.click(await screen.findByRole('button', { name: 'More about this conversation' }))
  await user.click(await screen.findByRole('menuitem', { name: item }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/The fact it led to stays in the memory/)).toBeTruthy()
  expect(server.callsOf(operation)).toEqual([])
  await user.click(dialog.getByRole('button', { name: confirm }))
  await waitFor(() => expect(address()).toBe('/conversations'))
  expect(server.callsOf(operation)[0]?.params).toEqual({ id: 'cnv_1' })
})

test('one that is not there says so', async () => {
  serve({ ...answers, readConversation: new Refusal('conversation_not_found', 'Conversation not found') })
  await showPage()
  expect(await screen.findByRole('heading', { name: 'Conversation not found' })).toBeTruthy()
})

test('a failure is told in its panel only', async () => {
  const server = serve({ ...answers, listSourcedObservations: new Refusal('validation_failed', 'No') })
  const { user } = await showPage()
  await screen.findByText('redacted: aws-access-key')
  server.answer({ listSourcedObservations: { observations: [fact], nextCursor: null } })
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'Toll' })).toBeTruthy()
})

test('who may not read conversations asks nothing of the server', async () => {
  const server = serve({})
  await showPage('/conversations/cnv_1', personAs('viewer'))
  expect(screen.getByText('You can read this memory, but not its conversations.')).toBeTruthy()
  expect(server.calls).toEqual([])
})

test('a sentence that nobody has decided on stands beside its words, to keep, correct or drop', async () => {
  const said = draftOf('drf_1', 'I look.', { source: { conversationId: 'cnv_1', turnId: 'trn_2' } })
  const remembered = draftOf('drf_2', 'From now on we round once.')
  const server = serve({
    ...answers,
    listDrafts: draftsPage([said, remembered]),
    keepDraft: { draft: { ...said, status: 'accepted' }, entityId: 'ent_toll', observationId: 'obs_7' },
    dropDraft: { draft: { ...said, status: 'rejected' } },
  })
  const { user } = await showPage()
  const keep = await screen.findByRole('button', { name: 'Keep' })
  expect(server.callsOf('listDrafts')[0]?.query).toMatchObject({ conversation: 'cnv_1' })
  expect(screen.getByText('1 fact, 1 to decide')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Drop' }))
  expect(screen.queryByRole('button', { name: 'Drop' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await user.click(screen.getByRole('button', { name: 'Edit' }))
  const text = screen.getByRole('textbox', { name: 'Fact' })
  await user.clear(text)
  await user.type(text, 'Rounds once')
  await user.click(screen.getByRole('button', { name: 'Keep' }))
  await waitFor(() => expect(server.callsOf('keepDraft')[0]?.body).toEqual({ content: 'Rounds once' }))
  runDeferred()
  expect(server.callsOf('dropDraft')).toEqual([])
  expect(keep.isConnected).toBe(false)
})

test('what an agent proposed in it stands beside its words and leads to the inbox', async () => {
  const source = { conversationId: 'cnv_1', turnId: 'trn_2', quote: 'I look.' }
  const proposal = proposalOf('prp_1', [proposedFact('obs_1', 'It cost 2 EUR')], { source })
  serve({ ...answers, listProposals: proposalsPage([proposal]) })
  const { user, address } = await showPage()
  expect(await screen.findByText('It cost 2 EUR')).toBeTruthy()
  expect(screen.getByText('1 fact, 1 to decide')).toBeTruthy()
  expect(screen.getByText('I look.').dataset.quote).toBe('prp_1')
  await user.keyboard('[[')
  expect(document.activeElement?.textContent).toBe('Decide in Inbox')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/inbox'))
})

test('A, E and R decide on the draft in focus', async () => {
  const drafts = ['I look.', 'Done'].map((text, index) =>
    draftOf(`drf_${index}`, text, {
      source: { conversationId: 'cnv_1', turnId: `trn_${index === 0 ? 2 : 5}` },
    }),
  )
  const server = serve({
    ...answers,
    listDrafts: draftsPage(drafts),
    keepDraft: { draft: { ...drafts[0]!, status: 'accepted' }, entityId: 'ent_toll', observationId: 'obs_7' },
    dropDraft: { draft: { ...drafts[1]!, status: 'rejected' } },
  })
  const { user } = await showPage()
  await screen.findAllByText('Draft')
  await user.keyboard('a')
  expect(server.callsOf('keepDraft')).toEqual([])
  await user.keyboard(']]e')
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Fact' }).value).toBe('I look.')
  await user.keyboard('{Escape}')
  await user.keyboard('a')
  await waitFor(() =>
    expect(server.callsOf('keepDraft').map(({ params }) => params)).toEqual([{ id: 'drf_0' }]),
  )
  await user.keyboard(']r')
  expect(screen.getAllByText('Draft')).toHaveLength(1)
  runDeferred()
  await waitFor(() =>
    expect(server.callsOf('dropDraft').map(({ params }) => params)).toEqual([{ id: 'drf_1' }]),
  )
})

test('a draft that may be a fact already is not shown before the facts are known', async () => {
  const facts = Promise.withResolvers<{ observations: [typeof fact]; nextCursor: null }>()
  const server = serve({
    ...answers,
    listSourcedObservations: () => facts.promise,
    listDrafts: draftsPage([draftOf('drf_2', 'From now on we round once.')]),
  })
  await showPage()
  await waitFor(() => expect(server.callsOf('listDrafts')).toHaveLength(1))
  expect(await screen.findByText(/From now on we round once/)).toBeTruthy()
  await act(() => new Promise((shown) => setTimeout(shown, 50)))
  expect(screen.queryByRole('button', { name: 'Keep' })).toBeNull()
  facts.resolve({ observations: [fact], nextCursor: null })
  expect((await screen.findByText('From now on we round once.')).dataset.quote).toBe(fact.id)
  expect(screen.queryByRole('button', { name: 'Keep' })).toBeNull()
})

test('finds words within it, marks them, and goes round the turns that have them', async () => {
  const server = serve({
    ...answers,
    findInConversation: {
      matches: [
        { turnId: 'trn_1', seq: 1 },
        { turnId: 'trn_4', seq: 4 },
      ],
      isComplete: true,
    },
  })
  const { user, address } = await showPage()
  await screen.findByText('turns 1 to 5 of 5')
  await user.keyboard('/')
  await user.keyboard('Left:  18.41{Enter}')
  await screen.findByText('2 turns')
  expect(server.callsOf('findInConversation').at(-1)?.query).toEqual({ query: 'Left:  18.41' })
  await user.keyboard('{Enter}')
  expect(screen.getByText('1 of 2')).toBeTruthy()
  expect(document.querySelector('[data-here]')?.id).toBe('trn_1')
  expect(screen.queryByText('exit 101')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Next turn with it' }))
  expect(screen.getByText('2 of 2')).toBeTruthy()
  expect(screen.getByText('left: 18.41').tagName).toBe('MARK')
  await user.click(screen.getByRole('button', { name: 'Next turn with it' }))
  expect(screen.getByText('1 of 2')).toBeTruthy()
  expect(address()).toBe('/conversations/cnv_1?find=Left%3A++18.41')
  await user.type(screen.getByRole('searchbox', { name: 'Find in it' }), '{Escape}')
  await waitFor(() => expect(address()).toBe('/conversations/cnv_1'))
  expect(document.querySelector('mark')).toBeNull()
})

test('a found turn that is not loaded opens, and the search goes on from there', async () => {
  const matches = [1, 5].map((seq) => ({ turnId: `trn_${seq}`, seq }))
  const server = serve({
    ...answers,
    readConversation: ({ query }) => pageOf(tolls, query.around ? turns.slice(2) : turns.slice(0, 2)),
    findInConversation: { matches, isComplete: false },
  })
  const { user, address } = await showPage('/conversations/cnv_1?find=done')
  await screen.findByText('2+ turns')
  await user.click(screen.getByRole('button', { name: 'Previous turn with it' }))
  await waitFor(() => expect(address()).toBe('/conversations/cnv_1?find=done&around=trn_5'))
  expect(await screen.findByText('2 of 2+')).toBeTruthy()
  expect((await screen.findByText('Done')).tagName).toBe('MARK')
  expect(server.callsOf('readConversation').at(-1)?.query).toMatchObject({ around: 'trn_5' })
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Find in it' }))
})

test('says that words are not in it, and when it could not search', async () => {
  const server = serve({ ...answers, findInConversation: { matches: [], isComplete: true } })
  const { user } = await showPage('/conversations/cnv_1?find=zeppelin')
  await screen.findByText('Not in it')
  expect(screen.queryByRole('button', { name: 'Next turn with it' })).toBeNull()
  server.answer({ findInConversation: new Refusal('validation_failed', 'No') })
  await user.type(screen.getByRole('searchbox', { name: 'Find in it' }), 's')
  await screen.findByText('Could not search it')
})
