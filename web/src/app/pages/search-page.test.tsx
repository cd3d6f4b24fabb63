// @vitest-environment jsdom
import type { ObservationHit, SearchObservationsResponse } from '@loci/contract/search'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { storedAt } from '../../../test/memory.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { SearchPage } from './search-page.tsx'

const engine = { id: 'ent_engine', name: 'Engine', type: 'machine' }
const loom = { id: 'ent_loom', name: 'Loom', type: 'project' }
const claude = { kind: 'api_key', id: 'key_1', name: 'Laptop', client: 'Claude' } as const
const ada = { kind: 'session', id: 'usr_ada', name: 'Ada' } as const

const hit = (id: string, content: string, more: Partial<ObservationHit> = {}): ObservationHit => ({
  id,
  content,
  createdAt: storedAt,
  score: 1,
  highlights: [[0, 6]],
  entity: engine,
  before: [],
  after: [],
  by: claude,
  ...more,
})
const brass = hit('obs_1', 'Weaves algebra', {
  before: [{ id: 'obs_0', content: 'Is of brass', createdAt: storedAt }],
  explain: { words: 3, name: 1 },
})
const silk = hit('obs_2', 'Weaves silk', { entity: loom, by: ada })
const found: SearchObservationsResponse = {
  observations: [brass, silk],
  relations: [],
  entities: [],
  understood: {},
  total: 2,
  nextCursor: null,
}
const nothing: SearchObservationsResponse = { ...found, observations: [], total: 0 }
const answers: Answers = {
  searchObservations: found,
  previewRecall: { text: 'Engine: Weaves algebra', tokens: 1_200, observations: 2 },
  listEntityTypes: { types: [{ type: 'machine', label: 'Machine', count: 2, colour: 3 }] },
}

const showSearch = (at = '/search?query=weaves') => show(<SearchPage />, { at, route: '/search' })
const hits = () => screen.getAllByText(/^(Weaves|algebra|silk)/, { selector: 'p, p *' })
const facet = async (title: string, label: RegExp) => {
  const group = await screen.findByRole('group', { name: title })
  return within(group).findByRole('button', { name: label })
}

test('no request is made before a search', async () => {
  const server = serve({})
  await showSearch('/search')
  expect(screen.getByRole('heading', { name: 'Search your knowledge' })).toBeTruthy()
  expect(server.calls).toEqual([])
})

test('no figures are shown before the search has answered', async () => {
  let answer: (found: SearchObservationsResponse) => void = () => {}
  serve({ ...answers, searchObservations: () => new Promise((resolve) => (answer = resolve)) })
  await showSearch('/search?query=weaves&type=machine')
  const words = async (label: RegExp) => (await facet('Type', label)).textContent
  expect(await words(/^All Types/)).toBe('All Types')
  expect(await words(/^machine/)).toBe('machine')
  answer(found)
  await waitFor(async () => expect(await words(/^All Types/)).toMatch(/2$/))
})

test('a search becomes part of the address, trimmed', async () => {
  const server = serve(answers)
  const { user, address } = await showSearch('/search')
  await user.type(screen.getByRole('searchbox', { name: 'Search knowledge' }), ' weaves {Enter}')
  await waitFor(() => expect(address()).toBe('/search?query=weaves'))
  expect(await screen.findAllByText('2 observations')).toHaveLength(2)
  expect(server.callsOf('searchObservations')[0]?.query).toMatchObject({
    query: 'weaves',
    limit: '50',
    include: 'by',
  })
})

test('a hit names its entity and writer, and shows its context and why it was found', async () => {
  serve(answers)
  const { user, address } = await showSearch()
  expect(await screen.findByText('Is of brass')).toBeTruthy()
  const item = screen.getByText('Is of brass').closest('li')
  const shown = within(item!)
  expect(shown.getByText('Claude')).toBeTruthy()
  expect(shown.getByText('Weaves').tagName).toBe('MARK')
  expect(shown.getByText('It contains your words')).toBeTruthy()
  await user.click(shown.getByRole('link', { name: 'Engine' }))
  expect(address()).toBe('/entities/ent_engine')
})

test('a type narrows the search, and the counts of the other types stay', async () => {
  const server = serve({
    ...answers,
    searchObservations: ({ query }) =>
      query.types === 'project' ? { ...found, observations: [silk], total: 1 } : found,
  })
  const { user, address } = await showSearch()
  await user.click(await facet('Type', /^project/))
  await waitFor(() => expect(address()).toBe('/search?query=weaves&type=project'))
  await waitFor(() => expect(screen.queryByText('Is of brass')).toBeNull())
  expect((await facet('Type', /^machine/)).textContent).toBe('machine1')
  expect((await facet('Type', /^project/)).getAttribute('aria-pressed')).toBe('true')
  await waitFor(() =>
    expect(server.callsOf('previewRecall').at(-1)?.body).toMatchObject({ types: ['project'] }),
  )
})

test('one writer can be chosen without another request', async () => {
  const server = serve(answers)
  const { user } = await showSearch()
  await user.click(await facet('Written by', /Ada/))
  await waitFor(() => expect(screen.queryByText('Is of brass')).toBeNull())
  expect(hits().length).toBeGreaterThan(0)
  expect(new Set(server.callsOf('searchObservations').map(({ query }) => query.types))).toEqual(
    new Set([undefined]),
  )
})

test('a writer of nothing that was found leaves nothing, and says how to see more', async () => {
  const entities = [{ ...engine, metadata: {}, observationsCount: 1, score: 1 }]
  serve({ ...answers, searchObservations: { ...found, entities } })
  await showSearch('/search?query=weaves&by=Nobody')
  expect(await screen.findByRole('heading', { name: 'No results found' })).toBeTruthy()
  expect(screen.getByRole('status').textContent).toBe('0 observations')
  expect(screen.queryByRole('heading', { name: 'Entities' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Clear Filters' })).toBeTruthy()
})

test("a search includes the first and the last day of the reader's calendar", async () => {
  const server = serve(answers)
  await showSearch('/search?query=weaves&after=2026-01-01&before=2026-01-31')
  await screen.findByText('Is of brass')
  const { after, before } = server.callsOf('searchObservations')[0]!.query
  expect([after, before].map((bound) => new Date(String(bound)))).toEqual([
    new Date(2026, 0, 1),
    new Date(2026, 1, 1),
  ])
  expect(screen.getByLabelText<HTMLInputElement>('Until').value).toBe('2026-01-31')
})

test('any time removes both ends of a period', async () => {
  serve(answers)
  const { user, address } = await showSearch('/search?query=weaves&after=2026-01-01&before=2026-01-31')
  await user.click(await facet('When', /Any time/))
  await waitFor(() => expect(address()).toBe('/search?query=weaves'))
})

test('a search that finds nothing suggests what to do', async () => {
  serve({ ...answers, searchObservations: nothing })
  const { user, address } = await showSearch('/search?query=weaves&type=person&after=2026-01-01')
  expect(await screen.findByRole('heading', { name: 'No results found' })).toBeTruthy()
  expect(screen.getByText('Try other words, or fewer filters.')).toBeTruthy()
  expect(screen.queryByText('What an agent would get')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Clear Filters' }))
  await waitFor(() => expect(address()).toBe('/search?query=weaves'))
  expect(screen.queryByRole('button', { name: 'Clear Filters' })).toBeNull()
})

test('a failed search says why, and can be retried', async () => {
  const server = serve({
    ...answers,
    searchObservations: new Refusal('validation_failed', 'The query is too long'),
  })
  const { user } = await showSearch()
  expect((await screen.findByRole('alert')).textContent).toContain('The query is too long')
  expect(screen.queryByText('No results found')).toBeNull()
  server.answer({ searchObservations: found })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Is of brass')).toBeTruthy()
})

test('more results are requested in larger portions', async () => {
  const server = serve({ ...answers, searchObservations: { ...found, total: 400 } })
  const { user } = await showSearch()
  await user.click(await screen.findByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(server.callsOf('searchObservations').at(-1)?.query.limit).toBe('200'))
})

test('results far weaker than the best one wait behind a line', async () => {
  const best = { ...hit('obs_1', 'Weaves brass'), score: 1.5 }
  const weak = Array.from({ length: 12 }, (_, index) => ({
    ...hit(`obs_weak${index}`, `Weaves in passing ${index}`),
    score: 0.7,
  }))
  serve({ ...answers, searchObservations: { ...found, observations: [best, ...weak], total: 40 } })
  const { user } = await showSearch()
  const line = await screen.findByRole('button', { name: 'Show 39 weaker matches' })
  expect(screen.queryByText(/in passing/)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  await user.click(line)
  expect(screen.getAllByText(/in passing/)).toHaveLength(12)
  expect(screen.getByRole('button', { name: 'Show more' })).toBeTruthy()
})

test('results with a similar spelling are set apart', async () => {
  const weeves = hit('obs_3', 'Weeves wool')
  serve({ ...answers, searchObservations: { ...found, observations: [brass, weeves] } })
  await showSearch()
  const apart = within(await screen.findByRole('region', { name: /^Similar spelling/ }))
  expect(apart.getAllByRole('listitem')).toHaveLength(1)
  expect(apart.getByText('wool', { exact: false })).toBeTruthy()
})

test('a relation is shown with its entity, naming the other one, or else by itself', async () => {
  const relation = { from: engine, to: loom, createdAt: storedAt, score: 0.9 }
  serve({
    ...answers,
    searchObservations: {
      ...found,
      observations: [brass],
      relations: [
        { ...relation, id: 'rel_1', relationType: 'drives' },
        { ...relation, id: 'rel_2', relationType: 'stops', from: loom, to: loom },
        { ...relation, id: 'rel_3', relationType: 'weak', from: loom, to: loom, score: 0.1 },
      ],
    },
  })
  await showSearch()
  const ends = async (type: string) =>
    within((await screen.findByText(type)).closest('li')!)
      .getAllByRole('link')
      .map((link) => link.textContent)
  expect(await ends('drives')).toEqual(['Loom'])
  expect(await ends('stops')).toEqual(['Loom', 'Loom'])
  expect(screen.queryByText('weak')).toBeNull()
})

test('an entity that the question describes is shown with what describes it', async () => {
  const described = { ...engine, metadata: { year: 1_837, parts: ['mill'] }, observationsCount: 2, score: 1 }
  serve({ ...answers, searchObservations: { ...nothing, entities: [described] } })
  await showSearch()
  expect(await screen.findByText('year: 1837 · parts: ["mill"]')).toBeTruthy()
})

test("an agent's result is counted in words and can be copied", async () => {
  serve(answers)
  const { user } = await showSearch()
  expect(await screen.findByText('2 observations with neighbours, about 1,200 tokens')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Copy as context' }))
  expect(await navigator.clipboard.readText()).toBe('Engine: Weaves algebra')
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
})
