import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../../test/harness.ts'
import { initialize, startMcpProcess } from '../../../test/mcp-process.ts'
import { type Call, type Era, postMcp } from '../../../test/mcp-raw.ts'
import { fillDataDirectory } from '../../../test/sqlite-template.ts'

const call = (name: unknown, args?: unknown): Call => ({
  method: 'tools/call',
  params: { name, ...(args === undefined ? {} : { arguments: args }) },
})
const prompt = (params?: unknown): Call => ({ method: 'prompts/get', params })
const template = { type: 'ref/resource', uri: 'memory://entities/{name}' }
const complete = (params: object): Call => ({ method: 'completion/complete', params })

const malformed: [string, Call][] = [
  ['a tool without parameters', { method: 'tools/call' }],
  ['a tool without a name', { method: 'tools/call', params: {} }],
  ['a tool whose name is a number', call(7)],
  ['a tool that does not exist', call('nothing')],
  ['arguments that are a list', call('read_graph', [])],
  ['arguments that are a text', call('create_entities', 'entities')],
  ['arguments that are a number', call('read_graph', 7)],
  ['arguments that are null', call('read_graph', null)],
  ['a resource without parameters', { method: 'resources/read' }],
  ['a resource without an address', { method: 'resources/read', params: {} }],
  ['a resource whose address is a number', { method: 'resources/read', params: { uri: 7 } }],
  ['a resource that does not exist', { method: 'resources/read', params: { uri: 'memory://nothing' } }],
  ['a prompt without parameters', prompt()],
  ['a prompt without a name', prompt({})],
  ['a prompt that does not exist', prompt({ name: 'nothing' })],
  ['a prompt without its argument', prompt({ name: 'recall_before_task' })],
  ['a prompt whose argument is a number', prompt({ name: 'recall_before_task', arguments: { task: 7 } })],
  ['a prompt whose arguments are a list', prompt({ name: 'recall_before_task', arguments: [] })],
  ['a completion of nothing', { method: 'completion/complete', params: {} }],
  ['a completion of an unknown kind', complete({ ref: { type: 'ref/tool' } })],
  ['a completion without what was typed', complete({ ref: template, argument: { name: 'name' } })],
  ['a list whose cursor is a number', { method: 'tools/list', params: { cursor: 7 } }],
]

function expectInvalidParams(message: { id?: unknown; error?: { code: number; message: string } }): void {
  expect(message).toMatchObject({ id: 1, error: { code: -32602 } })
  expect(message.error?.message).not.toMatch(/[{[\n]/)
}

describe('malformed parameters are "invalid params", explained in a sentence', () => {
  let server: TestServer
  let alice: Person
  beforeAll(async () => {
    server = await startTestServer('sqlite')
    alice = await server.signUp()
  })
  afterAll(() => server?.close())

  const ask = (era: Era, request: Call) => postMcp(`${server.url}/mcp`, alice.apiKey, era, request)

  test.each(malformed)('over HTTP in both eras: %s', async (_title, request) => {
    for (const era of ['older', 'current'] as const) expectInvalidParams((await ask(era, request)).message)
  })

  test('a handshake without a version', async () => {
    const { message } = await ask('older', { method: 'initialize', params: {} })
    expectInvalidParams(message)
    expect(message.error.message).toContain('protocolVersion: ')
  })

  test.each(['a data directory', 'a server'])('over stdio on %s', async (kind) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'loci-params-'))
    fillDataDirectory(dataDir)
    const { child, send, nextLine, ended } = startMcpProcess({
      LOCI_DATA_DIR: dataDir,
      ...(kind === 'a server' ? { LOCI_URL: server.url, LOCI_API_KEY: alice.apiKey } : {}),
    })
    send(initialize)
    await nextLine()
    for (const [, request] of malformed) {
      send({ id: 1, ...request })
      expectInvalidParams(await nextLine())
    }
    child.stdin.end()
    await ended
    await rm(dataDir, { recursive: true })
  })
})
