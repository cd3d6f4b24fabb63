import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RealtimeClient } from './realtime.ts'

/** A fake socket that the test controls. */
class Socket {
  static opened: Socket[] = []
  sent: string[] = []
  onopen = () => {}
  onclose = (_event: { code: number }) => {}
  onmessage = (_event: { data: string }) => {}

  constructor() {
    Socket.opened.push(this)
  }
  send(text: string) {
    this.sent.push(JSON.parse(text).type)
  }
  close(code: number) {
    this.onclose({ code })
  }
}

const warn = vi.fn()
const newest = () => Socket.opened.at(-1)!

function connect(): RealtimeClient {
  const client = new RealtimeClient({
    baseUrl: 'http://loci.test',
    token: 'key',
    warn,
    WebSocket: Socket as unknown as typeof WebSocket,
  })
  client.connect()
  return client
}

beforeEach(() => {
  vi.useFakeTimers()
  warn.mockClear()
  Socket.opened = []
})
afterEach(() => vi.useRealTimers())

test('on open it subscribes to graph changes, and pings every 30 seconds while open', () => {
  connect()
  newest().onopen()
  vi.advanceTimersByTime(60_000)
  expect(newest().sent).toEqual(['subscribe_to_graph_changes', 'ping', 'ping'])
  newest().onclose({ code: 1006 })
  const { sent } = Socket.opened[0]!
  vi.advanceTimersByTime(60_000)
  expect(sent).toHaveLength(3)
})

test('after an unclean close it reconnects every 5 seconds, ten times at most', () => {
  const client = connect()
  for (let attempts = 1; attempts <= 10; attempts++) {
    newest().onclose({ code: 1006 })
    vi.advanceTimersByTime(4_999)
    expect(Socket.opened).toHaveLength(attempts)
    vi.advanceTimersByTime(1)
    expect(Socket.opened).toHaveLength(attempts + 1)
  }
  newest().onclose({ code: 1006 })
  vi.advanceTimersByTime(60_000)
  expect(Socket.opened).toHaveLength(11)
  expect(client.status).toBe('disconnected')
})

test('a close with code 1000 is the end', () => {
  connect()
  newest().onopen()
  newest().onclose({ code: 1000 })
  vi.advanceTimersByTime(60_000)
  expect(Socket.opened).toHaveLength(1)
})

test('sending while disconnected is dropped with a warning; what cannot be read is only logged', () => {
  const client = connect()
  client.send({ type: 'ping', payload: {} })
  expect(warn).toHaveBeenLastCalledWith('Not connected: "ping" was dropped')
  newest().onopen()
  newest().onmessage({ data: 'not json' })
  expect(warn).toHaveBeenLastCalledWith('A message that cannot be read was dropped')
  expect(client.status).toBe('connected')
})
