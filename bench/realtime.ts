/**
 * How long a change of the graph takes to reach many WebSockets, compared with a bare `ws` broadcast of the
 * same bytes in the same process. The sockets' other ends are in a worker. The alternatives are interleaved,
 * so that background load affects them equally.
 * Usage: node bench/realtime.ts [sockets] [events]   (default 1000 sockets, 25 events in each of 4 rounds)
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { realtimePath, realtimeProtocol } from '@loci/contract/realtime'
import pino from 'pino'
import WebSocket, { WebSocketServer } from 'ws'
import { buildApp } from '../server/src/app.ts'
import { createEntity, createObservations } from '../server/src/features/entities/entities.service.ts'
import { register } from '../server/src/features/users/users.service.ts'
import { type Config, readConfig } from '../server/src/ground/config/config.ts'
import { closeContext, openContext } from '../server/src/open-context.ts'
import type { Context } from '../server/src/tenancy/context.ts'
import { startPostgres, testSecret } from '../server/test/postgres.ts'
import { toLocalActor } from './lib/actors.ts'

type Order = { url: string; token: string; sockets: number; events: number }
/** The arrival of each event at each socket: the event's number, and milliseconds of the shared clock. */
type Arrivals = [event: number, at: number][]
/** Sends one event to all sockets; `event` becomes its `seq`. */
type Send = (event: number) => unknown

const rounds = 4
const warmUpEvents = 5
const gapMs = 150
const nowMs = () => Number(process.hrtime.bigint()) / 1e6

if (isMainThread) await main(Number(process.argv[2] ?? 1000), Number(process.argv[3] ?? 25))
else parentPort!.on('message', async (order: Order) => parentPort!.postMessage(await collect(order)))

async function main(sockets: number, events: number): Promise<void> {
  const worker = new Worker(new URL(import.meta.url))
  const postgres = await startPostgres()
  for (const databaseUrl of [undefined, postgres.url]) {
    const dataDir = mkdtempSync(join(tmpdir(), 'loci-bench-'))
    const env = {
      LOCI_DATA_DIR: dataDir,
      LOCI_LOG_LEVEL: 'warn',
      LOCI_BURST_LIMIT: 'off',
      DATABASE_URL: databaseUrl ?? '',
      LOCI_SECRET: databaseUrl === undefined ? '' : testSecret,
    }
    console.log(
      `\n${databaseUrl === undefined ? 'SQLite' : 'PostgreSQL'}: ${sockets} sockets, ${rounds} rounds of ${events} events; ratios to a write with a bare broadcast`,
    )
    console.table(await compare(worker, readConfig(env), sockets, events))
    rmSync(dataDir, { recursive: true })
  }
  await postgres.stop()
  await worker.terminate()
}

async function compare(worker: Worker, config: Config, sockets: number, events: number) {
  const ctx = await openContext(config, pino({ level: 'warn' }))
  const otherCtx = await openContext(config, pino({ level: 'warn' }))
  const { token, actor, entityId } = await seed(ctx)
  const app = await buildApp(ctx)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const bare = await startBare()
  const write = (from: Context) => createObservations(from, actor, entityId, ['something new'])
  const ways: Record<string, { url: string; send: Send }> = {
    'bare broadcast': { url: bare.url, send: bare.broadcast },
    'write, then bare broadcast': {
      url: bare.url,
      send: async (event) => {
        await write(ctx)
        bare.broadcast(event)
      },
    },
    'Loci, written in this process': { url, send: () => write(ctx) },
    'Loci, written in another process': { url, send: () => write(otherCtx) },
  }
  const delays = new Map<string, number[]>()
  for (let round = 0; round < rounds; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const order = { url: way.url, token, sockets, events: events + warmUpEvents }
      delays.set(name, [...(delays.get(name) ?? []), ...(await measure(worker, order, way.send))])
    }
  }
  bare.close()
  await app.close()
  await closeContext(otherCtx)
  await closeContext(ctx)
  return toTable(delays, delays.get('write, then bare broadcast')!)
}

function toTable(delays: Map<string, number[]>, base: number[]) {
  const quantile = (ms: number[], share: number) =>
    ms.toSorted((a, b) => a - b)[Math.floor(ms.length * share)] ?? Number.NaN
  const ratio = (ms: number[], share: number) => (quantile(ms, share) / quantile(base, share)).toFixed(2)
  return [...delays].map(([way, ms]) => ({
    way,
    'p50 ms': quantile(ms, 0.5).toFixed(1),
    'p99 ms': quantile(ms, 0.99).toFixed(1),
    'p50 ratio': ratio(ms, 0.5),
    'p99 ratio': ratio(ms, 0.99),
    deliveries: ms.length,
  }))
}

async function seed(ctx: Context) {
  const person = { email: 'bench@example.com', password: 'correct horse', firstName: 'B', lastName: 'E' }
  const { token, user } = await register(ctx, person, { address: '127.0.0.1', userAgent: 'bench' })
  const actor = await toLocalActor(ctx, user)
  const { entity } = await createEntity(ctx, actor, { name: 'subject', type: 'thing' })
  return { token, actor, entityId: entity.id }
}

/** A server that only sends events of our shape to all sockets. */
async function startBare() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => realtimeProtocol })
  server.on('connection', (socket) => {
    socket.on('message', () => socket.send(JSON.stringify({ type: 'subscribed', payload: { seq: 0 } })))
  })
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const payload = {
    entityId: 'ent_06b3vq1m2s0000000000000000',
    observationId: 'obs_06b3vq1m2s0000000000000000',
  }
  return {
    url: `http://127.0.0.1:${port}`,
    broadcast(seq: number) {
      const event = {
        id: `evt_${seq}`,
        timestamp: new Date().toISOString(),
        seq,
        type: 'observation_added',
        payload,
      }
      const data = Buffer.from(JSON.stringify(event))
      for (const socket of server.clients) socket.send(data, { binary: false })
    },
    close: () => server.close(),
  }
}

/** Delays of all deliveries in milliseconds. */
async function measure(worker: Worker, order: Order, send: Send): Promise<number[]> {
  const reports: unknown[] = []
  const next = async () => {
    while (reports.length === 0) await new Promise((resolve) => worker.once('message', resolve))
    return reports.shift()
  }
  const keep = (report: unknown) => reports.push(report)
  worker.on('message', keep)
  worker.postMessage(order)
  await next()
  const sentAt: number[] = []
  for (let event = 1; event <= order.events; event++) {
    sentAt[event] = nowMs()
    await send(event)
    await sleep(gapMs)
  }
  const arrivals = (await next()) as Arrivals
  worker.off('message', keep)
  return arrivals.filter(([event]) => event > warmUpEvents).map(([event, at]) => at - sentAt[event]!)
}

/** In the worker: opens the sockets, reports that, and replies when every event has arrived at every socket. */
async function collect({ url, token, sockets, events }: Order): Promise<Arrivals> {
  const arrivals: Arrivals = []
  const done = Promise.withResolvers<void>()
  const opened: WebSocket[] = []
  for (let i = 0; i < sockets; i++) opened.push(await subscribe(url, token, onEvent))
  parentPort!.postMessage('ready')
  await done.promise
  for (const socket of opened) socket.close()
  await Promise.all(opened.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
  return arrivals

  function onEvent(event: number): void {
    arrivals.push([event, nowMs()])
    if (arrivals.length === sockets * events) done.resolve()
  }
}

function subscribe(url: string, token: string, onEvent: (event: number) => void): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${realtimePath}`, [realtimeProtocol, token])
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>()
  let base = 0
  socket.on('error', reject)
  socket.on('open', () => socket.send(JSON.stringify({ type: 'subscribe_to_graph_changes', payload: {} })))
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString())
    if (message.type === 'subscribed') {
      base = message.payload.seq
      resolve(socket)
    } else if (message.seq !== undefined) onEvent(message.seq - base)
  })
  return promise
}
