import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { startReceiver } from '../../../../test/webhook-receiver.ts'
import { createPoster } from './post.ts'

const seriesTo = (url: string, ids: readonly string[]) => ({
  url,
  secrets: ['whsec_c2VjcmV0'],
  events: ids.map((id) => ({ id, body: '{}' })),
  at: 0,
  msMax: 60_000,
})

test('requests give way to running calls, but are sent even if calls never pause', async () => {
  const receiver = await startReceiver()
  const posters = [1, 0].map((running) =>
    createPoster({ allowsPrivate: true, callsRunning: Int32Array.of(running) }),
  )
  const { signal } = new AbortController()
  const series = [['beside calls 1', 'beside calls 2'], ['between calls']]
  const posted = await Promise.all(
    posters.map((poster, i) => poster.post(seriesTo(receiver.url, series[i]!), signal)),
  )
  expect(posted.flat().map(({ statusCode }) => statusCode)).toEqual([204, 204, 204])
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
    'between calls',
    'beside calls 1',
    'beside calls 2',
  ])
  for (const poster of posters) poster.close()
  await receiver.close()
})

/** A receiver that answers the nth request in bytes of its own. */
async function startRawReceiver(answer: (socket: Socket, count: number) => void) {
  let count = 0
  const server = createServer((socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      const parts = `${text}${chunk}`.split('\r\n\r\n{}')
      text = parts.pop()!
      for (const _ of parts) answer(socket, ++count)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, count: () => count, close: () => server.close() }
}

const post = async (url: string, ids: readonly string[]) => {
  const poster = createPoster({ allowsPrivate: true, callsRunning: Int32Array.of(0) })
  const posted = await poster.post(seriesTo(url, ids), new AbortController().signal)
  poster.close()
  return posted.map(({ statusCode, error }) => error ?? statusCode)
}

test('an event whose answer breaks off is not posted again at once, also over a connection used before', async () => {
  const receiver = await startRawReceiver((socket, count) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${count === 1 ? 2 : 10}\r\n\r\nok`)
    if (count > 1) socket.end()
  })
  expect(await post(receiver.url, ['one', 'two'])).toEqual([200, 'Connection closed before an answer came'])
  expect(receiver.count()).toBe(2)
  receiver.close()
})

test('a connection that closes as it is used again is replaced', async () => {
  const receiver = await startRawReceiver((socket, count) => {
    if (count === 2) socket.destroy()
    else socket.write('HTTP/1.1 204 No Content\r\n\r\n')
  })
  expect(await post(receiver.url, ['one', 'two'])).toEqual([204, 204])
  expect(receiver.count()).toBe(3)
  receiver.close()
})

test('a few interim answers are passed over, endless ones are not read', async () => {
  const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
  const brief = await startRawReceiver((socket) =>
    socket.write(`${interim.repeat(3)}HTTP/1.1 204 No Content\r\n\r\n`),
  )
  expect(await post(brief.url, ['one'])).toEqual([204])
  brief.close()
  const endless = await startRawReceiver((socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(interim.repeat(100))) {}
    }
    socket.on('drain', more)
    more()
  })
  expect(await post(endless.url, ['one'])).toEqual(['The request failed'])
  endless.close()
})
