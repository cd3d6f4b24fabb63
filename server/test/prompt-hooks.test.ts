import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectOverStdio } from './mcp-clients.ts'

const hook = join(import.meta.dirname, '../../plugins/claude-code/hooks/prompt.mjs')
let dataDir: string
let agent: Client
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loci-'))
  agent = await connect()
  const observations = ['checkout-service is deployed with npm run ship']
  const entities = [{ name: 'checkout-service', entityType: 'project', observations }]
  await agent.callTool({ name: 'create_entities', arguments: { entities } })
})
afterAll(async () => {
  await agent.close()
  await rm(dataDir, { recursive: true, force: true })
})

const connect = (options: string[] = []) =>
  connectOverStdio(
    { LOCI_DATA_DIR: dataDir, DATABASE_URL: '', LOCI_URL: '', LOCI_API_KEY: '' },
    'auto',
    options,
  )

/** What the hook of a prompt prints for the JSON that an agent's program gives it. */
const run = (program: string, input: object) =>
  runScript(hook, program, input, { ...process.env, LOCI_DATA_DIR: dataDir })

function runScript(script: string, program: string, input: object, env: NodeJS.ProcessEnv): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [script, program], { env }, (error, out, problem) =>
      error === null && problem === ''
        ? resolve(out === '' ? undefined : JSON.parse(out))
        : reject(error ?? new Error(problem)),
    )
    child.stdin?.end(JSON.stringify(input))
  })
}

const prompt = 'How do I deploy checkout-service?'
const context = expect.stringContaining('checkout-service is deployed with npm run ship')

test('tell an agent what is known, each in its form, through the Loci that runs', async () => {
  const starts = () => run('gemini', { session_id: 'starts', prompt })
  await expect.poll(starts, { timeout: 20_000, interval: 500 }).toBeDefined()
  const gemini = { session_id: 'g', cwd: '/home/ada/shop', hook_event_name: 'BeforeAgent', prompt }
  expect(await run('gemini', gemini)).toEqual({
    hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: context },
  })
  const copilot = { sessionId: 'c', timestamp: 1, cwd: '/home/ada/shop', prompt }
  expect(await run('copilot', copilot)).toEqual({ additionalContext: context })
  expect(await run('copilot', copilot)).toBeUndefined()
  const cursor = { conversation_id: 'u', workspace_roots: ['/home/ada/shop'], prompt }
  expect(await run('cursor', cursor)).toEqual({ additional_context: context })
  expect(await run('cursor', { ...cursor, prompt: 'Thanks, go on' })).toBeUndefined()
  const ended = '<task-notification>checkout-service: done</task-notification>'
  expect(await run('gemini', { ...gemini, session_id: 'task', prompt: ended })).toBeUndefined()
})

test('tell at the start of a session what the Loci that runs knows, without starting another', async () => {
  // A plugin that has no program to start, and no npx to fetch one.
  const plugin = join(dataDir, 'plugin')
  await cp(join(hook, '../..'), plugin, { recursive: true })
  await rm(join(plugin, 'clone.json'), { force: true })
  const env = { LOCI_DATA_DIR: dataDir, PATH: dataDir }
  const input = { session_id: 'b', cwd: '/home/ada/checkout-service', hook_event_name: 'SessionStart' }
  const starts = () => runScript(join(plugin, 'hooks/recall.mjs'), 'claude-code', input, env)
  expect(await starts()).toEqual({
    hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: context },
  })
  // The next start asks what others changed since.
  expect(await readdir(join(dataDir, 'last-here'))).toHaveLength(1)
})

test('tell opencode beside the prompt: once at the start, then what prompts name, and subagents nothing', async () => {
  vi.stubEnv('LOCI_DATA_DIR', dataDir)
  const { loci } = await import(join(hook, '../opencode.mjs'))
  const get = async ({ path: { id } }: { path: { id: string } }) => {
    if (id === 'broken') throw new Error('no such session')
    return { data: { id, ...(id === 'sub' && { parentID: 'o' }) } }
  }
  const plugin = await loci({ client: { session: { get } }, directory: '/home/ada/checkout-service' })
  const tell = async (sessionID: string, text: string) => {
    const parts = [{ id: 'prt_1', type: 'text', text }]
    await plugin['chat.message']({ sessionID }, { message: { id: 'msg_1' }, parts })
    return parts.slice(1)
  }
  const part = { sessionID: 'o', messageID: 'msg_1', type: 'text', text: context, synthetic: true }
  expect(await tell('o', prompt)).toEqual([
    { ...part, id: 'prt_1z' },
    { ...part, id: 'prt_1zz' },
  ])
  expect(await tell('o', prompt)).toEqual([])
  expect(await tell('sub', prompt)).toEqual([])
  await plugin.event({ event: { type: 'session.compacted', properties: { sessionID: 'o' } } })
  expect(await tell('o', 'Go on')).toEqual([{ ...part, id: 'prt_1z' }])
  expect(await tell('o', prompt)).toEqual([{ ...part, id: 'prt_1z' }])
  expect(await tell('broken', prompt)).toEqual([])
  // A Node that does not end, and that a script has started.
  await writeFile(join(dataDir, 'node'), '#!/bin/sh\nsleep 20\ntrue\n', { mode: 0o700 })
  vi.stubEnv('PATH', `${dataDir}:${process.env.PATH}`)
  const before = performance.now()
  expect(await tell('o', prompt)).toEqual([])
  expect(performance.now() - before).toBeLessThan(15_000)
  await rm(join(dataDir, 'node'))
  vi.unstubAllEnvs()
})

test('are silent if no Loci runs, and go on with the next process that does', async () => {
  const other = await connect()
  await agent.close()
  const again = () => run('gemini', { session_id: 'later', prompt })
  await expect.poll(again, { timeout: 20_000, interval: 500 }).toMatchObject({ hookSpecificOutput: {} })
  await other.close()
  expect(await again()).toBeUndefined()
  agent = await connect()
})

test('give up when the whole answer has not come in time', async () => {
  const slow = await mkdtemp(join(tmpdir(), 'loci-slow-'))
  const server = createServer((socket) => {
    socket.on('error', () => {}).write('{"context":"')
    const dripping = setInterval(() => socket.write('x'), 500)
    socket.on('close', () => clearInterval(dripping))
  })
  server.listen(join(slow, 'hooks.sock'))
  await once(server, 'listening')
  const env = { ...process.env, LOCI_DATA_DIR: slow }
  const asked = runScript(hook, 'gemini', { session_id: 'slow', prompt }, env)
  await expect(asked).rejects.toThrow('no answer in time')
  server.close()
  await rm(slow, { recursive: true })
})

test('give up on an answer without an end, before it fills the memory', async () => {
  const flood = await mkdtemp(join(tmpdir(), 'loci-flood-'))
  let sent = 0
  const server = createServer((socket) => {
    const block = Buffer.alloc(1_000_000, 'x')
    const send = () => {
      sent += block.length
      if (socket.write(block)) setImmediate(send)
    }
    socket.on('error', () => {}).on('drain', send)
    send()
  })
  server.listen(join(flood, 'hooks.sock'))
  await once(server, 'listening')
  const asked = runScript(
    hook,
    'gemini',
    { session_id: 'f', prompt },
    { ...process.env, LOCI_DATA_DIR: flood },
  )
  await expect(asked).rejects.toThrow('more than a hook reads')
  expect(sent).toBeLessThan(100_000_000)
  server.close()
  await rm(flood, { recursive: true })
})

test('tell what a prompt names, however long it is', async () => {
  const long = { session_id: 'long', prompt: `${prompt}\n${'\u0001 sp\u00e4ter'.repeat(500_000)}` }
  await expect.poll(() => run('gemini', long), { timeout: 20_000, interval: 500 }).toBeDefined()
})

test('tell again what was told before the context was summed up', async () => {
  const input = { session_id: 'summed', cwd: '/home/ada/shop', prompt }
  await expect.poll(() => run('qwen', input), { timeout: 20_000, interval: 500 }).toBeDefined()
  expect(await run('qwen', input)).toBeUndefined()
  const start = { ...input, hook_event_name: 'SessionStart', source: 'compact' }
  await runScript(join(hook, '../recall.mjs'), 'qwen', start, { ...process.env, LOCI_DATA_DIR: dataDir })
  expect(await run('qwen', input)).toBeDefined()
})

test('are silent where the name of the data directory is too long for a socket', async () => {
  const env = { ...process.env, LOCI_DATA_DIR: join(dataDir, 'long-name'.repeat(20)) }
  expect(await runScript(hook, 'gemini', { session_id: 'long', prompt }, env)).toBeUndefined()
})
