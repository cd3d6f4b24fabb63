import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTask } from 'node:timers/promises'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/harness.ts'
import { connectOverStdio } from '../../../test/mcp-clients.ts'
import { initialize, startMcpProcess } from '../../../test/mcp-process.ts'
import { fillDataDirectory } from '../../../test/sqlite-template.ts'
import { finishCallsBeforeClose } from './finish-calls.ts'

let dataDir: string
let server: TestServer | undefined

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loci-finish-'))
  fillDataDirectory(dataDir)
})
afterEach(async () => {
  await server?.close()
  server = undefined
  await rm(dataDir, { recursive: true, force: true })
})

/** The environment of `loci mcp`: its own directory, or a server. */
async function environment(kind: string): Promise<Record<string, string>> {
  if (kind === 'a data directory') return { LOCI_DATA_DIR: dataDir }
  server = await startTestServer('sqlite')
  return { LOCI_URL: server.url, LOCI_API_KEY: (await server.signUp()).apiKey }
}

const entities = Array.from({ length: 200 }, (_, i) => ({
  name: `Entity ${i}`,
  entityType: 'thing',
  observations: ['A fact'],
}))
const create = { id: 2, method: 'tools/call', params: { name: 'create_entities', arguments: { entities } } }
const list = { id: 1, method: 'tools/list' }

async function countStored(env: Record<string, string>): Promise<number> {
  const client = await connectOverStdio(env, 'auto')
  const names = entities.map(({ name }) => name)
  const { structuredContent } = await client.callTool({ name: 'open_nodes', arguments: { names } })
  await client.close()
  return (structuredContent as { entities: unknown[] }).entities.length
}

const idsIn = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id)

describe.each(['a data directory', 'a server'])('loci mcp on %s', (kind) => {
  const said = kind === 'a server' ? '' : expect.stringContaining('This memory belongs to nobody yet')

  test('answers and stores what was sent before its input ended', async () => {
    const env = await environment(kind)
    const { child, send, ended } = startMcpProcess(env)
    for (const message of [initialize, list, create]) send(message)
    child.stdin.end()
    const { code, out, err } = await ended
    expect({ code, err, ids: idsIn(out).sort() }).toEqual({ code: 0, err: said, ids: [0, 1, 2] })
    expect(await countStored(env)).toBe(entities.length)
  })

  test('finishes running calls when asked to stop', async () => {
    const env = await environment(kind)
    const { child, send, nextLine, ended } = startMcpProcess(env)
    send(initialize)
    await nextLine()
    send(create)
    send(list)
    // The list is returned first, as the other call takes longer.
    await nextLine()
    child.kill('SIGTERM')
    const { code, out, err } = await ended
    expect({ code, err, ids: idsIn(out).sort() }).toEqual({ code: 0, err: said, ids: [0, 1, 2] })
    expect(await countStored(env)).toBe(entities.length)
  })

  test('finishes running calls when a message is too long, says so and ends', async () => {
    const env = await environment(kind)
    const { child, send, ended } = startMcpProcess(env)
    child.stdin.on('error', () => {})
    for (const message of [initialize, create]) send(message)
    child.stdin.write('x'.repeat(11 * 1_024 * 1_024))
    const { code, out, err } = await ended
    expect({ code, ids: idsIn(out).sort() }).toEqual({ code: 0, ids: [0, 2] })
    expect(err).toContain('A line has more than 10485760 bytes')
    expect(await countStored(env)).toBe(entities.length)
  })
})

describe('a transport that closes', () => {
  const request = (id: number, method = 'tools/list'): JSONRPCMessage => ({ jsonrpc: '2.0', id, method })

  const nothing = async () => {}

  /** Whether it closes immediately after these messages were received and these responses sent. */
  async function closesAtOnce(messages: JSONRPCMessage[], answers: JSONRPCMessage[] = []): Promise<boolean> {
    const transport: Transport = { start: nothing, send: nothing, close: nothing, onmessage() {} }
    void finishCallsBeforeClose(transport, 100)
    for (const message of messages) transport.onmessage?.(message)
    for (const answer of answers) await transport.send(answer)
    const closed = transport.close().then(() => true)
    const isAtOnce = await Promise.race([closed, nextTask(false)])
    await closed
    return isAtOnce
  }

  test('waits for unanswered calls, but not forever', async () => {
    expect(await closesAtOnce([request(1)])).toBe(false)
    expect(await closesAtOnce([request(1), request(2)], [{ jsonrpc: '2.0', id: 1, result: {} }])).toBe(false)
  })

  test('does not wait if all calls are answered or need no answer', async () => {
    const cancel: JSONRPCMessage = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 2 },
    }
    const error: JSONRPCMessage = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Not found' } }
    expect(await closesAtOnce([])).toBe(true)
    expect(await closesAtOnce([request(1), request(2), cancel], [error])).toBe(true)
    expect(await closesAtOnce([request(1, 'subscriptions/listen')])).toBe(true)
  })
})
