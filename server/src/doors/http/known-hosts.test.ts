import { request as httpRequest } from 'node:http'
import { api } from '@loci/contract/api'
import type { Endpoint } from '@loci/contract/endpoint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/harness.ts'
import { openSocket } from '../../../test/socket.ts'

type Headers = Record<string, string>

/** `fetch` would not let us set these headers. */
function call(server: TestServer, method: string, path: string, headers: Headers, body = '') {
  const { hostname, port } = new URL(server.url)
  return new Promise<{ status?: number; text: string }>((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, method, headers }, (response) => {
      let text = ''
      response.on('data', (piece) => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode!, text }))
    })
    request.once('error', reject)
    request.end(body)
  })
}

const evil = { host: 'evil.example.com', origin: 'http://evil.example.com' }
const json = { 'content-type': 'application/json' }

/** Every route of the contract, and the routes outside it. */
const routes = [
  ...Object.values<Endpoint>(api).map(({ method, path }) => [method, path.replace(/:\w+/g, 'x')] as const),
  ...(['GET', 'POST', 'DELETE'] as const).map((method) => [method, '/mcp'] as const),
  ...[
    '/',
    '/pricing',
    '/dashboard',
    '/assets/x.js',
    '/favicon.ico',
    '/api/openapi.json',
    '/api/docs',
    '/checkout/x',
    '/nothing',
  ].map((path) => ['GET', path] as const),
  ['POST', '/checkout/x'] as const,
].filter(([, path]) => path !== '/healthz' && path !== '/readyz')

describe('a server on loopback', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer('sqlite')
  })
  afterAll(() => server.close())

  test.each(routes)('refuses %s %s for a foreign host and from a page of one', async (method, path) => {
    const { host: ours } = new URL(server.url)
    for (const headers of [evil, { host: evil.host }, { host: ours, origin: evil.origin }]) {
      const { status, text } = await call(server, method, path, { ...headers, ...json }, '{}')
      expect(status).toBe(403)
      expect(text).toMatch(/origin_not_allowed|"jsonrpc"/)
    }
  })

  test('refuses the socket for a foreign host, even from a page of that host', async () => {
    const { apiKey } = await server.signUp()
    const { host, origin } = evil
    const socket = openSocket(server.url, { headers: { host }, origin }, `?api_key=${apiKey}`)
    expect(await socket.refusal()).toMatchObject({
      status: 403,
      body: { error: { code: 'origin_not_allowed' } },
    })
  })

  test('lets nobody register through a foreign name that resolves to it', async () => {
    const body = JSON.stringify({
      email: 'a@b.example',
      password: 'long enough',
      firstName: 'A',
      lastName: 'B',
    })
    expect((await call(server, 'POST', '/auth/register', { ...evil, ...json }, body)).status).toBe(403)
    expect(
      await server.ctx.db.selectFrom('users').select('email').where('email', '=', 'a@b.example').execute(),
    ).toEqual([])
  })

  test('reports its health under any name', async () => {
    for (const path of ['/healthz', '/readyz']) {
      expect((await call(server, 'GET', path, { host: '10.0.0.7:7400' })).status).toBe(200)
    }
  })

  test.each(['localhost', 'LOCALHOST:1', '127.0.0.1', '[::1]:7400'])('answers to %s', async (host) => {
    expect((await call(server, 'GET', '/api/openapi.json', { host })).status).toBe(200)
  })

  test.each(['localhost.evil.example', 'a@localhost', 'localhost/x', '127.0.0.1.evil.example'])(
    'does not take %j for this machine',
    async (host) => {
      expect((await call(server, 'GET', '/api/openapi.json', { host })).status).toBe(403)
    },
  )
})

test('a server with a public address answers under it and on this machine, and nowhere else', async () => {
  const change = { host: '0.0.0.0', publicUrl: 'https://loci.example.com' }
  const server = await startTestServer('sqlite', change)
  const statusOf = async (headers: Headers) =>
    (await call(server, 'POST', '/auth/login', { ...json, ...headers }, '{"email":"x","password":"x"}'))
      .status
  expect(await statusOf({ host: 'loci.example.com', origin: 'https://loci.example.com' })).toBe(401)
  expect(await statusOf({ host: '127.0.0.1:7400' })).toBe(401)
  expect(await statusOf({ host: '192.168.1.5:7400' })).toBe(403)
  expect(await statusOf({ host: 'loci.example.com', origin: 'https://example.org' })).toBe(403)
  await server.close()
})

test('a server that is open to a network and has no public address answers under any name', async () => {
  const server = await startTestServer('sqlite', { host: '0.0.0.0' })
  expect((await call(server, 'GET', '/api/openapi.json', { host: '192.168.1.5:7400' })).status).toBe(200)
  await server.close()
})
