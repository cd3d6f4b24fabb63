import { expect, test } from 'vitest'
import { describeClient, Registration, toClientMetadata } from './clients.rules.ts'
import { hostOfRedirect, isSafeRedirect } from './redirects.rules.ts'
import { resourceMetadataUrl, toResource } from './resources.rules.ts'

const issuer = 'https://loci.example'

test.each([
  ['https://loci.example/mcp', {}],
  ['https://loci.example/mcp/', {}],
  ['https://LOCI.example:443', {}],
  ['https://loci.example/mcp?profile=chatgpt', {}],
  ['https://loci.example/mcp/spaces/a%20b', { space: 'a b' }],
  ['https://loci.example/api', undefined],
  ['https://loci.example/mcp/spaces/', undefined],
  ['https://loci.example/mcp/spaces/a/b', undefined],
  ['https://loci.example/mcp/spaces/%E0', undefined],
  ['https://loci.example.evil.example/mcp', undefined],
  ['https://me@loci.example/mcp', undefined],
  ['http://loci.example/mcp', undefined],
  ['urn:loci', undefined],
  ['nonsense', undefined],
])('the resource %s', (indicator, resource) => {
  expect(toResource(issuer, indicator)).toEqual(resource)
})

test('a space has its own metadata, everything else that of MCP', () => {
  expect(resourceMetadataUrl(issuer, '/mcp/')).toBe(`${issuer}/.well-known/oauth-protected-resource/mcp`)
  expect(resourceMetadataUrl(issuer, '/mcp/spaces/work')).toBe(
    `${issuer}/.well-known/oauth-protected-resource/mcp/spaces/work`,
  )
})

test.each([
  ['https://a.example/cb', true],
  ['http://localhost:1/cb', true],
  ['http://[::1]:1/cb', true],
  ['cursor://anysphere/cb', true],
  ['http://a.example/cb', false],
  ['http://localhost.a.example/cb', false],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['https://a.example/#x', false],
  ['https://me:you@a.example/', false],
  ['/cb', false],
])('a code may be sent to %s: %s', (address, isSafe) => {
  expect(isSafeRedirect(address)).toBe(isSafe)
})

test('the destination of a code is shown by its host, or by the scheme of a program', () => {
  expect(hostOfRedirect('https://a.example:8443/cb')).toBe('a.example:8443')
  expect(hostOfRedirect('cursor://anysphere/cb')).toBe('cursor')
})

const callback = 'https://a.example/cb'
const client = (name: string | undefined, more: object = {}) =>
  describeClient({ clientId: 'cli_1', clientName: name, ...more }, callback)

test.each([
  ['Claude', 'Claude'],
  ['  Claude\n', 'Claude'],
  ['', 'a.example'],
  ['   ', 'a.example'],
  [undefined, 'a.example'],
  ['\u202e\u0000\u0007', 'a.example'],
  ['Bank\u202e\u2066 app', 'Bank app'],
  ['Zoë 日本 🧠', 'Zoë 日本 🧠'],
  ['x'.repeat(300), 'x'.repeat(200)],
])('a client that calls itself %j is shown as %j', (given, name) => {
  expect(client(given)).toEqual({ name, host: 'a.example', isVerified: false })
})

test('a client with a document of its own is shown with the host of that', () => {
  const verified = { clientId: 'https://app.example:8443/client.json', clientIdMetadataDocument: true }
  expect(client(undefined, verified)).toEqual({
    name: 'app.example:8443',
    host: 'app.example:8443',
    isVerified: true,
  })
})

const registered = (more: object) => Registration.safeParse({ redirect_uris: [callback], ...more })
const metadataOf = (more: object) => toClientMetadata('cli_1', registered(more).data!, 1_700_000_000)

test.each([
  ['none', { redirect_uris: [] }],
  ['no list', { redirect_uris: callback }],
  ['more than twenty', { redirect_uris: Array.from({ length: 21 }, (_, i) => `${callback}${i}`) }],
  ['an unsafe one among others', { redirect_uris: [callback, 'http://a.example/cb'] }],
  ['one with a fragment', { redirect_uris: [`${callback}#x`] }],
  ['one that is too long', { redirect_uris: [callback + 'x'.repeat(2_048)] }],
  ['one that no database can store', { redirect_uris: [`${callback}\u0000`] }],
])('a client with %s to send codes to is not registered', (_, more) => {
  expect(registered(more).success).toBe(false)
})

test('a registration keeps what is known and leaves out the rest', () => {
  expect(
    metadataOf({
      client_name: ' Claude ',
      client_uri: 'https://claude.example',
      grant_types: ['client_credentials', 'refresh_token'],
      client_secret: 'mine',
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'all',
    }),
  ).toEqual({
    client_id: 'cli_1',
    client_id_issued_at: 1_700_000_000,
    client_name: 'Claude',
    client_uri: 'https://claude.example',
    redirect_uris: [callback],
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })
})

test.each([
  ['a name that is too long', { client_name: 'x'.repeat(201) }, 'client_name'],
  ['a name that is no text', { client_name: 5 }, 'client_name'],
  ['an address of a script', { client_uri: 'javascript:alert(1)' }, 'client_uri'],
  ['an address that is none', { client_uri: 'claude' }, 'client_uri'],
])('%s is left out, and the client is registered all the same', (_, more, field) => {
  expect(metadataOf(more)).not.toHaveProperty(field)
})

test('a client may do without refresh tokens', () => {
  expect(metadataOf({ grant_types: ['authorization_code'] })).toMatchObject({
    grant_types: ['authorization_code'],
  })
  expect(metadataOf({})).toMatchObject({ grant_types: ['authorization_code', 'refresh_token'] })
})
