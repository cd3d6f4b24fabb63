import { request as httpRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import {
  describeOnBothDatabases,
  type Person,
  startTestServer,
  type TestServer,
} from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

const version = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
}
const modernHeaders = { 'mcp-protocol-version': version, accept: 'application/json, text/event-stream' }

/** The body of a refusal sent before any request was read. */
const rpcError = (code: number, ours: string) => ({
  jsonrpc: '2.0',
  id: null,
  error: { code, message: expect.any(String), data: { code: ours } },
})

type Sent = { status: number; text: string; headers: Headers }

/** Sends a raw body, with valid credentials by default. */
async function post(
  server: TestServer,
  person: Person,
  body: string,
  headers: Record<string, string> = {},
): Promise<Sent> {
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${person.apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const call = (params: unknown, method = 'tools/call') =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const legacyCall = (name: unknown, args: unknown) => call({ name, arguments: args })
const entity = (value: unknown) => ({ entities: [value] })

const hostileBodies: [string, string][] = [
  ['nothing', ''],
  ['no JSON', '{"jsonrpc": "2.0", '],
  ['half a string', '{"a":"\\ud8'],
  ['null', 'null'],
  ['a number', '17'],
  ['a string', '"tools/list"'],
  ['an empty object', '{}'],
  ['an empty batch', '[]'],
  ['a batch of rubbish', '[1, null, "x", {}, []]'],
  ['a batch of a thousand', `[${Array(1_000).fill(call(undefined, 'ping')).join(',')}]`],
  ['depth', nested(100_000)],
  [
    'depth in arguments',
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_graph","arguments":{"after":${nested(50_000)}}}}`,
  ],
  ['a prototype key', '{"jsonrpc":"2.0","id":1,"method":"tools/list","__proto__":{"isAdmin":true}}'],
  [
    'a prototype key in arguments',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_entities","arguments":{"__proto__":{"entities":[]},"constructor":{"prototype":{"x":1}}}}}',
  ],
  ['a tool called __proto__', legacyCall('__proto__', {})],
  ['a tool called constructor', legacyCall('constructor', {})],
  ['a prompt called toString', call({ name: 'toString' }, 'prompts/get')],
  ['an unknown method', call({}, 'graph/drop')],
  ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":{}}'],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}'],
  ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}'],
  ['a name that is no text', legacyCall(17, {})],
  ['arguments that are a list', legacyCall('read_graph', [])],
  ['arguments that are a text', legacyCall('create_entities', 'entities')],
  ['an entity that is null', legacyCall('create_entities', entity(null))],
  [
    'a NUL character',
    legacyCall('create_entities', entity({ name: 'a\0b', entityType: 't', observations: [] })),
  ],
  [
    'half a surrogate',
    legacyCall('create_entities', entity({ name: 'a\ud800', entityType: 't', observations: [] })),
  ],
  ['a NUL character to look for', legacyCall('open_nodes', { names: ['\0'] })],
  ['a NUL character to delete', legacyCall('delete_entities', { entityNames: ['\0', '\ud800'] })],
  [
    'a NUL character in a relation',
    legacyCall('delete_relations', { relations: [{ from: '\0', to: '\0', relationType: '\0' }] }),
  ],
  [
    'a NUL character in an observation',
    legacyCall('delete_observations', { deletions: [{ entityName: 'Ada', observations: ['\0'] }] }),
  ],
  ['a NUL character to search for', legacyCall('search_nodes', { query: '\0' })],
  ['a NUL character to recall', legacyCall('recall', { query: 'x', types: ['\0'] })],
  ['a NUL character in a resource', call({ uri: 'memory://entities/%00' }, 'resources/read')],
  ['a resource that is no address', call({ uri: 'not an address' }, 'resources/read')],
  ['a resource with a broken escape', call({ uri: 'memory://entities/%E0%A4%A' }, 'resources/read')],
  [
    'more entities than a call may have',
    legacyCall('create_entities', {
      entities: Array(1_001).fill({ name: 'x', entityType: 't', observations: [] }),
    }),
  ],
  [
    'a name of a million characters',
    legacyCall('create_entities', entity({ name: 'x'.repeat(1e6), entityType: 't', observations: [] })),
  ],
  ['a date that is none', legacyCall('list_changes', { since: '2026-02-31' })],
  ['a huge number', legacyCall('list_changes', { before: 1e308 })],
  [
    'depth in metadata',
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_entity","arguments":{"name":"x","metadata":{"a":${nested(50_000)}}}}}`,
  ],
  ['a subscription to nothing', call({}, 'subscriptions/listen')],
]

describeOnBothDatabases('hostile bodies at /mcp', (server) => {
  test.each(hostileBodies)('%s: is refused with an explanation and changes nothing', async (_title, body) => {
    const person = await server().signUp()
    const answers = [
      await post(server(), person, body),
      await post(server(), person, body, modernHeaders),
      await post(server(), person, withMeta(body), { ...modernHeaders, ...standardHeaders(body) }),
    ]
    for (const { status, text } of answers) {
      expect(status, text).toBeLessThan(500)
      expect(text).not.toContain('Something went wrong')
      expect(text).not.toMatch(/node_modules|\.ts:\d|SQLITE|SqliteError|at \w+ \(/)
      expectSensible(status, text)
    }
    const { changes } = await changesOf(server(), person)
    expect(changes).toEqual([])
  })

  test('a body above the limit is 413', async () => {
    const person = await server().signUp()
    const { status, text } = await post(server(), person, `"${'x'.repeat(9 * 1024 * 1024)}"`)
    expect(status).toBe(413)
    expect(JSON.parse(text)).toMatchObject(rpcError(-32000, 'body_too_large'))
  })

  test('a body not declared as JSON is 415', async () => {
    const person = await server().signUp()
    const { status, text } = await post(server(), person, call({}, 'ping'), { 'content-type': 'text/plain' })
    expect(status).toBe(415)
    expect(JSON.parse(text)).toMatchObject(rpcError(-32000, 'not_json'))
  })

  test('a body that is not JSON is a JSON-RPC parse error', async () => {
    const person = await server().signUp()
    const { status, text } = await post(server(), person, '{"jsonrpc": "2.0", ')
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject(rpcError(-32700, 'malformed_json'))
  })

  test('an unknown protocol version is refused with the known ones', async () => {
    const person = await server().signUp()
    const unknown = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const { status, text } = await post(server(), person, call({ _meta: unknown }, 'tools/list'), {
      ...modernHeaders,
      'mcp-protocol-version': '2099-01-01',
      'mcp-method': 'tools/list',
    })
    expect(status).toBe(400)
    expect(JSON.parse(text).error.data.supported).toContain(version)
  })

  test('internal errors are not revealed', async () => {
    const person = await server().signUp()
    const client = await connectOverHttp(server(), person.apiKey, 'legacy')
    const { db } = server().ctx
    await db.schema.alterTable('entities').renameTo('entities_away').execute()
    const read = await client.readResource({ uri: 'memory://knowledge-graph' }).catch((error) => error)
    const tool = await client.callTool({ name: 'read_graph' })
    await db.schema.alterTable('entities_away').renameTo('entities').execute()
    expect(read).toMatchObject({ code: -32603, message: 'Something went wrong on our side' })
    expect(tool).toMatchObject({
      isError: true,
      content: [{ text: 'Something went wrong on our side' }],
      _meta: { 'dev.loci/error': { code: 'internal' } },
    })
    await client.close()
  })
})

/** Every refusal is JSON, either JSON-RPC or our own shape; every success is JSON-RPC. */
function expectSensible(status: number, text: string): void {
  if (status === 202) return
  const json = JSON.parse(text.replace(/^(?:event: .*\n)?(?:id: .*\n)?data: /, '').split('\n')[0] ?? '')
  const messages: unknown[] = Array.isArray(json) ? json : [json]
  for (const message of messages) {
    expect(message).toSatisfy(
      (value: { error?: { message?: string }; result?: unknown }) =>
        typeof value.error?.message === 'string' || value.result !== undefined,
    )
  }
}

/** The same body as sent by a client of protocol 2026-07-28, if it is an object with parameters. */
function withMeta(body: string): string {
  return body.replace(/"params":\{/, `"params":{"_meta":${JSON.stringify(meta)},`)
}

function standardHeaders(body: string): Record<string, string> {
  const method = /"method":"([^"]+)"/.exec(body)?.[1]
  const name = /"(?:name|uri)":"([^"\\]+)"/.exec(body)?.[1]
  return {
    ...(method === undefined ? {} : { 'mcp-method': method }),
    ...(name === undefined ? {} : { 'mcp-name': name }),
  }
}

async function changesOf(server: TestServer, person: Person): Promise<{ changes: unknown[] }> {
  const client = await connectOverHttp(server, person.apiKey, 'auto')
  const { structuredContent } = await client.callTool({ name: 'list_changes' })
  await client.close()
  return structuredContent as { changes: unknown[] }
}

describe('the endpoint /mcp', () => {
  const wrong = `loci_${'x'.repeat(46)}`

  test('asks for credentials on every method, whatever is wrong with those sent', async () => {
    const server = await startTestServer('sqlite')
    for (const method of ['GET', 'POST', 'DELETE']) {
      for (const authorization of [
        undefined,
        'Bearer',
        `Bearer ${wrong}`,
        'Basic YTpi',
        `Bearer ${'x'.repeat(600)}`,
      ]) {
        const response = await fetch(`${server.url}/mcp`, {
          method,
          ...(authorization === undefined ? {} : { headers: { authorization } }),
        })
        expect(response.status).toBe(401)
        const isWrongToken = authorization?.startsWith('Bearer ') === true
        const metadata = `resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp"`
        expect(response.headers.get('www-authenticate')).toBe(
          `Bearer ${isWrongToken ? 'error="invalid_token", ' : ''}${metadata}, scope="memory:read memory:write"`,
        )
        expect(await response.json()).toMatchObject(rpcError(-32000, 'not_authenticated'))
      }
    }
    await server.close()
  })

  test('knows a client by the name in its handshake, even behind a library with its own name', async () => {
    const server = await startTestServer('sqlite')
    const person = await server.signUp()
    const clientInfo = { name: 'Årbok agent', version: '1' }
    const hello = call({ protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 'initialize')
    const userAgent = { 'user-agent': 'node' }
    const { headers } = await post(server, person, hello, userAgent)
    const session = { 'mcp-session-id': headers.get('mcp-session-id')! }
    await post(
      server,
      person,
      legacyCall('create_entities', entity({ name: 'A', entityType: 'x', observations: [] })),
      {
        ...userAgent,
        ...session,
      },
    )
    await post(
      server,
      person,
      legacyCall('create_entities', entity({ name: 'B', entityType: 'x', observations: [] })),
      {
        ...userAgent,
        'mcp-session-id': 'of another server',
      },
    )
    const { changes } = await person.rest.listChanges({ query: { operation: 'entity_created' } })
    expect(changes.map(({ actor }) => actor.client)).toEqual([undefined, 'Årbok agent'])
    const named = await post(server, person, hello, { 'user-agent': 'claude-code/2.1' })
    expect(named.headers.has('mcp-session-id'), 'its requests name it').toBe(false)
    await server.close()
  })

  test('answers 405 to session methods, since there are none', async () => {
    const server = await startTestServer('sqlite')
    const { apiKey } = await server.signUp()
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${server.url}/mcp`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, accept: 'text/event-stream' },
      })
      expect(response.status).toBe(405)
    }
    await server.close()
  })

  test.each([
    ['a foreign host', { host: 'evil.example.com' }, 403],
    ['a foreign origin', { origin: 'https://evil.example.com' }, 403],
    ['an origin that is no address', { origin: 'null' }, 403],
    ['a host that only begins like ours', { host: 'localhost.evil.example.com' }, 403],
    ['this machine by name', { host: 'localhost:7400', origin: 'http://localhost:5173' }, 200],
    ['this machine by number', { host: '127.0.0.1:1', origin: 'http://[::1]:2' }, 200],
  ])('on loopback, to %s', async (_title, headers, status) => {
    const server = await startTestServer('sqlite')
    expect(await statusFor(server, headers)).toBe(status)
    await server.close()
  })

  test.each([
    ['the public address', { host: 'loci.example.com', origin: 'https://loci.example.com' }, 200],
    ['another address', { host: 'loci.example.org' }, 403],
    ['a page of another site', { host: 'loci.example.com', origin: 'https://example.org' }, 403],
  ])('with a public address, to %s', async (_title, headers, status) => {
    const server = await startTestServer('sqlite', { publicUrl: 'https://loci.example.com' })
    expect(await statusFor(server, headers)).toBe(status)
    await server.close()
  })
})

/** The status of a tool list requested with these headers; `fetch` does not allow setting them. */
async function statusFor(server: TestServer, headers: Record<string, string>): Promise<number | undefined> {
  const { apiKey } = await server.signUp()
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        hostname,
        port,
        path: '/mcp',
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    )
    request.once('error', reject)
    request.end(call({}, 'tools/list'))
  })
}

describe('a plain tool call', () => {
  const answerIn = (text: string) => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)

  test('is answered in each era as the SDK answers it in an unusual form', async () => {
    const server = await startTestServer('sqlite')
    try {
      const alice = await server.signUp()
      for (const [tool, args] of [
        ['create_entities', entity({ name: 'Ada', entityType: 'person', observations: ['counts'] })],
        ['open_nodes', { names: ['Ada'] }],
        ['open_nodes', { names: 'Ada' }],
        ['find_path', { from: 'Ada', to: 'Gone' }],
      ] as const) {
        const plain = await post(server, alice, legacyCall(tool, args))
        expect(plain.headers.get('content-type')).toContain('application/json')
        const inBatch = await post(server, alice, `[${legacyCall(tool, args)}]`)
        const isNew = tool === 'create_entities'
        if (!isNew) expect(answerIn(plain.text)).toEqual([answerIn(inBatch.text)].flat()[0])

        const body = call({ name: tool, arguments: args, _meta: meta })
        const named = (name: string) => ({ ...modernHeaders, 'mcp-method': 'tools/call', 'mcp-name': name })
        const modern = await post(server, alice, body, named(tool))
        const encoded = `=?base64?${Buffer.from(tool).toString('base64')}?=`
        const unusual = await post(server, alice, body, named(encoded))
        expect(answerIn(modern.text)).toEqual(answerIn(unusual.text))
        expect([modern.status, answerIn(modern.text).result.resultType]).toEqual([unusual.status, 'complete'])
      }
    } finally {
      await server.close()
    }
  })

  test('whose headers contradict it is refused', async () => {
    const server = await startTestServer('sqlite')
    try {
      const alice = await server.signUp()
      const body = call({ name: 'read_graph', _meta: meta })
      for (const name of ['open_nodes', '']) {
        const headers = { ...modernHeaders, 'mcp-method': 'tools/call', 'mcp-name': name }
        expect((await post(server, alice, body, headers)).status).toBe(400)
      }
      expect((await post(server, alice, legacyCall('read_graph', {}), { accept: 'text/html' })).status).toBe(
        406,
      )
    } finally {
      await server.close()
    }
  })
})
