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

test('subscribes to graph changes on open and pings every 30 seconds while open', () => {
  connect()
  newest().onopen()
  vi.advanceTimersByTime(60_000)
  expect(newest().sent).toEqual(['subscribe_to_graph_changes', 'ping', 'ping'])
  newest().onclose({ code: 1006 })
  const { sent } = Socket.opened[0]!
  vi.advanceTimersByTime(60_000)
  expect(sent).toHaveLength(3)
})

test('takes a connection that answers no ping for dead, and one that answers for alive', () => {
  const client = connect()
  newest().onopen()
  vi.advanceTimersByTime(60_000)
  newest().onmessage({ data: JSON.stringify({ type: 'pong', payload: {} }) })
  vi.advanceTimersByTime(60_000)
  expect(client.status).toBe('connected')
  const dead = newest()
  dead.close = () => {}
  vi.advanceTimersByTime(30_000)
  expect(client.status).toBe('disconnected')
  vi.advanceTimersByTime(5_000)
  expect(Socket.opened).toHaveLength(2)
  newest().onopen()
  dead.onclose({ code: 1006 })
  expect(client.status).toBe('connected')
})

test('reconnects every 5 seconds after an unclean close, at most ten times', () => {
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

test('comes back after a random part of 5 seconds when the server is being restarted', () => {
  vi.spyOn(Math, 'random').mockReturnValueOnce(0.25)
  connect()
  newest().onopen()
  newest().onclose({ code: 1012 })
  vi.advanceTimersByTime(1_249)
  expect(Socket.opened).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(Socket.opened).toHaveLength(2)
})

test('does not reconnect after a close with code 1000', () => {
  connect()
  newest().onopen()
  newest().onclose({ code: 1000 })
  vi.advanceTimersByTime(60_000)
  expect(Socket.opened).toHaveLength(1)
})

test('drops messages sent while disconnected with a warning, and only logs messages it cannot read', () => {
  const client = connect()
  client.send({ type: 'ping', payload: {} })
  expect(warn).toHaveBeenLastCalledWith('Not connected: "ping" was dropped')
  newest().onopen()
  newest().onmessage({ data: 'not json' })
  expect(warn).toHaveBeenLastCalledWith('A message that cannot be read was dropped')
  expect(client.status).toBe('connected')
})

const seqEvent = (seq: number, type = 'entity_created') => JSON.stringify({ type, seq, payload: {} })
const message = (data: string) => newest().onmessage({ data })

test('connecting again while the old connection is still closing opens a new one', () => {
  const client = connect()
  newest().onopen()
  const old = newest()
  old.close = () => {}
  client.close()
  client.connect()
  expect(Socket.opened).toHaveLength(2)
  newest().onopen()
  expect(client.status).toBe('connected')
  old.onclose({ code: 1000 })
  vi.advanceTimersByTime(30_000)
  expect(client.status).toBe('connected')
  expect(newest().sent).toEqual(['subscribe_to_graph_changes', 'ping'])
  expect(old.sent).toEqual(['subscribe_to_graph_changes'])
})

test('connecting twice opens one connection, and closing before it is open is the end', () => {
  const client = connect()
  client.connect()
  expect(Socket.opened).toHaveLength(1)
  client.close()
  vi.advanceTimersByTime(60_000)
  expect([Socket.opened.length, client.status]).toEqual([1, 'disconnected'])
  client.close()
  expect(client.status).toBe('disconnected')
})

test('each event reaches its handlers once and in order, and is not repeated by a replay', () => {
  const client = connect()
  newest().onopen()
  const seen: number[] = []
  const leave = client.onGraphEvent(({ seq }) => seen.push(seq))
  const ofType = vi.fn()
  client.on('entity_created', ofType)
  for (const seq of [4, 5, 5, 3, 6]) message(seqEvent(seq))
  expect([seen, client.lastSeq]).toEqual([[4, 5, 6], 6])
  expect(ofType).toHaveBeenCalledTimes(3)
  leave()
  message(seqEvent(7))
  expect(seen).toEqual([4, 5, 6])
})

test('after a reconnection it asks for what it has missed, and subscribes to its entities again', () => {
  const client = connect()
  client.subscribeToEntity('ent_1')
  client.subscribeToEntity('ent_2')
  client.unsubscribeFromEntity('ent_2')
  client.unsubscribeFromEntity('ent_3')
  newest().onopen()
  message(seqEvent(9))
  newest().onclose({ code: 1006 })
  vi.advanceTimersByTime(5_000)
  const payloads: unknown[] = []
  newest().send = (text) => payloads.push(JSON.parse(text).payload)
  newest().onopen()
  expect(payloads).toEqual([{ since: 9 }, { entityId: 'ent_1' }])
})

test('a log that went back is announced, and events count from there', () => {
  const client = connect()
  newest().onopen()
  const rewound = vi.fn()
  client.onRewind(rewound)
  const subscribed = (seq: number) => message(JSON.stringify({ type: 'subscribed', payload: { seq } }))
  subscribed(20)
  expect([client.lastSeq, rewound.mock.calls.length]).toEqual([20, 0])
  subscribed(25)
  expect([client.lastSeq, rewound.mock.calls.length]).toEqual([20, 0])
  subscribed(7)
  expect([client.lastSeq, rewound.mock.calls.length]).toEqual([7, 1])
  message(seqEvent(8))
  expect(client.lastSeq).toBe(8)
})

test('its status is told when it changes, until somebody stops listening', () => {
  const client = connect()
  const told: string[] = []
  const leave = client.onStatus((status) => told.push(status))
  newest().onopen()
  client.close()
  leave()
  client.connect()
  expect(told).toEqual(['connected', 'disconnecting', 'disconnected'])
})

test.each(['null', '7', '"x"', '[]', '{}', '{"type":7}', '{'])(
  'the message %s is dropped with a warning',
  (data) => {
    connect()
    newest().onopen()
    message(data)
    expect(warn).toHaveBeenLastCalledWith('A message that cannot be read was dropped')
  },
)
