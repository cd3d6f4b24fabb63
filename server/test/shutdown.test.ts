import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRestClient, type RestClient } from '@loci/client/rest'
import { ErrorBody } from '@loci/contract/errors'
import pino from 'pino'
import { expect, test } from 'vitest'
import { closeContext, openContext } from '../src/open-context.ts'
import { startTestServer, testConfig } from './harness.ts'
import { startServerProcess } from './server-process.ts'

const entitiesMany = 300

/** More than the buffers at both ends of a local connection hold. */
async function storeMuch(rest: RestClient): Promise<void> {
  const metadata = { text: 'y'.repeat(60_000) }
  for (let first = 0; first < entitiesMany; first += 100) {
    const names = Array.from({ length: 100 }, (_, i) => `Entity ${first + i}`)
    await rest.createBatch({ body: { entities: names.map((name) => ({ name, type: 'thing', metadata })) } })
  }
}

const sockets: Socket[] = []

async function open(url: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  socket.pause()
  socket.write(text)
  await once(socket, 'connect')
  return socket
}

const isOpen = (url: string) =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  )

test('a client that has stopped reading is disconnected, one that waits is not', async () => {
  const server = await startTestServer('sqlite', {}, { unreadMs: 500 })
  try {
    const { rest, token } = await server.signUp()
    await storeMuch(rest)
    const closed = new Set<number | undefined>()
    server.app.server.on('connection', (socket: Socket) => {
      const { remotePort } = socket
      socket.on('close', () => closed.add(remotePort))
    })
    const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n`
    const reader = await open(server.url, `GET /api/export HTTP/1.1\r\n${head}\r\n`)
    const slow = await open(
      server.url,
      `POST /api/entities HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 30\r\n\r\n{`,
    )
    await expect.poll(() => closed.has(reader.localPort)).toBe(true)
    expect(closed.has(slow.localPort)).toBe(false)
    const answer = once(slow, 'data')
    slow.resume()
    slow.write('"name":"Slow","type":"thing"}')
    expect(String(await answer)).toMatch(/^HTTP\/1.1 201/)
  } finally {
    for (const socket of sockets) socket.destroy()
    await server.close()
  }
})

test('a server asked to stop says so, finishes what it can, and ends in time', async () => {
  const { config, remove } = await testConfig('sqlite')
  const server = await startServerProcess(config, { env: { LOCI_SHUTDOWN_DELAY: '5' } })
  const { user } = await createRestClient({ baseUrl: server.url }).register({
    body: { email: 'stop@example.com', password: 'correct horse battery', firstName: 'S', lastName: 'T' },
  })
  const token = user.apiKey!
  const rest = createRestClient({ baseUrl: server.url, token: () => token })
  await storeMuch(rest)
  const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n`
  const body = JSON.stringify({ name: 'In time', type: 'thing' })
  const json = (length: number) =>
    `${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  const late = await open(server.url, `POST /api/entities HTTP/1.1\r\n${json(body.length)}`)
  const stuck = [
    await open(server.url, `POST /auth/login HTTP/1.1\r\n${json(100)}{`),
    await open(server.url, 'GET /api/entities HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: '),
    await open(server.url, `GET /api/export HTTP/1.1\r\n${head}\r\n`),
    await open(
      server.url,
      `POST /api/import HTTP/1.1\r\n${head}Content-Type: application/jsonl\r\nContent-Length: 999\r\n\r\n{`,
    ),
  ]
  const startedAt = performance.now()
  const stopped = server.stop()
  await expect
    .poll(async () => (await fetch(`${server.url}/readyz`)).status, { timeout: 4_500, interval: 20 })
    .toBe(503)
  const refused = await fetch(`${server.url}/readyz`)
  // A proxy must not send its next request over a connection that is about to be closed.
  expect(refused.headers.get('connection')).toBe('close')
  const refusal = ErrorBody.parse(await refused.json())
  expect(refusal.error.code).toBe('shutting_down')
  await rest.createEntity({ body: { name: 'Served', type: 'thing' } })
  await expect.poll(() => isOpen(server.url)).toBe(false)
  const answer = once(late, 'data')
  late.resume()
  late.write(body)
  const text = String(await answer)
  expect(text).toMatch(/^HTTP\/1.1 201/)
  const code = await stopped
  expect(code).toBe(0)
  const seconds = (performance.now() - startedAt) / 1_000
  expect(seconds).toBeGreaterThan(10)
  expect(seconds).toBeLessThan(60)
  for (const socket of [late, ...stuck]) socket.destroy()

  const ctx = await openContext(config, pino({ level: 'silent' }))
  const { operations } = await ctx.db
    .selectFrom('month_counts')
    .select('operations')
    .executeTakeFirstOrThrow()
  const accounts = ctx.db.selectFrom('accounts').select('entities')
  const { entities } = await accounts.orderBy('entities', 'desc').executeTakeFirstOrThrow()
  await closeContext(ctx)
  expect(entities).toBe(entitiesMany + 2)
  expect(operations).toBeGreaterThanOrEqual(5)
  await remove()
})

test('a second signal skips the waiting', async () => {
  const { config, remove } = await testConfig('sqlite')
  const server = await startServerProcess(config, { env: { LOCI_SHUTDOWN_DELAY: '60' } })
  const stuck = await open(
    server.url,
    'POST /auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  )
  const startedAt = performance.now()
  const stopped = server.stop()
  await sleep(300)
  process.kill(server.pid, 'SIGINT')
  expect(await stopped).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(30_000)
  stuck.destroy()
  await remove()
})
