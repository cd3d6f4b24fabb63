// @vitest-environment jsdom
import type { UsageResponse } from '@loci/contract/analytics'
import type { User } from '@loci/contract/auth'
import { screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { catchRedirects, serverSays } from '../../../test/browser.ts'
import { button } from '../../../test/find.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { spaceNamed } from '../../../test/spaces.ts'
import { type Scope, setScope } from '../../lib/scope.ts'
import { ConnectPanel } from './connect-panel.tsx'

const usage = (agentSeenAt: string | null): UsageResponse => ({
  plan: 'free',
  limits: { maxEntities: 1, maxBytes: 1, maxQueries: 1, maxApiKeys: 1, maxWebhooks: 1 },
  entities: 0,
  storedBytes: 0,
  operations: 0,
  apiKeys: 0,
  webhooks: 0,
  periodStart: '2026-01-01T00:00:00.000Z',
  periodEnd: '2026-02-01T00:00:00.000Z',
  agentSeenAt,
  agents: [],
})

const main = spaceNamed('default', 'spc_1')
const work = spaceNamed('Client work', 'spc_2')

type Place = { scope?: Scope; as?: User; answers?: Answers }

async function showPanel(
  origin = 'https://loci.example',
  agentSeenAt: string | null = null,
  { scope = {}, as = personAs('owner', { apiKey: 'loci_secret' }), answers = {} }: Place = {},
) {
  catchRedirects(`${origin}/settings`)
  setScope(scope)
  const server = serve({ usage: usage(agentSeenAt), listSpaces: { spaces: [main, work] }, ...answers })
  const { user } = await show(<ConnectPanel />, { as })
  await screen.findByText(/every project|key of its own/)
  return { user, server }
}

const accounts = [
  { id: 'acc_ada', name: 'Analytical Engines', role: 'owner' as const },
  { id: 'acc_bob', name: 'Looms & Söhne', role: 'member' as const },
]
const member = personAs('owner', { apiKey: 'loci_secret', accounts })

const tab = (name: string) => screen.getByRole('tab', { name })
const code = () => screen.getByRole('tabpanel').querySelector('pre')?.textContent

test('the line to paste contains my address and key, and is copied in full', async () => {
  const { user } = await showPanel()
  expect(code()).toBe(
    'claude mcp add -s user --transport http loci https://loci.example/mcp --header "Authorization: Bearer loci_secret"',
  )
  await user.click(button('Copy'))
  expect(await navigator.clipboard.readText()).toBe(code())
  expect(screen.getByText('Terminal')).toBeTruthy()
})

test('clients are chosen by click, by arrow keys, and from a list on small screens', async () => {
  const { user } = await showPanel()
  await user.click(tab('Cursor'))
  expect(screen.getByText('~/.cursor/mcp.json')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Add to Cursor' }).getAttribute('href')).toMatch(/^cursor:/)
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(tab('VS Code'))
  expect(tab('VS Code').getAttribute('aria-selected')).toBe('true')
  expect(code()).not.toContain('loci_secret')
  await user.keyboard('{ArrowUp}{ArrowUp}')
  expect(tab('ChatGPT').getAttribute('aria-selected')).toBe('true')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Client' }), 'Codex')
  expect(code()).toContain('codex mcp add loci')
})

test('a space has its own server name and address', async () => {
  await showPanel('https://loci.example', null, { scope: { space: 'spc_2' } })
  expect(code()).toBe(
    'claude mcp add -s user --transport http loci-client-work https://loci.example/mcp/spaces/spc_2 --header "Authorization: Bearer loci_secret"',
  )
})

test("another's account needs a key of its own, made with one click for the space on screen", async () => {
  const { user, server } = await showPanel('https://loci.example', null, {
    scope: { account: 'acc_bob', space: 'spc_2' },
    as: member,
    answers: { createKey: { id: 'key_1', apiKey: 'loci_made' } },
  })
  expect(screen.getByRole('tabpanel').textContent).not.toContain('loci_secret')
  expect(screen.getByText('Looms & Söhne')).toBeTruthy()
  await user.click(button('Create a key for this memory'))
  await waitFor(() => expect(code()).toContain('Bearer loci_made'))
  expect(code()).toContain('http loci-looms-sohne-client-work https://loci.example/mcp/spaces/spc_2')
  expect(server.callsOf('createKey').map(({ body }) => body)).toEqual([
    { name: 'Agent of Ada Lovelace', permissions: [], spaces: ['spc_2'] },
  ])
  await user.click(button('Copy key'))
  expect(await navigator.clipboard.readText()).toBe('loci_made')
})

test('a plan without room for a key says so, and clients that sign in need none', async () => {
  const { user } = await showPanel('https://loci.example', null, {
    scope: { account: 'acc_bob' },
    as: member,
    answers: { createKey: new Refusal('plan_limit_reached', 'Your plan allows 1 API key.') },
  })
  await user.click(button('Create a key for this memory'))
  expect(await screen.findByText('Your plan allows 1 API key.')).toBeTruthy()
  await user.click(tab('Claude (web, phone)'))
  expect(code()).toBe('https://loci.example/mcp')
})

test('a viewer, who may have no keys, is told which clients work', async () => {
  const viewer = [accounts[0]!, { ...accounts[1]!, role: 'viewer' as const }]
  await showPanel('https://loci.example', null, {
    scope: { account: 'acc_bob' },
    as: personAs('owner', { accounts: viewer }),
  })
  expect(screen.getByText(/^Viewers cannot create keys/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Create a key for this memory' })).toBeNull()
})

test('the arrow keys wrap around', async () => {
  const { user } = await showPanel()
  await user.click(tab('Claude Code'))
  await user.keyboard('{ArrowUp}')
  expect(document.activeElement).toBe(tab('Other clients (stdio)'))
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(tab('Claude Code'))
  expect(screen.getAllByRole('tab').filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1)
})

test.each([
  ['http://127.0.0.1:7400', true],
  ['https://loci.example', false],
])('chat clients cannot reach %s: %s', async (origin, isWarned) => {
  const { user } = await showPanel(origin)
  expect(screen.queryByText('This server has no public address')).toBeNull()
  await user.click(tab('ChatGPT'))
  expect(code()).toBe(`${origin}/mcp?profile=chatgpt`)
  expect(screen.queryByText('This server has no public address') !== null).toBe(isWarned)
})

test('on my own machine, clients start the program where it is installed', async () => {
  serverSays({ programPath: '/opt/loci/bin/loci.js' })
  const { user } = await showPanel('http://127.0.0.1:7400')
  await user.click(tab('Claude Desktop'))
  expect(code()).toContain('"/opt/loci/bin/loci.js"')
})

test('waits for the first call of an agent, and then says that it arrived', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 })
  onTestFinished(() => void vi.useRealTimers())
  const { server } = await showPanel()
  expect(screen.getByRole('status').textContent).toContain("Waiting for your agent's first call...")
  server.answer({ usage: usage('2026-01-05T09:00:00.000Z') })
  await waitFor(() => expect(screen.getByRole('status').textContent).toContain('Connected'))
})

test('does not wait for an agent that has called before', async () => {
  await showPanel('https://loci.example', '2026-01-05T09:00:00.000Z')
  await waitFor(() => expect(screen.getByRole('status').textContent).toContain('Connected'))
})
