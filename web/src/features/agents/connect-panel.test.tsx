// @vitest-environment jsdom
import type { UsageResponse } from '@loci/contract/analytics'
import { screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { catchRedirects, serverSays } from '../../../test/browser.ts'
import { button } from '../../../test/find.ts'
import { show } from '../../../test/screen.tsx'
import { serve } from '../../../test/server-double.ts'
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

async function showPanel(origin = 'https://loci.example', agentSeenAt: string | null = null) {
  catchRedirects(`${origin}/settings`)
  const server = serve({ usage: usage(agentSeenAt) })
  const { user } = await show(<ConnectPanel apiKey="loci_secret" />)
  return { user, server }
}

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
  await waitFor(() => expect(screen.getByRole('status').textContent).toContain('Connected'), {
    timeout: 5_000,
  })
})

test('does not wait for an agent that has called before', async () => {
  await showPanel('https://loci.example', '2026-01-05T09:00:00.000Z')
  await waitFor(() => expect(screen.getByRole('status').textContent).toContain('Connected'))
})
