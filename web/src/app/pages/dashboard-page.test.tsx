// @vitest-environment jsdom
import type { AnalyticsSummary, UsageResponse } from '@loci/contract/analytics'
import type { Brief } from '@loci/contract/briefs'
import type { Change } from '@loci/contract/changes'
import { limitsOfPlan } from '@loci/contract/plans'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { conversationOf, noCounts } from '../../../test/conversations.ts'
import { draftsPage } from '../../../test/drafts.ts'
import { entityWith, observationOf, storedAt, written } from '../../../test/memory.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { spaceNamed } from '../../../test/spaces.ts'
import { emptySummary } from '../../features/analytics/analytics.queries.ts'
import { CurrentUsage } from '../../features/analytics/current-usage.tsx'
import { PlanUsage } from '../../features/analytics/plan-usage.tsx'
import { DashboardPage } from './dashboard-page.tsx'

const usage: UsageResponse = {
  plan: 'free',
  limits: limitsOfPlan('free'),
  entities: 0,
  storedBytes: 0,
  operations: 0,
  apiKeys: 0,
  webhooks: 0,
  periodStart: storedAt,
  periodEnd: '2026-02-05T09:00:00.000Z',
  agentSeenAt: null,
  agents: [],
}
const agent = (name: string) => ({ name, firstSeenAt: storedAt, lastSeenAt: storedAt, callsToday: 1 })

const full: AnalyticsSummary = {
  ...emptySummary,
  totalEntities: 1_240,
  totalRelations: 12,
  totalObservations: 3_000,
  recentEntities: ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => ({
    id: `ent_${name}`,
    name: `Entity ${name}`,
    type: 'machine',
    created_at: storedAt,
  })),
  entityTypeStats: [{ type: 'machine', count: 1_240 }],
  activityStats: [
    { date: '2026-01-05', count: 1_200 },
    { date: '2026-01-04', count: 1 },
  ],
  createdToday: { entities: 0, relations: 0, observations: 1 },
  lastRecall: {
    question: 'What weaves?',
    agent: 'Claude',
    at: storedAt,
    observations: 2,
    entities: [{ id: 'ent_A', name: 'Entity A', type: 'machine' }],
  },
  todayApiCalls: 9,
}

const learned = (seq: number, content: string, client = 'Claude'): Change => ({
  seq,
  setId: 'set_1',
  at: storedAt,
  actor: { kind: 'api_key', id: 'key_1', name: 'Laptop', client },
  operation: 'observation_added',
  subject: {
    kind: 'observation',
    id: `obs_${seq}`,
    entityId: 'ent_A',
    entityName: 'Engine',
    entityType: 'machine',
  },
  before: null,
  after: { content },
})

const engine = entityWith('Engine', [], { id: 'ent_A', type: 'machine' })

const noBrief: Brief = {
  since: storedAt,
  seq: 4,
  items: [],
  isComplete: true,
  recalled: { times: 0, notFound: 0 },
  rules: [],
}

const aboutBrief: Answers = {
  getBrief: { brief: noBrief },
  markBrief: undefined,
  listUnanswered: { questions: [] },
  listProposals: { proposals: [], open: 0, mayDecide: true, nextCursor: null },
  listDrafts: draftsPage([]),
  listStaleObservations: { observations: [], nextCursor: null },
}

const answers: Answers = {
  ...aboutBrief,
  countConversations: noCounts,
  listConversations: { conversations: [], nextCursor: null },
  analytics: full,
  usage: { ...usage, agents: [agent('Claude'), agent('Cursor')], agentSeenAt: storedAt },
  listChanges: { changes: [learned(2, 'Weaves **algebra**')], nextCursor: null },
}

// Members do not see billing, so these need no answers about the subscription.
const showDashboard = (as = personAs('member'), at = '/dashboard') =>
  show(<DashboardPage />, { at, as, route: '/dashboard' })

const panel = async (name: string) => {
  const heading = await screen.findByRole('heading', { name })
  return within(heading.closest('section') ?? document.body)
}

test("the numbers are formatted, with today's additions beside them", async () => {
  serve(answers)
  await showDashboard()
  const total = (await screen.findByText('Total Entities')).parentElement?.textContent
  expect(total).toBe('Total Entities1,240')
  expect(screen.getByText('Observations', { selector: 'span' }).parentElement?.textContent).toBe(
    'Observations3,000+1 today',
  )
  expect(screen.getByText('API Calls Today').parentElement?.textContent).toBe('API Calls Today9')
})

test('the five newest entities link to their pages, and the rest to the list', async () => {
  serve(answers)
  const { user, address } = await showDashboard()
  expect(await screen.findByRole('link', { name: 'All 1,240' })).toBeTruthy()
  expect(screen.getAllByRole('link', { name: /^Entity/ })).toHaveLength(5)
  await user.click(screen.getByRole('link', { name: /^Entity A/ }))
  expect(address()).toBe('/entities/ent_A')
})

test('the days of the week are in order, the newest last', async () => {
  serve(answers)
  await showDashboard()
  await screen.findByText('1,200 entities created')
  const days = screen.getAllByText(/entities created$/).map((day) => day.textContent)
  expect(days).toEqual(['1 entities created', '1,200 entities created'])
})

test("an agent's last question can be asked again", async () => {
  serve(answers)
  const { user, address } = await showDashboard()
  await user.click(await screen.findByRole('link', { name: /Last recall “What weaves\?” 2 observations/ }))
  expect(address()).toBe('/search?query=What+weaves%3F')
})

test('recent observations are shown without Markdown, and filtered by agent', async () => {
  const server = serve(answers)
  const { user } = await showDashboard()
  expect(await screen.findByText('Weaves algebra')).toBeTruthy()
  expect(screen.getByText('1 observation today')).toBeTruthy()
  server.answer({ listChanges: { changes: [learned(3, 'Hums', 'Cursor')], nextCursor: null } })
  await user.selectOptions(screen.getByLabelText('Agent'), 'Cursor')
  expect(await screen.findByText('Hums')).toBeTruthy()
  expect(server.callsOf('listChanges').at(-1)?.query).toMatchObject({
    client: 'Cursor',
    operation: 'observation_added',
  })
})

test('a summary that fails to load shows no false zeros in its panels, and can be retried', async () => {
  const server = serve({ ...answers, analytics: new Refusal('forbidden', 'No') })
  const { user } = await showDashboard()
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load dashboard data')
  expect(screen.queryByText('No entities yet')).toBeNull()
  expect(screen.queryByText('No recent activity')).toBeNull()
  server.answer({ analytics: full })
  await user.click((await panel('Recent Entities')).getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'All 1,240' })).toBeTruthy()
  expect(screen.queryByText('Failed to load dashboard data')).toBeNull()
})

test('Refresh loads everything again', async () => {
  const server = serve(answers)
  const { user } = await showDashboard()
  await screen.findByText('1,240', { selector: 'span' })
  server.answer({ analytics: { ...full, totalEntities: 1_241 } })
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  expect(await screen.findByRole('link', { name: 'All 1,241' })).toBeTruthy()
})

test('a viewer is not offered to create an entity', async () => {
  serve(answers)
  await showDashboard(personAs('viewer'))
  const actions = await panel('Quick Actions')
  expect(actions.getByRole('link', { name: 'Search Knowledge' })).toBeTruthy()
  expect(actions.queryByRole('link', { name: 'Create Entity' })).toBeNull()
})

test('a cancelled checkout is mentioned once', async () => {
  serve(answers)
  const { user, address } = await showDashboard(undefined, '/dashboard?canceled=true')
  expect(await screen.findByText('Nothing was charged and your plan is unchanged.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Dismiss' }))
  await waitFor(() => expect(address()).toBe('/dashboard'))
  expect(screen.queryByText('Checkout was cancelled')).toBeNull()
})

const fresh: Answers = {
  ...aboutBrief,
  countConversations: noCounts,
  listConversations: { conversations: [], nextCursor: null },
  analytics: emptySummary,
  listSpaces: { spaces: [spaceNamed('default', 'spc_1')] },
  usage,
  listChanges: { changes: [], nextCursor: null },
}

test('an empty memory explains how to connect an agent until the guide is hidden for good', async () => {
  serve(fresh)
  const { user } = await showDashboard()
  expect(await screen.findByRole('heading', { name: 'Connect your agent' })).toBeTruthy()
  expect(screen.getByText('Waiting for the first call')).toBeTruthy()
  expect(screen.getByRole('img', { name: 'An empty memory' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Hide this guide' }))
  expect(screen.queryByRole('heading', { name: 'Connect your agent' })).toBeNull()
  expect(localStorage.getItem('first_run_closed')).toBe('acc_ada')
})

test('the guide is not shown over a memory in use', async () => {
  serve(answers)
  await showDashboard()
  await screen.findByText('Your memory')
  expect(screen.queryByRole('heading', { name: 'Connect your agent' })).toBeNull()
})

test('a viewer of an empty memory is not offered other ways to begin', async () => {
  serve(fresh)
  await showDashboard(personAs('viewer'))
  await screen.findByRole('heading', { name: 'Connect your agent' })
  expect(screen.queryByText('No agent at hand?')).toBeNull()
})

test('the first memory of an agent replaces the guide', async () => {
  serve({
    ...fresh,
    analytics: { ...emptySummary, totalEntities: 1, entityTypeStats: [{ type: 'machine', count: 1 }] },
    listChanges: { changes: [learned(2, 'Hums'), learned(1, 'Weaves algebra')], nextCursor: null },
    getEntity: { entity: { ...engine, observations: [observationOf('obs_1', 'Weaves algebra')] } },
  })
  const { user, address } = await showDashboard()
  expect(await screen.findByRole('heading', { name: 'The first memory is in' })).toBeTruthy()
  expect(screen.getByText('Claude is connected')).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Connect your agent' })).toBeNull()
  await user.click(screen.getByRole('link', { name: 'Open it' }))
  expect(address()).toBe('/entities/ent_A')
})

const oneFact = { ...fresh, listChanges: { changes: [learned(1, 'Weaves algebra')], nextCursor: null } }

test('the first memory is shown as it is stored now', async () => {
  const observations = [observationOf('obs_1', 'Weaves patterns')]
  serve({ ...oneFact, getEntity: { entity: { ...engine, name: 'Difference Engine', observations } } })
  await showDashboard()
  const hero = await screen.findByRole('region', { name: 'The first memory is in' })
  await waitFor(() => expect(hero.textContent).toContain('Weaves patterns'))
  expect(hero.textContent).not.toContain('Weaves algebra')
  expect(hero.textContent).toContain('Difference Engine')
})

test('a first memory that was deleted is struck, and no agent is said to find it', async () => {
  serve({ ...oneFact, getEntity: { entity: { ...engine, observations: [] } } })
  await showDashboard()
  const hero = await screen.findByRole('region', { name: 'The first memory was deleted' })
  expect(hero.querySelector('del')?.textContent).toBe('Weaves algebra')
  expect(hero.textContent).not.toMatch(/in every session|What do you know/)
  expect(screen.getByRole('link', { name: 'Open it' })).toBeTruthy()
})

test('a first memory whose entity was deleted leads to History', async () => {
  serve({ ...oneFact, getEntity: new Refusal('entity_not_found', 'Not found') })
  await showDashboard()
  const hero = await screen.findByRole('region', { name: 'The first memory was deleted' })
  expect(within(hero).getByRole('link', { name: 'Open History' })).toBeTruthy()
  expect(within(hero).queryByRole('link', { name: 'Open it' })).toBeNull()
})

const nothing = { created: [], existing: [] }

test('the sample memory is loaded, and all of it is removed again', async () => {
  const server = serve({
    ...fresh,
    createBatch: written({ entities: nothing, relations: nothing }, 'set_sample'),
    undoChangeSet: { undone: 40, setId: 'set_2' },
  })
  const { user } = await showDashboard()
  await user.click(await screen.findByRole('button', { name: 'Load a sample memory' }))
  await user.click(await screen.findByRole('button', { name: 'Remove the sample memory' }))
  expect(await screen.findByText('Sample memory removed')).toBeTruthy()
  expect(server.callsOf('undoChangeSet')).toMatchObject([{ params: { setId: 'set_sample' } }])
  expect(await screen.findByRole('button', { name: 'Load a sample memory' })).toBeTruthy()
})

test('a sample memory that cannot be loaded says why', async () => {
  serve({ ...fresh, createBatch: new Refusal('plan_limit_reached', 'Your plan stores 10 entities') })
  const { user } = await showDashboard()
  await user.click(await screen.findByRole('button', { name: 'Load a sample memory' }))
  expect(await screen.findByText('Failed to load the sample memory')).toBeTruthy()
  expect(screen.getByText('Your plan stores 10 entities')).toBeTruthy()
})

test("the export alert has the product's words", async () => {
  const alert = vi.spyOn(window, 'alert').mockImplementation(() => {})
  onTestFinished(() => alert.mockRestore())
  serve(answers)
  const { user } = await showDashboard()
  await user.click(await screen.findByRole('button', { name: 'Export Data' }))
  expect(alert).toHaveBeenCalledExactlyOnceWith('Export functionality will be implemented soon')
})

const { maxEntities } = limitsOfPlan('free')

test.each([
  [0.5, undefined],
  [0.85, 'Approaching Limits'],
  [1, 'Limit Exceeded'],
])('at %d of the entities of a plan the notice is %s', async (share, title) => {
  const totalEntities = Math.round(maxEntities * share)
  await show(<CurrentUsage summary={{ ...emptySummary, totalEntities }} />)
  expect(screen.getByText('Free plan')).toBeTruthy()
  const notice = screen.queryByRole('alert')
  expect(notice?.textContent?.startsWith(title ?? '')).toBe(title === undefined ? undefined : true)
  if (title !== undefined) expect(screen.getByRole('link', { name: 'See plans' })).toBeTruthy()
})

test('the usage of a period is described in words, and can be reloaded', async () => {
  const day = { day: '2026-01-05', queries: 0, creates: 0, updates: 0, deletes: 0, total: 0 }
  const usageDays = { days: [day] }
  const server = serve({ analytics: full, usage: new Refusal('forbidden', 'No'), usageDays })
  const { user } = await show(<PlanUsage />)
  expect(await screen.findByText('Failed to load usage data')).toBeTruthy()
  server.answer({ usage: { ...usage, storedBytes: 1_250_000 } })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('From Jan 5, 2026 to Feb 5, 2026')).toBeTruthy()
  expect(screen.getByText('9 operations today')).toBeTruthy()
  expect(screen.getByText(/^1\.3 MB of /)).toBeTruthy()
})

test('the newest conversation is told once there is one, with a link to all', async () => {
  const conversation = conversationOf('Night tolls')
  serve({
    ...answers,
    countConversations: { ...noCounts, conversations: 412, turns: 9_000, bytes: 61_200_000 },
    listConversations: { conversations: [conversation], nextCursor: null },
  })
  const { user, address } = await showDashboard()
  expect(await screen.findByText('412 conversations, 61.2 MB')).toBeTruthy()
  await user.click(screen.getByRole('link', { name: 'Night tolls' }))
  await waitFor(() => expect(address()).toBe('/conversations/cnv_night_tolls'))
})
