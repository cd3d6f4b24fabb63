// @vitest-environment jsdom
import type { Replay, ReplayedRow } from '@loci/contract/recalls'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { entityWith, observationOf, storedAt, written } from '../../../test/memory.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { RecallPage } from './recall-page.tsx'

const engine = { id: 'ent_engine', name: 'Engine', type: 'machine' }
const row = (rank: number, content: string, more: Partial<ReplayedRow> = {}): ReplayedRow => ({
  observationId: `obs_${rank}`,
  rank,
  reason: 'words',
  tokens: 20,
  content,
  createdAt: storedAt,
  highlights: [[0, 6]],
  entity: engine,
  ...more,
})
const recall: Replay = {
  id: 'rcl_1',
  at: storedAt,
  by: { kind: 'api_key', id: 'key_1', name: 'Laptop', client: 'claude-code' },
  question: 'What weaves?',
  understood: { unknown: ['loom'] },
  rows: [row(1, 'Weaves algebra'), row(2, 'Weaves silk')],
  missed: [row(3, 'Weaves baskets')],
  entityIds: [engine.id],
  entities: [engine],
  tokens: 61,
  maxTokens: 2_500,
  ms: 12,
  found: true,
}
const answers: Answers = {
  getRecall: { recall, keptDays: 30 },
  listRecalls: {
    recalls: ['rcl_2', 'rcl_1', 'rcl_0'].map((id) => ({ ...recall, id })),
    keptDays: 30,
    nextCursor: null,
  },
  listEntityTypes: { types: [{ type: 'machine', label: 'Machine', count: 2, colour: 3 }] },
}
const showRecall = (as = personAs('owner')) =>
  show(<RecallPage />, { at: '/recalls/rcl_1', route: '/recalls/$recallId', as })
const rowOf = async (text: string) => (await screen.findByText(text)).closest('li')!

test('tells how a question was read, what was handed over in order, and what was not', async () => {
  serve(answers)
  await showRecall()
  expect(await screen.findByText('“What weaves?”')).toBeTruthy()
  expect(screen.getByText('not in this memory')).toBeTruthy()
  expect(screen.getByText('2 observations, 61 tokens')).toBeTruthy()
  const first = await rowOf('algebra')
  expect(within(first).getByText(/1 word of the question/)).toBeTruthy()
  expect(within(first).getByText('20 tokens')).toBeTruthy()
  const missed = screen.getByRole('region', { name: 'Not handed over' })
  expect(within(missed).getByText(/Weaves baskets/)).toBeTruthy()
  expect(await screen.findByRole('img', { name: /walked through machine/ })).toBeTruthy()
})

test('an outdated row is replaced in place, from the keyboard', async () => {
  const replaced = observationOf('obs_9', 'Weaves linen')
  const server = serve({
    ...answers,
    createObservations: written({ observations: [replaced], rivals: [] }),
  })
  const { user } = await showRecall()
  await rowOf('algebra')
  await user.keyboard('{ArrowDown}o')
  const field = await screen.findByRole('textbox', { name: 'What is so now' })
  expect((field as HTMLTextAreaElement).value).toBe('Weaves silk')
  await user.clear(field)
  await user.type(field, 'Weaves linen')
  await user.click(screen.getByRole('button', { name: 'Replace' }))
  expect(await screen.findByText('Observation replaced')).toBeTruthy()
  expect(server.callsOf('createObservations')[0]).toMatchObject({
    params: { id: 'ent_engine' },
    body: { content: 'Weaves linen', replaces: ['obs_2'] },
  })
  await waitFor(() => expect(server.callsOf('getRecall')).toHaveLength(2))
})

test('a wrong row is corrected or forgotten, and what is missing is added or named', async () => {
  const server = serve({
    ...answers,
    deleteObservation: undefined,
    getEntity: { entity: entityWith('Engine', [], { id: 'ent_engine', aliases: ['Mill'] }) },
    updateEntity: written({ entity: entityWith('Engine'), rivals: [] }),
  })
  const { user } = await showRecall()
  const first = await rowOf('algebra')
  await user.click(within(first).getByRole('button', { name: 'Wrong' }))
  await user.click(within(first).getByRole('button', { name: 'Forget' }))
  expect(await screen.findByText('Observation deleted')).toBeTruthy()
  expect(server.callsOf('deleteObservation')[0]!.params).toEqual({ id: 'ent_engine', observationId: 'obs_1' })
  await user.click(within(first).getByRole('button', { name: 'Missing' }))
  await user.type(within(first).getByRole('textbox', { name: 'Another name of Engine' }), 'Analytical')
  await user.click(within(first).getByRole('button', { name: 'Add name' }))
  expect(await screen.findByText('Alias added')).toBeTruthy()
  expect(server.callsOf('updateEntity')[0]!.body).toMatchObject({ aliases: ['Mill', 'Analytical'] })
})

test('asked again, rows are marked as new, moved and gone', async () => {
  const { id: _, at: __, by: ___, ...answer } = recall
  serve({
    ...answers,
    askAgain: {
      answer: {
        ...answer,
        rows: [row(4, 'Weaves linen', { rank: 1 }), row(1, 'Weaves algebra', { rank: 2 })],
      },
    },
  })
  const { user } = await showRecall()
  await rowOf('algebra')
  await user.keyboard('r')
  expect(within(await rowOf('linen')).getByText('New')).toBeTruthy()
  expect(within(await rowOf('algebra')).getByText('Moved')).toBeTruthy()
  const gone = await rowOf('silk')
  expect(within(gone).getByText('Gone')).toBeTruthy()
  expect(within(gone).queryByRole('button', { name: 'Wrong' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'As it was told' }))
  expect(screen.queryByText('New')).toBeNull()
})

test('what happened to a row since is told', async () => {
  const forgotten = {
    observationId: 'obs_2',
    rank: 2,
    reason: 'linked',
    tokens: 9,
    since: 'forgotten',
  } as const
  const rows = [row(1, 'Weaves algebra', { since: 'changed' }), forgotten]
  serve({ ...answers, getRecall: { recall: { ...recall, rows }, keptDays: 30 } })
  await showRecall()
  expect(await screen.findByText('Changed since')).toBeTruthy()
  expect(screen.getByText('Forgotten since')).toBeTruthy()
})

test('where nothing was found, what should have been known can be told', async () => {
  const {
    id: _,
    at: __,
    by: ___,
    ...answer
  } = { ...recall, rows: [], missed: [], entities: [], found: false }
  const server = serve({
    ...answers,
    getRecall: { recall: { ...recall, ...answer }, keptDays: 30 },
    listEntities: { entities: [], total: 0, nextCursor: null },
    createEntity: written({ entity: entityWith('Loom', ['Weaves cloth']), similar: [], rivals: [] }),
    askAgain: { answer },
  })
  const { user } = await showRecall()
  expect(await screen.findByText('Nothing was handed over.')).toBeTruthy()
  await user.type(screen.getByRole('textbox', { name: 'What should it have known?' }), 'Weaves cloth')
  await user.type(screen.getByRole('combobox', { name: 'About' }), 'Loom')
  await user.click(screen.getByRole('button', { name: 'Add to memory' }))
  await waitFor(() =>
    expect(server.callsOf('createEntity')[0]?.body).toMatchObject({
      name: 'Loom',
      observations: ['Weaves cloth'],
    }),
  )
  await waitFor(() => expect(server.callsOf('askAgain')).toHaveLength(1))
})

test('a viewer mends nothing', async () => {
  serve(answers)
  await showRecall(personAs('viewer'))
  await rowOf('algebra')
  expect(screen.queryByRole('button', { name: 'Wrong' })).toBeNull()
  expect(screen.queryByRole('textbox', { name: 'What should it have known?' })).toBeNull()
  expect(screen.getByRole('button', { name: /Ask again/ })).toBeTruthy()
})

test('a recall that is gone says so, and a failure can be retried', async () => {
  const server = serve({ ...answers, getRecall: new Refusal('recall_not_found', 'Recall not found') })
  await showRecall()
  expect(await screen.findByText('This recall is not kept any more')).toBeTruthy()
  expect(server.callsOf('getRecall')).toHaveLength(1)
})

test('is forgotten, which leads back to the list', async () => {
  const server = serve({ ...answers, deleteRecall: undefined as never })
  const { user, address } = await showRecall()
  await rowOf('algebra')
  await user.click(screen.getByRole('button', { name: 'Forget this recall' }))
  await waitFor(() => expect(address()).toBe('/recalls'))
  expect(server.callsOf('deleteRecall')[0]!.params).toEqual({ id: 'rcl_1' })
})

test('other recalls are one key away', async () => {
  serve(answers)
  const { user, address } = await showRecall()
  await rowOf('algebra')
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Older recall' })).toHaveProperty('disabled', false),
  )
  await user.keyboard(']')
  await waitFor(() => expect(address()).toBe('/recalls/rcl_0'))
})
