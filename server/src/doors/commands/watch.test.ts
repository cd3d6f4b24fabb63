import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import { runLoci } from '../../../test/loci-command.ts'

const main = join(import.meta.dirname, '../../../bin/loci.js')

let home: string
let server: Server
let path: string
/** What the server has stored, in order, and how it answers. */
let stored: Map<string, string>
let answer: (call: number) => 'ok' | 'store and hang up' | 'hang up' | 'busy' | 'refuse'
let calls: number

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'loci-watch-'))
  const folder = join(home, '.claude/projects/-shop')
  mkdirSync(folder, { recursive: true })
  path = join(folder, 's1.jsonl')
  stored = new Map()
  calls = 0
  answer = () => 'ok'
  // Stands in for a server somewhere: stores a turn that comes twice once, and fails as networks do.
  server = createServer(async (request, response) => {
    const way = answer(calls++)
    if (way === 'hang up') return void request.socket.destroy()
    if (way === 'busy') return void response.writeHead(503).end()
    if (way === 'refuse')
      return void response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    const { conversation, turns } = (await json(request)) as {
      conversation: { externalId: string }
      turns: { externalId: string; text: string }[]
    }
    const fresh = turns.filter(({ externalId }) => !stored.has(`${conversation.externalId}/${externalId}`))
    for (const { externalId, text } of fresh) stored.set(`${conversation.externalId}/${externalId}`, text)
    if (way === 'store and hang up') return void request.socket.destroy()
    const counts = {
      conversationId: 'cnv_1',
      stored: fresh.length,
      known: turns.length - fresh.length,
      redacted: 0,
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(counts))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
  rmSync(home, { recursive: true, force: true })
})

const environment = () => ({
  HOME: home,
  CLAUDE_CONFIG_DIR: '',
  CODEX_HOME: '',
  DATABASE_URL: '',
  LOCI_DATA_DIR: join(home, 'data'),
  LOCI_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  LOCI_API_KEY: 'loci_test',
})

const watchOnce = (...args: string[]) =>
  runLociInProcess(['watch', '--once', ...args], { env: environment() })

const startWatching = () =>
  spawn(process.execPath, [main, 'watch'], { env: { ...process.env, ...environment() }, stdio: 'ignore' })

const line = (n: number) =>
  `${JSON.stringify({ type: 'user', uuid: `u${n}`, sessionId: 's1', timestamp: '2026-11-01T10:00:00Z', cwd: '/shop', message: { content: `said ${n}` } })}\n`

const texts = () => [...stored.values()]
const expected = (count: number) => Array.from({ length: count }, (_, n) => `said ${n}`)

test('stores what is there once, and says what it did', async () => {
  writeFileSync(path, `${line(0) + line(1)}{"type":"brand-new","sessionId":"s1"}\n`)
  const first = await watchOnce()
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toContain('Stored 2 turns (0 were there already), removed 0 secrets or private parts.')
  expect(first.stdout).toContain('does not know it: claude-code: brand-new (1)')
  expect((await watchOnce('claude-code')).stdout).toContain('Stored 0 turns (0 were there already)')
  expect(texts()).toEqual(expected(2))
})

test('each turn comes in exactly once and in order through 20 kills and a server that fails', async () => {
  let written = 0
  writeFileSync(path, '')
  const write = () => appendFileSync(path, line(written++))
  answer = (call) => (['ok', 'store and hang up', 'ok', 'busy', 'hang up'] as const)[call % 5]!
  for (let kill = 0; kill < 20; kill++) {
    for (let n = 0; n < 5; n++) write()
    const child = startWatching()
    const before = calls
    // Until it sends something, and a little longer each time: before, while and after it remembers its place.
    await vi.waitFor(() => expect(calls).toBeGreaterThan(before), { timeout: 60_000, interval: 1 })
    write()
    await delay(kill % 7)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  answer = () => 'ok'
  expect((await runLoci(['watch', '--once'], { env: environment() })).code).toBe(0)
  expect(texts()).toEqual(expected(written))
  expect(written).toBe(120)
})

test('a turn arrives soon after it was written, and a second process leaves the work to the first', async () => {
  writeFileSync(path, line(0))
  const child = startWatching()
  try {
    await vi.waitFor(() => expect(texts()).toEqual(expected(1)), { timeout: 60_000 })
    expect((await watchOnce()).stdout).toContain('Another process follows the conversations already.')
    appendFileSync(path, line(1))
    await vi.waitFor(() => expect(texts()).toEqual(expected(2)), { timeout: 60_000 })
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
  } finally {
    child.kill('SIGKILL')
  }
})

test('says why nothing is stored', async () => {
  writeFileSync(path, line(0))
  answer = () => 'refuse'
  const refused = await watchOnce()
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('Nothing more was stored: This server keeps no conversations.')
  answer = () => 'busy'
  expect(await watchOnce()).toMatchObject({ code: 1 })
  answer = () => 'ok'
  expect((await watchOnce()).stdout).toContain('Stored 1 turns')
  expect((await watchOnce('emacs')).stderr).toContain(
    '"emacs" is no agent that can be followed. These are: claude-code, codex, copilot, cursor, gemini, opencode, qwen.',
  )
})

test('a file that cannot be read does not keep the others back', async () => {
  writeFileSync(path, line(0))
  mkdirSync(join(home, '.local/share/opencode'), { recursive: true })
  writeFileSync(join(home, '.local/share/opencode/opencode.db'), 'x'.repeat(5000))
  const { code, stdout } = await watchOnce()
  expect(code).toBe(1)
  expect(stdout).toContain('opencode.db: ')
  expect(texts()).toEqual(expected(1))
})

test('imports what agents wrote, once, and says what it would import', async () => {
  writeFileSync(path, line(0) + line(1))
  const importFolder = (...args: string[]) =>
    runLociInProcess(['import', join(home, '.claude'), ...args], { env: environment() })
  expect((await importFolder('--dry-run')).stdout).toMatch(
    /^Would import 1 file of claude-code, 1 kB\. Nothing was stored\.\n$/,
  )
  expect(texts()).toEqual([])
  expect((await importFolder()).stdout).toContain('Imported 1 conversation: 2 turns.')
  appendFileSync(path, line(2))
  // The same conversation in another file.
  writeFileSync(join(path, '../again.jsonl'), line(0))
  expect((await importFolder()).stdout).toContain('Imported 1 conversation: 1 turn, and 1 that were there')
  expect(texts()).toEqual(expected(3))
  expect((await importFolder()).stdout).toContain('Imported 0 conversations: 0 turns.')
  answer = () => 'busy'
  appendFileSync(path, line(3))
  const stopped = await importFolder()
  expect(stopped.code).toBe(1)
  expect(stopped.stderr).toContain('Run the same command to go on.')
})

test('imports an export of a chat program as conversations', async () => {
  const said = (role: string, text: string, at: number) => ({
    author: { role },
    create_time: at,
    content: { content_type: 'text', parts: [text] },
  })
  const mapping = {
    a: { parent: null, children: ['b'], message: said('user', 'Which tea?', 1_700_000_000) },
    b: { parent: 'a', children: ['c'], message: said('assistant', 'Assam.', 1_700_000_001) },
    c: { parent: 'b', children: ['d'], message: said('user', 'Yes', 1_700_000_002) },
    d: { parent: 'c', children: [], message: said('user', 'Yes', 1_700_000_002) },
  }
  const chats = [
    { conversation_id: 'c1', title: 'Tea', create_time: 1_700_000_000, current_node: 'd', mapping },
  ]
  const file = join(home, 'conversations.json')
  writeFileSync(file, JSON.stringify(chats))
  const importFile = () => runLociInProcess(['import', file, '--conversations'], { env: environment() })
  expect((await importFile()).stdout).toContain('Imported 1 conversation: 4 turns')
  expect(texts()).toEqual(['Which tea?', 'Assam.', 'Yes', 'Yes'])
  expect((await importFile()).stdout).toContain('0 turns, and 4 that were there already')
  writeFileSync(file, '[{"a":1}]')
  expect(await importFile()).toEqual({
    code: 2,
    stdout: '',
    stderr: `${file} cannot be imported: It holds no conversations of ChatGPT or Claude\n`,
  })
})
