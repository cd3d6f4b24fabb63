// @vitest-environment jsdom
import type { Brief, BriefItem } from '@loci/contract/briefs'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { draftOf, draftsPage } from '../../../test/drafts.ts'
import { entityWith, storedAt, written } from '../../../test/memory.ts'
import { personAs } from '../../../test/people.ts'
import { proposalOf, proposedFact } from '../../../test/proposals.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { queryClient } from '../../lib/query-client.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { BriefFrame } from './brief-frame.tsx'

const claude = { kind: 'api_key', id: 'key_1', name: 'Laptop', client: 'Claude' } as const
const engine = { id: 'ent_engine', name: 'Engine', type: 'machine' }
const item = (seq: number, content: string, more: Partial<BriefItem> = {}): BriefItem => ({
  seq,
  kind: 'learned',
  at: storedAt,
  by: claude,
  entity: engine,
  observationId: `obs_${seq}`,
  content,
  setId: `set_${seq}`,
  isRead: false,
  ...more,
})
const brief: Brief = {
  since: storedAt,
  seq: 9,
  items: [
    item(9, 'Weaves silk'),
    item(8, 'Weaves linen on Monday', {
      kind: 'rival',
      entity: { id: 'ent_loom', name: 'Loom', type: 'machine' },
      rival: { observationId: 'obs_1', content: 'Weaves linen on Sunday', createdAt: storedAt },
    }),
    item(7, 'Runs at 40 rpm', { kind: 'changed', before: 'Runs at 30 rpm', isRead: true }),
    item(6, 'Is of brass', { kind: 'forgotten' }),
  ],
  isComplete: true,
  recalled: { times: 12, notFound: 2, most: { content: 'Weaves silk', entity: engine, times: 5 } },
  rules: [
    { observationId: 'obs_5', content: 'Never on Friday', entity: engine, createdAt: storedAt, told: 3 },
  ],
}
const answers: Answers = {
  getBrief: { brief },
  readBrief: undefined,
  markBrief: undefined,
  listChanges: { changes: [], nextCursor: null },
  listUnanswered: { questions: [] },
  listProposals: { proposals: [], open: 0, mayDecide: true, nextCursor: null },
  listDrafts: draftsPage([]),
  listStaleObservations: { observations: [], nextCursor: null },
}
const showBrief = (as = personAs('owner')) => show(<BriefFrame learned={<p>Learned lately</p>} />, { as })
const line = async (text: string) => (await screen.findByText(text)).closest('li')!
const chosen = () => document.querySelector('[data-chosen]')?.textContent

test('tells what happened by thing, what disagrees first, with counts and the rest below', async () => {
  serve(answers)
  await showBrief()
  await line('Weaves silk')
  expect(screen.getByText('Since you were here')).toBeTruthy()
  expect(screen.getByText(/3 of 4 unread/)).toBeTruthy()
  const things = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
  expect(things).toEqual(['Loom', 'Engine', 'Forgotten', 'Recalled'])
  expect(screen.getByText(/Before: “/).textContent).toContain('Weaves linen on Sunday')
  expect(screen.getByText('40').tagName).toBe('INS')
  expect(screen.getByText('12 times, 2 found nothing')).toBeTruthy()
  expect(screen.getByText('told 3 times')).toBeTruthy()
})

test('is decided from the keyboard: keep, correct, forget, all read', async () => {
  const server = serve({
    ...answers,
    deleteObservation: written(undefined),
    updateObservation: written({ observation: { id: 'obs_8', content: 'x', createdAt: storedAt } }),
  })
  const { user } = await showBrief()
  await line('Weaves linen on Monday')
  expect(chosen()).toContain('Keep both')
  await user.keyboard('a')
  await waitFor(() => expect(server.callsOf('readBrief')[0]?.body).toEqual({ seqs: [8] }))
  expect(chosen()).toContain('Weaves silk')
  await user.keyboard('e')
  const field = await screen.findByRole('textbox', { name: 'The right wording' })
  await user.clear(field)
  await user.type(field, 'Weaves raw silk')
  await user.click(screen.getByRole('button', { name: 'Correct' }))
  await waitFor(() =>
    expect(server.callsOf('updateObservation')[0]).toMatchObject({
      params: { id: 'ent_engine', observationId: 'obs_9' },
      body: { content: 'Weaves raw silk' },
    }),
  )
  await user.keyboard('kkkd')
  await waitFor(() =>
    expect(server.callsOf('deleteObservation')[0]?.params).toEqual({
      id: 'ent_loom',
      observationId: 'obs_8',
    }),
  )
  await user.keyboard('{Shift>}A{/Shift}')
  await waitFor(() => expect(server.callsOf('markBrief')[0]?.body).toEqual({ seq: 9 }))
})

test('of two facts that may not both hold, the earlier one is forgotten on request', async () => {
  const server = serve({ ...answers, deleteObservation: written(undefined) })
  const { user } = await showBrief()
  const rival = await line('Weaves linen on Monday')
  await user.click(within(rival).getByRole('button', { name: 'Forget the earlier one' }))
  await waitFor(() => expect(server.callsOf('deleteObservation')[0]?.params.observationId).toBe('obs_1'))
  expect(await line('Weaves linen on Monday')).toBeTruthy()
})

test('what could not be done is said, and neither the typed words nor the count pretend otherwise', async () => {
  const server = serve(answers)
  const { user } = await showBrief()
  await line('Weaves silk')
  const failing = new Refusal('internal', 'A stack trace')
  server.answer({ readBrief: failing, updateObservation: failing })
  await user.click(await line('Weaves silk'))
  await user.keyboard('e')
  const field = screen.getByLabelText<HTMLTextAreaElement>('The right wording')
  await user.clear(field)
  await user.type(field, 'Weaves wool{Control>}{Enter}{/Control}')
  expect(await screen.findByText('This could not be done')).toBeTruthy()
  expect(field.isConnected).toBe(true)
  expect(field.value).toBe('Weaves wool')
  expect(screen.getByText(/3 of 4 unread/)).toBeTruthy()
  await user.keyboard('{Escape}a')
  await waitFor(() => expect(server.callsOf('readBrief')).toHaveLength(1))
  await waitFor(() => expect(screen.getByText(/3 of 4 unread/)).toBeTruthy())
})

test('is grouped by agent, and narrowed to one kind', async () => {
  serve(answers)
  const { user } = await showBrief()
  await line('Weaves silk')
  await user.click(screen.getByText('By agent'))
  expect(screen.getAllByRole('heading', { level: 3 })[0]?.textContent).toBe('Claude')
  await user.click(screen.getByRole('button', { name: /Forgotten/ }))
  expect(screen.queryByText('Weaves silk')).toBeNull()
  expect(screen.getByText('Is of brass').tagName).toBe('DEL')
})

test('a long brief shows ten things at first, and three facts of each', async () => {
  const items = Array.from({ length: 24 }, (_, i) =>
    item(100 - i, `Fact ${i}`, { entity: { ...engine, id: `ent_${i}`, name: `Thing ${i}` } }),
  )
  const many = Array.from({ length: 5 }, (_, i) => item(200 - i, `Many ${i}`))
  serve({ ...answers, getBrief: { brief: { ...brief, items: [...many, ...items] } } })
  const { user } = await showBrief()
  await user.click(await screen.findByRole('button', { name: 'Show 15 more' }))
  expect(screen.getByText('Thing 23')).toBeTruthy()
  expect(screen.queryByText('Many 4')).toBeNull()
  await user.click(screen.getByRole('button', { name: '2 more' }))
  expect(screen.getByText('Many 4')).toBeTruthy()
})

test('a first visit shows no brief, and the next begins there', async () => {
  const server = serve({ ...answers, getBrief: { brief: { ...brief, since: null, items: [] } } })
  await showBrief()
  await waitFor(() => expect(server.callsOf('markBrief')[0]?.body).toEqual({ seq: 9 }))
  expect(screen.queryByText('Since you were here')).toBeNull()
})

test('with nothing new it says so, and shows what was learned lately', async () => {
  const since = new Date().toISOString()
  serve({ ...answers, getBrief: { brief: { ...brief, since, items: [] } } })
  await showBrief()
  expect(await screen.findByRole('heading', { name: 'All read' })).toBeTruthy()
  expect(screen.getByText(/^Nothing new since today, /)).toBeTruthy()
  expect(screen.getByText('Learned lately')).toBeTruthy()
})

test('a failure is told in this panel only, and can be retried', async () => {
  const server = serve({ ...answers, getBrief: new Refusal('validation_failed', 'No') })
  const { user } = await showBrief()
  expect(await screen.findByText('Could not load what happened.')).toBeTruthy()
  server.answer({ getBrief: { brief } })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await line('Weaves silk')
})

test('a viewer reads it without keys to decide', async () => {
  const server = serve(answers)
  const { user } = await showBrief(personAs('viewer'))
  await line('Weaves silk')
  expect(screen.queryByRole('button', { name: /Keep/ })).toBeNull()
  await user.keyboard('ad')
  expect(server.callsOf('readBrief')).toEqual([])
  expect(screen.getByRole('button', { name: /All read/ })).toBeTruthy()
})

const proposed = proposalOf('prp_1', [proposedFact('obs_1', 'Weaves **silk**')], {
  by: { ...claude, client: 'codex' },
})
const otherwise = proposalOf('prp_2', [proposedFact('obs_2', 'Weaves linen')], { by: claude })

test('what comes meanwhile is counted, and shown when asked for', async () => {
  const server = serve(answers)
  const { user } = await showBrief()
  await line('Weaves silk')
  expect(screen.queryByRole('button', { name: /new$/ })).toBeNull()
  const later = [item(12, 'Weaves wool'), item(11, 'Weaves hemp'), item(10, 'Read', { isRead: true })]
  server.answer({ getBrief: { brief: { ...brief, seq: 12, items: [...later, ...brief.items] } } })
  await act(() => queryClient.invalidateQueries({ queryKey: queryKeys.briefNews() }))
  expect(screen.queryByText('Weaves wool')).toBeNull()
  await user.click(await screen.findByRole('button', { name: '2 new' }))
  await line('Weaves wool')
  expect(screen.queryByRole('button', { name: /new$/ })).toBeNull()
})

test('what comes after all was read is counted too', async () => {
  const server = serve({ ...answers, getBrief: { brief: { ...brief, items: [] } } })
  const { user } = await showBrief()
  await screen.findByRole('heading', { name: 'All read' })
  server.answer({ getBrief: { brief: { ...brief, seq: 12, items: [item(12, 'Weaves wool')] } } })
  await act(() => queryClient.invalidateQueries({ queryKey: queryKeys.briefNews() }))
  await user.click(await screen.findByRole('button', { name: '1 new' }))
  await line('Weaves wool')
})

test('what waits is counted, and a question nobody could answer is answered in place', async () => {
  const question = {
    question: 'Who oils it?',
    recallId: 'rcl_1',
    times: 2,
    agents: ['Cursor'],
    lastAt: storedAt,
  }
  const server = serve({
    ...answers,
    listProposals: { proposals: [proposed, otherwise], open: 3, mayDecide: true, nextCursor: null },
    listDrafts: draftsPage([draftOf('drf_1', 'We round once')], { open: 12, thisWeek: 5 }),
    listUnanswered: { questions: [question] },
    listEntities: { entities: [], total: 0, nextCursor: null },
    createEntity: written({ entity: entityWith('Oil'), similar: [], rivals: [] }),
    deleteRecall: undefined,
  })
  const { user } = await showBrief()
  const waiting = within(await screen.findByRole('region', { name: 'Waiting for you' }))
  const rows = await waiting.findAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    '3 proposals from codex, Claude and others“Weaves **silk**”and 2 othersReview'.replaceAll('**', ''),
    '12 drafts from conversations, 5 of this week“We round once”and 11 others',
  ])
  expect(screen.getByRole('link', { name: 'Review' }).getAttribute('href')).toBe('/inbox')
  expect(await screen.findByText('twice, by Cursor')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Answer' }))
  await user.type(screen.getByRole('textbox', { name: 'The answer' }), 'Ada oils it')
  await user.type(screen.getByRole('combobox', { name: 'About' }), 'Oil')
  await user.click(screen.getByRole('button', { name: 'Add to memory' }))
  await waitFor(() =>
    expect(server.callsOf('deleteRecall')[0]).toMatchObject({
      params: { id: 'rcl_1' },
      query: { alike: 'true' },
    }),
  )
})
