import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import {
  Client,
  IssuerMismatchError,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  describeOnBothDatabases,
  type Person,
  startTestServer,
  type TestServer,
  testConfig,
} from '../../../test/harness.ts'
import {
  allow,
  askForToken,
  authorizeUrl,
  callRequest,
  codeForm,
  newBrowser,
  openRequest,
  redirectUri,
  refreshForm,
  registerApp,
  verifier,
} from '../../../test/oauth.ts'
import { startServerProcess } from '../../../test/server-process.ts'
import { hourMs, minuteMs, secondMs } from '../../ground/lib/time.ts'
import { countAttempt } from '../../tenancy/auth/attempts.ts'
import { proofRatesOf } from './oauth/stranger-rates.ts'

type Answered<Name extends 'clientInformation' | 'tokens' | 'discoveryState'> = Awaited<
  ReturnType<NonNullable<OAuthClientProvider[Name]>>
>
type Kept = {
  client?: Answered<'clientInformation'>
  tokens?: Answered<'tokens'>
  discovery?: Answered<'discoveryState'>
  verifier?: string
}

/** The parts that the official client needs from its program: storage, and a redirect for the person. */
class LayoutStore implements OAuthClientProvider {
  readonly redirectUrl = redirectUri
  readonly clientMetadata = { client_name: 'Official client', redirect_uris: [redirectUri] }
  sentTo: URL | undefined
  refreshes = 0
  #kept: Kept = {}
  clientInformation = () => this.#kept.client
  saveClientInformation = (client: Kept['client']) => void Object.assign(this.#kept, { client })
  tokens = () => this.#kept.tokens
  saveTokens = (tokens: Kept['tokens']) => {
    this.refreshes++
    this.#kept.tokens = tokens
  }
  codeVerifier = () => this.#kept.verifier ?? ''
  saveCodeVerifier = (verifier: string) => void Object.assign(this.#kept, { verifier })
  discoveryState = () => this.#kept.discovery
  saveDiscoveryState = (discovery: Kept['discovery']) => void Object.assign(this.#kept, { discovery })
  redirectToAuthorization(address: URL) {
    this.sentTo = address
  }
}

describeOnBothDatabases('the official client', (server) => {
  test('finds its way from a 401 to a token, refreshes it, and rejects a code of another issuer', async () => {
    const person = await server().signUp()
    const keeper = new LayoutStore()
    const open = () =>
      new StreamableHTTPClientTransport(new URL(`${server().url}/mcp`), { authProvider: keeper })
    const connectClient = async () => {
      const client = new Client({ name: 'test', version: '1.0.0' })
      await client.connect(open())
      return client
    }
    await expect(connectClient()).rejects.toBeInstanceOf(UnauthorizedError)
    expect(keeper.sentTo!.searchParams.get('resource')).toBe(`${server().url}/mcp`)
    const { searchParams } = await allow(server(), person, keeper.sentTo!.href)
    const mixedUp = new URLSearchParams(searchParams)
    mixedUp.set('iss', 'https://evil.example')
    await expect(open().finishAuth(mixedUp)).rejects.toBeInstanceOf(IssuerMismatchError)
    await open().finishAuth(searchParams)

    const client = await connectClient()
    const arguments_ = { entities: [{ name: 'Ada', entityType: 'person', observations: ['Reads'] }] }
    await client.callTool({ name: 'create_entities', arguments: arguments_ })
    server().clock.now += 2 * hourMs
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('read_graph')
    expect(keeper.refreshes).toBe(2)
    await client.close()
  })
})

describe('what a server tells clients', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer('sqlite', { publicUrl: 'https://loci.example' })
  })
  afterAll(() => server.close())
  // The server is known only by its public name, as behind a proxy.
  const ask = (path: string, init: RequestInit = {}) => fetch(server.url + path, init)

  test('without valid credentials, where to sign in; an error only for a wrong token', async () => {
    const challenge = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
      const response = await ask(path, { method, headers })
      expect(response.status).toBe(401)
      return response.headers.get('www-authenticate')
    }
    const metadata = 'resource_metadata="https://loci.example/.well-known/oauth-protected-resource/mcp"'
    const scope = 'scope="memory:read memory:write"'
    expect(await challenge('/mcp')).toBe(`Bearer ${metadata}, ${scope}`)
    expect(await challenge('/mcp', {}, 'POST')).toBe(`Bearer ${metadata}, ${scope}`)
    expect(await challenge('/mcp', { authorization: 'Bearer locia_wrong' })).toBe(
      `Bearer error="invalid_token", ${metadata}, ${scope}`,
    )
  })

  test('what is protected and who issues tokens, with one issuer', async () => {
    const read = async (path: string) => (await ask(`/.well-known/${path}`)).json()
    const issuer = 'https://loci.example'
    expect(await read('oauth-authorization-server')).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['memory:read', 'memory:write', 'offline_access'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
    for (const [path, resource] of [
      ['oauth-protected-resource', '/mcp'],
      ['oauth-protected-resource/mcp', '/mcp'],
      ['oauth-protected-resource/mcp/spaces/work', '/mcp/spaces/work'],
    ]) {
      expect(await read(path!)).toMatchObject({
        resource: issuer + resource,
        authorization_servers: [issuer],
        scopes_supported: ['memory:read', 'memory:write'],
      })
    }
  })
})

test('a public server without a public URL says what to set', async () => {
  const server = await startTestServer('sqlite', { host: '0.0.0.0' })
  const named = await server.app.inject({
    url: '/.well-known/oauth-authorization-server',
    headers: { host: 'x.example' },
  })
  expect([named.statusCode, named.json().error.message]).toEqual([
    404,
    expect.stringContaining('LOCI_PUBLIC_URL'),
  ])
  const refused = await server.app.inject({ url: '/mcp', headers: { host: 'x.example' } })
  expect(refused.headers['www-authenticate']).not.toContain('resource_metadata')
  await server.close()
})

test('a server without internet access offers registration only and fetches nothing', async () => {
  const resolve = vi.fn(async () => ['127.0.0.1'])
  const server = await startTestServer('sqlite', { clientDocuments: false }, { clientDocuments: { resolve } })
  const metadata = await server.call('GET', '/.well-known/oauth-authorization-server')
  expect(metadata.body).toMatchObject({
    client_id_metadata_document_supported: false,
    registration_endpoint: expect.stringContaining('/oauth/register'),
  })
  const app = { clientId: 'https://client.example/client.json', redirectUri, verifier }
  const response = await newBrowser()(authorizeUrl(server, app))
  expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_client' }])
  expect(resolve).not.toHaveBeenCalled()
  await server.close()
})

describe('a client identified by the URL of its metadata', () => {
  const pem = readFileSync(new URL('../../../test/localhost.pem', import.meta.url), 'utf8')
  let description: Record<string, unknown>
  let asked = 0
  let base: string
  const host = createServer({ key: pem, cert: pem }, (_request, response) => {
    asked++
    response.setHeader('content-type', 'application/json').end(JSON.stringify(description))
  })
  let server: TestServer
  let person: Person
  beforeAll(async () => {
    await once(host.listen(0, '127.0.0.1'), 'listening')
    base = `https://localhost:${(host.address() as AddressInfo).port}`
    server = await startTestServer('sqlite', { webhooksAllowPrivate: true }, { clientDocuments: { ca: pem } })
    person = await server.signUp()
  })
  afterAll(async () => {
    await server.close()
    host.closeAllConnections()
    host.close()
  })
  const describeAs = (id: string, more: object = {}) => {
    description = { client_id: id, client_name: 'Described', redirect_uris: [redirectUri], ...more }
    return { clientId: id, redirectUri, verifier }
  }

  test('is fetched once, and shown under the host that serves it', async () => {
    const app = describeAs(`${base}/client.json`)
    const browser = newBrowser()
    const id = await openRequest(browser, authorizeUrl(server, app))
    const { body } = await callRequest(browser, server, person, `${id}/details`)
    expect(body.client).toEqual({ name: 'Described', host: new URL(base).host, isVerified: true })
    const { searchParams } = await allow(server, person, authorizeUrl(server, app))
    const tokens = await askForToken(server, codeForm(app, searchParams.get('code')!))
    expect(tokens.status).toBe(200)
    expect((await askForToken(server, refreshForm(app, tokens.refresh_token))).status).toBe(200)
    expect(asked).toBe(1)
  })

  test('proves its key once per proof; proofs end within an hour, and are counted', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const app = describeAs(`${base}/proven.json`, {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'EdDSA',
      jwks: { keys: [publicKey.export({ format: 'jwk' })] },
    })
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const prove = (jti: string, lastsMs: number) => {
      const exp = Math.floor((Date.now() + lastsMs) / secondMs)
      const claims = { iss: app.clientId, sub: app.clientId, aud: server.url, jti, exp }
      const signed = `${encode({ alg: 'EdDSA' })}.${encode(claims)}`
      return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
    }
    const askWith = async (proof: string) => {
      const { searchParams } = await allow(server, person, authorizeUrl(server, app))
      const { status, error } = await askForToken(server, {
        ...codeForm(app, searchParams.get('code')!),
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: proof,
      })
      return [status, error]
    }
    const first = prove('first', minuteMs)
    expect(await askWith(first)).toEqual([200, undefined])
    expect(await askWith(first)).toEqual([401, 'invalid_client'])
    expect(await askWith(prove('long', 2 * hourMs))).toEqual([401, 'invalid_client'])
    const proofs = server.ctx.db.selectFrom('oauth_requests').select('id').where('id', 'like', 'Replay%')
    expect(await proofs.execute()).toHaveLength(1)
    for (let i = 2; i < 1_000; i++) await countAttempt(server.ctx, proofRatesOf('127.0.0.1'))
    expect(await askWith(prove('too many', minuteMs))).toEqual([400, 'temporarily_unavailable'])
    expect(await proofs.execute()).toHaveLength(1)
  })

  test('is refused if it describes another client, redirects elsewhere, or is at a private address', async () => {
    const refusal = async (place: TestServer, app: ReturnType<typeof describeAs>) => {
      const response = await newBrowser()(authorizeUrl(place, app))
      return [response.status, ((await response.json()) as { error: string }).error]
    }
    describeAs(`${base}/another.json`)
    expect(await refusal(server, { clientId: `${base}/other.json`, redirectUri, verifier })).toEqual([
      400,
      'invalid_client_metadata',
    ])
    const astray = 'http://evil.example/callback'
    const evil = describeAs(`${base}/evil.json`, { redirect_uris: [astray], application_type: 'web' })
    expect(await refusal(server, { ...evil, redirectUri: astray })).toEqual([400, 'invalid_client'])
    const guarded = await startTestServer(
      'sqlite',
      {},
      { clientDocuments: { ca: pem, resolve: async () => ['127.0.0.1'] } },
    )
    const before = asked
    expect(await refusal(guarded, describeAs(`${base}/private.json`))).toEqual([400, 'invalid_client'])
    expect(await refusal(guarded, describeAs('https://127.0.0.1/client.json'))).toEqual([
      400,
      'invalid_client',
    ])
    expect(asked).toBe(before)
    await guarded.close()
  })
})

test.each(['sqlite', 'postgres'] as const)(
  'a code and tokens that were given out outlive a server that is killed (%s)',
  async (dialect) => {
    const { config, remove } = await testConfig(dialect)
    let server = await startServerProcess(config)
    // It restarts on the same port, since its tokens are bound to the address.
    const { port } = new URL(server.url)
    const restart = async () => {
      await server.kill()
      server = await startServerProcess(config, { env: { PORT: port } })
    }
    const registered = await fetch(`${server.url}/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        email: 'k@example.com',
        password: 'Correct-horse-7',
        firstName: 'K',
        lastName: 'K',
      }),
    })
    const person = (await registered.json()) as { token: string }
    const app = await registerApp(server)
    const end = await allow(server, person, authorizeUrl(server, app))
    await restart()
    const tokens = await askForToken(server, codeForm(app, end.searchParams.get('code')!))
    expect(tokens.status).toBe(200)
    await restart()
    const { status } = await fetch(`${server.url}/api/entities`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(status).toBe(200)
    expect((await askForToken(server, refreshForm(app, tokens.refresh_token))).status).toBe(200)
    await server.kill()
    await remove()
  },
)
