import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { listenOn, startTestServer } from '../../../test/harness.ts'
import { connectOverStdio } from '../../../test/mcp-clients.ts'
import { initialize, type McpProcess, startMcpProcess } from '../../../test/mcp-process.ts'
import { fillDataDirectory } from '../../../test/sqlite-template.ts'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../ground/config/config.ts'
import { listChangesAfter } from '../../memory/log/read-changes.ts'
import { createLog, openContext } from '../../open-context.ts'
import { entityUri, graphUri } from './addresses.ts'

const patience = { timeout: 60_000, interval: 20 }

let dataDir: string
const clients: Client[] = []
const processes: McpProcess[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loci-stdio-'))
  fillDataDirectory(dataDir)
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  for (const { child } of processes.splice(0)) child.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

async function connect(mode: 'auto' | 'legacy' = 'auto', env: Record<string, string> = {}): Promise<Client> {
  const client = await connectOverStdio({ LOCI_DATA_DIR: dataDir, ...env }, mode)
  clients.push(client)
  return client
}

function start(env: Record<string, string> = {}): McpProcess {
  const started = startMcpProcess({ HOME: dataDir, LOCI_DATA_DIR: dataDir, ...env })
  processes.push(started)
  return started
}

/** Non-protocol output of a process that receives no messages. */
async function errorsOfOne(): Promise<string> {
  const { child, ended } = start()
  child.stdin.end()
  return (await ended).err
}

/** A server in this process, on the same data directory. */
async function serveDirectory() {
  const config = readConfig({ PORT: '0', LOCI_DATA_DIR: dataDir, LOCI_LOG_LEVEL: 'silent' })
  return listenOn(await openContext(config, createLog(config)))
}

const thing = (name: string, ...observations: string[]) => ({ name, entityType: 'thing', observations })
const create = (...names: string[]) => ({
  name: 'create_entities',
  arguments: { entities: names.map((name) => thing(name, 'A fact')) },
})

const completeAd = {
  ref: { type: 'ref/resource', uri: 'memory://entities/{name}' },
  argument: { name: 'name', value: 'ad' },
} as const

async function namesIn(client: Client): Promise<string[]> {
  const { structuredContent } = await client.callTool({ name: 'read_graph' })
  const { entities } = structuredContent as { entities: { name: string }[] }
  return entities.map((entity) => entity.name)
}

describe('loci mcp on a data directory', () => {
  test.each(['auto', 'legacy'] as const)('serves the official client in mode %s', async (mode) => {
    const client = await connect(mode)
    expect(client.getServerVersion()).toMatchObject({ name: 'loci', title: 'Loci' })
    expect(client.getInstructions()).toContain('Recall first')
    expect((await client.listTools()).tools.length).toBeGreaterThan(9)
    await client.callTool(create('Ada'))
    expect(await namesIn(client)).toEqual(['Ada'])
    const { structuredContent } = await client.callTool({ name: 'list_changes' })
    expect(structuredContent).toMatchObject({ changes: [{ by: 'test-agent', entities: ['Ada'] }] })
    const { contents } = await client.readResource({ uri: entityUri('Ada') })
    expect(contents).toMatchObject([{ mimeType: 'application/json', uri: entityUri('Ada') }])
    expect((await client.listResources()).resources[0]?.uri).toBe(graphUri)
    expect((await client.complete(completeAd)).completion.values).toEqual(['Ada'])
    const prompt = await client.getPrompt({ name: 'recall_before_task', arguments: { task: 'Bake bread' } })
    expect(JSON.stringify(prompt.messages)).toContain('Bake bread')
    await expect(client.getPrompt({ name: 'recall_before_task' })).rejects.toThrow('task is required')
  })

  test('remembers after a restart', async () => {
    const first = await connect()
    await first.callTool(create('Ada'))
    await first.close()
    expect(await namesIn(await connect())).toEqual(['Ada'])
  })

  test('writes nothing but the protocol to its output, and ends when its input does', async () => {
    const { child, send, nextLine, ended } = start({ LOCI_LOG_LEVEL: 'trace' })
    send(initialize)
    await nextLine()
    child.stdin.write('this is not JSON\n{"jsonrpc":"2.0"}\n')
    send({ id: 1, method: 'tools/call', params: create('Ada') })
    send({ id: 2, method: 'tools/call', params: { name: 'nothing' } })
    for (let id = 0; id !== 2; ) id = (await nextLine()).id
    child.stdin.end()
    const { code, out } = await ended
    expect(code).toBe(0)
    for (const line of out.trimEnd().split('\n')) expect(JSON.parse(line).jsonrpc).toBe('2.0')
  })

  test('answers each line that is no message, but no broken response', async () => {
    const [notJson, notMessage] = [-32_700, -32_600]
    const refused: [string, unknown, number][] = [
      ['this is not JSON', null, notJson],
      ['{"jsonrpc":"2.0","id":', null, notJson],
      ['17', null, notMessage],
      ['null', null, notMessage],
      ['"tools/list"', null, notMessage],
      ['{}', null, notMessage],
      ['{"jsonrpc":"2.0"}', null, notMessage],
      ['{"jsonrpc":"2.0","id":7}', 7, notMessage],
      ['{"jsonrpc":"1.0","id":"a","method":"ping"}', 'a', notMessage],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null, notMessage],
      ['[]', null, notMessage],
      ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null, notMessage],
    ]
    const ignored = ['', '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Yours was wrong"}}']
    const { child, send, nextLine, ended } = start()
    send(initialize)
    await nextLine()
    child.stdin.end([...ignored, ...refused.map(([line]) => line), ''].join('\n'))
    const { code, out } = await ended
    const [, ...answers] = out.trimEnd().split('\n')
    expect(code).toBe(0)
    expect(answers.map((answer) => JSON.parse(answer))).toMatchObject(
      refused.map(([, id, code]) => ({ jsonrpc: '2.0', id, error: { code } })),
    )
  })

  test('answers a batch at once in the protocol that has batches', async () => {
    const { child, send, nextLine, ended } = start()
    send({ ...initialize, params: { ...initialize.params, protocolVersion: '2025-03-26' } })
    expect(await nextLine()).toMatchObject({ result: { protocolVersion: '2025-03-26' } })
    const request = (id: unknown, method: string, params?: object) => ({ jsonrpc: '2.0', id, method, params })
    const batch = (...messages: unknown[]) => child.stdin.write(`${JSON.stringify(messages)}\n`)
    batch({ jsonrpc: '2.0', method: 'notifications/initialized' })
    batch(request(1, 'tools/call', create('Ada')), 17, request('b', 'ping'), request(3, 'no/such'))
    const answers: { id: unknown }[] = await nextLine()
    expect(answers.toSorted((a, b) => String(a.id).localeCompare(String(b.id)))).toMatchObject([
      { id: 1, result: { structuredContent: { entities: [{ name: 'Ada' }] } } },
      { id: 3, error: { code: -32_601 } },
      { id: 'b', result: {} },
      { id: null, error: { code: -32_600 } },
    ])
    batch(request(4, 'tools/call', { name: 'open_nodes', arguments: { names: ['Ada'] } }))
    child.stdin.end()
    expect(await nextLine()).toMatchObject([{ id: 4, result: { content: [{ type: 'text' }] } }])
    expect((await ended).code).toBe(0)
  })

  test('answers the same whether or not a call bypasses the SDK', async () => {
    const { send, nextLine } = start()
    send(initialize)
    await nextLine()
    const answerTo = async (params: object, _meta: object) => {
      send({ id: 1, method: 'tools/call', params: { ...params, _meta } })
      return nextLine()
    }
    const inOrder = [create('Ada'), create('Ada'), { name: 'open_nodes', arguments: { names: ['Ada'] } }]
    const refused = [{ name: 'open_nodes', arguments: { names: 7 } }, { name: 'nothing' }]
    for (const params of [...inOrder.slice(1), ...refused]) {
      await answerTo(inOrder[0]!, {})
      const direct = await answerTo(params, { progressToken: 1 })
      expect(await answerTo(params, { 'test.example/of': 'the SDK' })).toEqual(direct)
    }
    expect(await answerTo({ name: 'list_changes' }, {})).toMatchObject({
      result: { structuredContent: { changes: [{ by: 'test', entities: ['Ada'] }] } },
    })
  })

  test('ends with a clear message if it cannot tell whose memory it is', async () => {
    const server = await serveDirectory()
    await server.signUp('alice')
    const { apiKey } = await server.signUp('bob')
    const { code, out, err } = await start().ended
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err).toContain('Set LOCI_API_KEY to say whose memory this is')
    const wrong = await start({ LOCI_API_KEY: 'loci_wrong' }).ended
    expect(wrong.err).toContain('LOCI_API_KEY is not a key of an account in this database')
    expect(await namesIn(await connect('auto', { LOCI_API_KEY: apiKey }))).toEqual([])
    await server.close()
  })

  test.each(['auto', 'legacy'] as const)(
    'works with a key until that is revoked, in mode %s',
    async (mode) => {
      const server = await serveDirectory()
      const { rest } = await server.signUp()
      const { id, apiKey } = await rest.createKey({ body: { name: 'agent' } })
      const client = await connect(mode, { LOCI_API_KEY: apiKey })
      const updates: string[] = []
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        updates.push(params.uri)
      })
      if (mode === 'auto') await client.listen({ resourceSubscriptions: [graphUri] })
      else await client.subscribeResource({ uri: graphUri })
      expect((await client.callTool(create('Ada'))).isError).toBeFalsy()
      await vi.waitFor(() => expect(updates).toEqual([graphUri]), patience)
      await rest.deleteKey({ params: { id } })
      const refused = await client.callTool(create('Bea'))
      expect(refused).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('LOCI_API_KEY is no longer valid') }],
        _meta: { 'dev.loci/error': { code: 'not_authenticated' } },
      })
      expect((await client.callTool({ name: 'read_graph' })).isError).toBe(true)
      await expect(client.readResource({ uri: graphUri })).rejects.toThrow('LOCI_API_KEY is no longer valid')
      await expect(client.complete(completeAd)).rejects.toThrow('LOCI_API_KEY is no longer valid')
      await rest.createEntity({ body: { name: 'Cy', type: 'thing' } })
      const { entities } = await rest.listEntities({ query: {} })
      expect(entities.map(({ name }) => name).sort()).toEqual(['Ada', 'Cy'])
      // Longer than a notification takes.
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(updates).toEqual([graphUri])
      await server.close()
    },
  )

  test('memory stored without a key belongs to whoever opens the printed link, and to nobody else', async () => {
    const server = await serveDirectory()
    const link = /\/signup#claim=(\S+)/.exec(await errorsOfOne())
    const mallory = await server.signUp('mallory')
    const client = await connect()
    await client.callTool(create('Early'))
    expect((await mallory.rest.listEntities({ query: {} })).total).toBe(0)
    const body = {
      email: 'a@example.com',
      password: 'long enough',
      firstName: 'A',
      lastName: 'B',
      claim: link![1]!,
    }
    const { token } = await server.anonymous.register({ body })
    await client.callTool(create('Later'))
    expect((await server.call('GET', '/api/entities', { token })).body.total).toBe(2)
    expect((await mallory.rest.listEntities({ query: {} })).total).toBe(0)
    expect(await errorsOfOne()).toBe('')
    await server.close()
  })

  test('ten of them and a server write at once, and nothing is lost', { timeout: 300_000 }, async () => {
    const [writers, writes] = [10, 8]
    const server = await serveDirectory()
    const alice = await server.signUp()
    const key = { LOCI_API_KEY: alice.apiKey }
    const agents = await Promise.all(Array.from({ length: writers }, () => connect('auto', key)))
    const byAgent = agents.map(async (agent, a) => {
      for (let i = 0; i < writes; i++) {
        const result = await agent.callTool(create(`agent ${a}, ${i}`, `everybody ${i}`))
        expect(result.isError).toBeFalsy()
      }
    })
    const byPerson = Array.from({ length: writes }, (_, i) =>
      alice.rest.createEntity({ body: { name: `person ${i}`, type: 'thing', observations: ['A fact'] } }),
    )
    await Promise.all([...byAgent, ...byPerson])

    const expected = [
      ...agents.flatMap((_, a) => Array.from({ length: writes }, (_, i) => `agent ${a}, ${i}`)),
      ...Array.from({ length: writes }, (_, i) => `everybody ${i}`),
      ...Array.from({ length: writes }, (_, i) => `person ${i}`),
    ]
    expect((await namesIn(agents[0]!)).sort()).toEqual(expected.sort())
    const { entities, total } = await alice.rest.listEntities({ query: { limit: '500' } })
    expect(total).toBe(expected.length)
    expect(entities.every((entity) => entity.observationsCount === 1)).toBe(true)
    const { db } = server.ctx
    const changes = await listChangesAfter(db, await scopeOf(server, alice), 0, 10_000)
    expect(changes.map((change) => change.seq)).toEqual(Array.from(changes, (_, i) => i + 1))
    expect(changes.length).toBe(2 * expected.length)
    await server.close()
  })

  test('killed in the middle of a call, it has done all of the call or nothing', async () => {
    const sizes: number[] = []
    for (let round = 0; round < 3; round++) {
      const { child, send, nextLine, ended } = start()
      send(initialize)
      await nextLine()
      const names = Array.from({ length: 300 }, (_, i) => `round ${round}, ${i}`)
      send({ id: 1, method: 'tools/call', params: create(...names) })
      // A longer delay each round, so that one of them hits a running call.
      await new Promise((resolve) => setTimeout(resolve, 40 * round))
      child.kill('SIGKILL')
      await ended
      sizes.push(await countOf(round))
    }
    expect(sizes.every((size) => size === 0 || size === 300)).toBe(true)
  })

  async function countOf(round: number): Promise<number> {
    const client = await connect()
    const names = Array.from({ length: 300 }, (_, i) => `round ${round}, ${i}`)
    const { structuredContent } = await client.callTool({ name: 'open_nodes', arguments: { names } })
    const { entities } = structuredContent as { entities: { observations: string[] }[] }
    expect(entities.every((entity) => entity.observations.length === 1)).toBe(true)
    await client.close()
    return entities.length
  }
})

describe('loci mcp as a bridge to a server', () => {
  test.each(['auto', 'legacy'] as const)('passes everything on in mode %s', async (mode) => {
    const server = await startTestServer('sqlite')
    const alice = await server.signUp()
    const client = await connect(mode, { LOCI_URL: server.url, LOCI_API_KEY: alice.apiKey })
    const direct = await connect(mode)
    expect((await client.listTools()).tools).toEqual((await direct.listTools()).tools)
    expect((await client.listPrompts()).prompts).toEqual((await direct.listPrompts()).prompts)
    expect((await client.listResources()).resources).toEqual((await direct.listResources()).resources)
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual(
      (await direct.listResourceTemplates()).resourceTemplates,
    )
    expect(client.getInstructions()).toBe(direct.getInstructions())

    await client.callTool(create('Ada'))
    const { entities } = await alice.rest.listEntities({ query: {} })
    expect(entities.map((entity) => entity.name)).toEqual(['Ada'])
    const { contents } = await client.readResource({ uri: graphUri })
    expect(JSON.stringify(contents)).toContain('Ada')
    expect((await client.complete(completeAd)).completion.values).toEqual(['Ada'])
    const prompt = { name: 'save_after_task', arguments: { focus: 'bread' } }
    expect(await client.getPrompt(prompt)).toMatchObject({ messages: [{ role: 'user' }] })

    const refused = { name: 'update_entity', arguments: { name: 'Nobody' } }
    const [bridged, local] = [await client.callTool(refused), await direct.callTool(refused)]
    expect(bridged).toMatchObject({ isError: true, content: local.content })
    expect(bridged._meta).toMatchObject({ 'dev.loci/error': { code: 'entity_not_found' } })
    const unknown = { code: -32602, message: 'Tool nothing not found' }
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject(unknown)
    await expect(client.readResource({ uri: 'memory://nothing' })).rejects.toMatchObject({ code: -32602 })
    const { structuredContent } = await client.callTool({ name: 'list_changes' })
    expect(structuredContent).toMatchObject({ changes: [{ by: 'test-agent', entities: ['Ada'] }] })

    const { operations } = await alice.rest.usage()
    await client.callTool({ name: 'recall', arguments: { query: 'Ada' }, _meta: { 'dev.loci/check': true } })
    expect(await alice.rest.usage()).toMatchObject({ operations })
    await server.close()
  })

  test.each(['auto', 'legacy'] as const)(
    'tells of updates in mode %s, also after the server was away',
    async (mode) => {
      const server = await startTestServer('sqlite')
      const alice = await server.signUp()
      const client = await connect(mode, { LOCI_URL: server.url, LOCI_API_KEY: alice.apiKey })
      const updates: string[] = []
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        updates.push(params.uri)
      })
      if (mode === 'auto') await client.listen({ resourceSubscriptions: [entityUri('Ada')] })
      else await client.subscribeResource({ uri: entityUri('Ada') })
      await alice.rest.createEntity({ body: { name: 'Bea', type: 'thing' } })
      const { entity } = await alice.rest.createEntity({ body: { name: 'Ada', type: 'thing' } })
      await vi.waitFor(() => expect(updates).toEqual([entityUri('Ada')]), patience)
      await alice.rest.createObservations({ params: { id: entity.id }, body: { content: 'A fact' } })
      await vi.waitFor(() => expect(updates).toEqual([entityUri('Ada'), entityUri('Ada')]), patience)

      const { port } = new URL(server.url)
      await server.app.close()
      const again = await buildApp(server.ctx)
      await again.listen({ port: Number(port), host: '127.0.0.1' })
      await vi.waitFor(() => expect(updates.length).toBe(3), patience)
      await alice.rest.deleteEntity({ params: { id: entity.id } })
      await vi.waitFor(() => expect(updates).toEqual(Array(4).fill(entityUri('Ada'))), patience)
      await again.close()
      await server.close()
    },
  )

  test('works in the requested space, as a bridge and on the directory', async () => {
    const server = await startTestServer('sqlite')
    const { rest, apiKey } = await server.signUp()
    await rest.createSpace({ body: { name: 'Work' } })
    const open = async (env: Record<string, string>) => {
      const client = await connectOverStdio({ LOCI_API_KEY: apiKey, ...env }, 'auto', ['--space', 'Work'])
      clients.push(client)
      return client
    }
    const bridge = await open({ LOCI_DATA_DIR: dataDir, LOCI_URL: server.url })
    await bridge.callTool(create('Desk'))
    const direct = await open({ LOCI_DATA_DIR: server.config.dataDir })
    await direct.callTool(create('Chair'))
    for (const client of [bridge, direct]) expect(await namesIn(client)).toEqual(['Desk', 'Chair'])
    const { entities } = await rest.listEntities({ headers: { 'loci-space': 'Work' } })
    expect(entities.map(({ name }) => name).sort()).toEqual(['Chair', 'Desk'])
    expect((await rest.listEntities()).entities).toEqual([])
    await server.close()
  })

  test('says that the key is wrong, or missing', async () => {
    const server = await startTestServer('sqlite')
    const env = { LOCI_URL: server.url, LOCI_API_KEY: `loci_${'x'.repeat(46)}` }
    const client = await connect('legacy', env)
    await expect(client.listTools()).rejects.toThrow(/LOCI_API_KEY/)
    const { code, err } = await start({ LOCI_URL: server.url }).ended
    expect(code).toBe(1)
    expect(err).toContain('LOCI_API_KEY must be set too')
    await server.close()
  })

  test('says that the server is down, and works again when it is back', async () => {
    const first = await startTestServer('sqlite')
    const alice = await first.signUp()
    const { port } = new URL(first.url)
    const client = await connect('auto', { LOCI_URL: first.url, LOCI_API_KEY: alice.apiKey })
    await client.callTool(create('Ada'))
    await first.app.close()
    await expect(client.callTool(create('Bea'))).rejects.toThrow(first.url)
    const late = await connect('legacy', { LOCI_URL: first.url, LOCI_API_KEY: alice.apiKey })
    await expect(late.listTools()).rejects.toThrow('ECONNREFUSED')
    const second = await buildApp(first.ctx)
    await second.listen({ port: Number(port), host: '127.0.0.1' })
    await client.callTool(create('Cy'))
    expect(await namesIn(client)).toEqual(['Ada', 'Cy'])
    await second.close()
    await first.close()
  })
})
