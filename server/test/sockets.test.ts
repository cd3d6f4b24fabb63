import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { ErrorBody } from '@loci/contract/errors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from './harness.ts'

const idleClient = fileURLToPath(new URL('./idle-client.ts', import.meta.url))

let server: TestServer
let alice: Person
const sockets: Socket[] = []

beforeAll(async () => {
  server = await startTestServer('sqlite')
  alice = await server.signUp()
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await server?.close()
})

async function open(count: number, start: string): Promise<Socket[]> {
  const opened = Array.from({ length: count }, () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(start)
    return socket
  })
  sockets.push(...opened)
  await Promise.all(opened.map((socket) => once(socket, 'connect')))
  return opened
}

/** Sends raw bytes, and returns everything received until the server closes. */
async function exchange(bytes: string | Buffer): Promise<{ status: number; body: unknown }> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(bytes)
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  await once(socket, 'close')
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) }
}

async function othersAreServed(): Promise<void> {
  const { entity } = await alice.rest.createEntity({ body: { name: `e${Math.random()}`, type: 'thing' } })
  expect((await alice.rest.getEntity({ params: { id: entity.id } })).entity).toEqual(entity)
}

const authorization = () => `Authorization: Bearer ${alice.token}\r\n`
const post = (headers: string) =>
  `POST /api/entities HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization()}${headers}`

/** A process that holds idle connections; with both ends in this one it would run out of descriptors. */
async function holdIdle(count: number, start = ''): Promise<ChildProcess> {
  const { port } = new URL(server.url)
  const holder = spawn(process.execPath, [idleClient, port, String(count), start], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [open] = await once(holder.stdout!, 'data')
  expect(Number(open)).toBe(count)
  return holder
}

/** The maximum number of open files and sockets of a process here: at least 20,000 where it matters. */
const descriptorsMax = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })) || 20_000

test('ten thousand idle connections, half of them in the middle of a request, do not stop others', async () => {
  const each = Math.min(5_000, Math.floor(descriptorsMax / 3))
  const holders = [
    await holdIdle(each),
    await holdIdle(each, 'GET /api/entities HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '),
  ]
  await othersAreServed()
  for (const holder of holders) holder.kill()
})

test('requests that never end do not stop others', async () => {
  await open(200, 'GET /api/entities HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
  await open(100, post('Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":'))
  await open(
    3,
    `POST /api/import HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization()}Content-Type: application/jsonl\r\nContent-Length: 99\r\n\r\n{`,
  )
  await othersAreServed()
})

test('an aborted upload leaves nothing behind, and frees its slot', async () => {
  const bob = await server.signUp('bob')
  const line = '{"type":"entity","name":"half","entityType":"x"}\n'
  for (let attempt = 0; attempt < 6; attempt++) {
    const [socket] = await open(
      1,
      `POST /api/import HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${bob.token}\r\nContent-Type: application/jsonl\r\nContent-Length: 999\r\n\r\n${line}`,
    )
    socket!.destroy()
    await once(socket!, 'close')
  }
  expect((await bob.rest.listEntities()).total).toBe(0)
  expect((await bob.rest.import({ body: line })).import.entities.created).toBe(1)
})

test('floods of headers, and anything that is not HTTP, are refused with our own errors', async () => {
  const wrong = [
    [`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n${'X-Flood: y\r\n'.repeat(5_000)}\r\n`, 431],
    [`GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, 431],
    ['\x16\x03\x01\x02\x00\x01\x00', 400],
    [`${post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n')}\r\n0\r\n\r\n`, 400],
    [`${post('Content-Type: application/json\r\nContent-Length: -1\r\n')}\r\n`, 400],
    ['GET /api/entities HTTP/1.1\r\nHost: 127.0.0.1\r\nBad Header: y\r\n\r\n', 400],
  ] as const
  for (const [bytes, status] of wrong) {
    const answer = await exchange(bytes)
    expect([bytes.slice(0, 40), answer.status]).toEqual([bytes.slice(0, 40), status])
    expect([bytes.slice(0, 40), ErrorBody.safeParse(answer.body).error]).toEqual([
      bytes.slice(0, 40),
      undefined,
    ])
  }
  await othersAreServed()
})

test('a body over the limit is refused before it is read', async () => {
  const head = post(
    'Content-Type: application/json\r\nContent-Length: 999999999\r\nConnection: close\r\n\r\n{',
  )
  expect((await exchange(head)).status).toBe(413)
})

test('a request whose headers take too long is refused with a timeout', async () => {
  server.app.server.headersTimeout = 1
  const { status, body } = await exchange('GET /api/entities HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
  expect([status, ErrorBody.parse(body).error.code]).toEqual([408, 'request_timeout'])
})
