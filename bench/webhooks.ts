/**
 * The latency of writes while every change goes to many webhook endpoints, and while the same endpoints are
 * disabled; seconds with and without alternate. Then the speed at which a backlog is sent. The server has its
 * own process; receivers respond with 204 at once, in a thread of this one.
 * Usage: node bench/webhooks.ts [endpoints] [events a second] [rounds] [seconds a turn] [sqlite|postgres]
 * (default 100 endpoints, 1,000 events a second, 4 rounds of 5 seconds, both)
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { createRestClient, type RestClient } from '@loci/client/rest'
import { startPostgres } from '../server/test/postgres.ts'
import { startServerProcess } from '../server/test/server-process.ts'
import { type DatabaseName, databases } from './bench-server.ts'
import { makeMemory } from './lib/loci.ts'
import { machine, print, quantile, type Row, times } from './lib/report.ts'

const [endpoints = 100, eventsPerSecond = 1_000, rounds = 4, seconds = 5] = process.argv
  .slice(2, 6)
  .map(Number)
const backlog = 200
const settleMs = 1_000
const ticksPerSecond = 100
let count = 0

if (isMainThread) await main()
else await receive()

async function main(): Promise<void> {
  process.stdout.write(`${machine()}\n`)
  const receiver = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) })
  const [url] = (await once(receiver, 'message')) as [string]
  for (const database of databases.filter((name) => name === (process.argv[6] ?? name))) {
    await measure(database, receiver, url)
  }
  await receiver.terminate()
}

async function measure(database: DatabaseName, receiver: Worker, url: string): Promise<void> {
  const postgres = database === 'postgres' ? await startPostgres() : undefined
  const memory = await makeMemory(1_000, postgres?.url)
  const server = await startServerProcess(memory.config, {
    logLevel: 'warn',
    env: { LOCI_WEBHOOKS_ALLOW_PRIVATE: 'true' },
  })
  const rest = createRestClient({ baseUrl: server.url, token: () => memory.token })
  const ids: string[] = []
  for (let i = 0; i < endpoints; i++) {
    ids.push((await rest.createWebhook({ body: { url: `${url}/${i}` } })).webhook.id)
  }
  const setAll = async (status: 'active' | 'disabled') => {
    for (const id of ids) await rest.updateWebhook({ params: { id }, body: { status } })
    await sleep(settleMs)
  }
  const ways = { 'endpoints disabled': newFigures(), 'endpoints active': newFigures() }
  for (let round = 0; round < rounds; round++) {
    await setAll('disabled')
    await write(rest, server.pid, receiver, ways['endpoints disabled'])
    await setAll('active')
    await write(rest, server.pid, receiver, ways['endpoints active'])
  }
  const base = ways['endpoints disabled'].ms
  print(
    `${database}: ${eventsPerSecond / endpoints} writes a second, ${endpoints} endpoints, ${rounds} rounds of ${seconds} s`,
    Object.entries(ways).map(([way, figures]): Row => ({ way, ...toRow(figures, base) })),
  )
  await drain(rest, server.pid, receiver)
  await server.stop()
  memory.remove()
  await postgres?.stop()
}

/** The totals of one alternative over all its turns. */
type Figures = { ms: number[]; events: number; cpuMs: number; wallMs: number; lagMs: number[] }
function newFigures(): Figures {
  return { ms: [], events: 0, cpuMs: 0, wallMs: 0, lagMs: [] }
}

function toRow({ ms, events, cpuMs, wallMs, lagMs }: Figures, base: readonly number[]): Row {
  const lag = lagMs.toSorted((a, b) => a - b)
  return {
    'write p50 ms': quantile(ms, 0.5).toFixed(2),
    'write p95 ms': quantile(ms, 0.95).toFixed(2),
    'p50 ratio': times(quantile(ms, 0.5) / quantile(base, 0.5)),
    'p95 ratio': times(quantile(ms, 0.95) / quantile(base, 0.95)),
    'events a second': Math.round(events / (wallMs / 1_000)),
    'sent more than once': lag.length === 0 ? '' : events - ms.length * endpoints,
    'event lag p50 ms': lag.length === 0 ? '' : Math.round(quantile(lag, 0.5)),
    'event lag p99 ms': lag.length === 0 ? '' : Math.round(quantile(lag, 0.99)),
    'CPU of the server %': Math.round((cpuMs / wallMs) * 100),
  }
}

/** Writes at a steady pace for a turn, and waits until all deliveries have been sent. */
async function write(rest: RestClient, pid: number, receiver: Worker, figures: Figures): Promise<void> {
  receiver.postMessage('reset')
  const [begunAt, begunCpu] = [performance.now(), cpuMsOf(pid)]
  const gapMs = 1_000 / (eventsPerSecond / endpoints)
  for (let next = begunAt; next < begunAt + seconds * 1_000; next += gapMs) {
    await sleep(Math.max(0, next - performance.now()))
    const at = performance.now()
    await rest.createEntity({ body: { name: `Bench ${count++}`, type: 'note' } })
    figures.ms.push(performance.now() - at)
  }
  figures.wallMs += performance.now() - begunAt
  figures.cpuMs += cpuMsOf(pid) - begunCpu
  await sleep(2 * settleMs)
  const { received, lagMs } = await ask(receiver)
  figures.events += received
  figures.lagMs.push(...lagMs)
}

/** The speed at which a backlog is sent. */
async function drain(rest: RestClient, pid: number, receiver: Worker): Promise<void> {
  receiver.postMessage('reset')
  const entities = Array.from({ length: backlog }, () => ({ name: `Backlog ${count++}`, type: 'note' }))
  const [begunAt, begunCpu] = [performance.now(), cpuMsOf(pid)]
  await rest.createBatch({ body: { entities } })
  const wanted = backlog * endpoints
  while ((await ask(receiver)).received < wanted) await sleep(100)
  const wallMs = performance.now() - begunAt
  const row = {
    events: wanted,
    seconds: (wallMs / 1_000).toFixed(1),
    'events a second': Math.round((wanted / wallMs) * 1_000),
    'CPU ms of the server an event': ((cpuMsOf(pid) - begunCpu) / wanted).toFixed(2),
  }
  print(`${backlog} changes at once to ${endpoints} endpoints`, [row])
}

type Report = { received: number; lagMs: number[] }

async function ask(receiver: Worker): Promise<Report> {
  receiver.postMessage('report')
  const [report] = (await once(receiver, 'message')) as [Report]
  return report
}

/** User and system time of a process, from Linux's /proc; NaN elsewhere. */
function cpuMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond
  } catch {
    return Number.NaN
  }
}

/** In the worker: counts requests, and records how long after the change they arrived. */
async function receive(): Promise<void> {
  let report: Report = { received: 0, lagMs: [] }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString())
    report.received++
    report.lagMs.push(Date.now() - Date.parse(timestamp))
    response.writeHead(204).end()
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  parentPort!.on('message', (order: 'reset' | 'report') => {
    if (order === 'reset') report = { received: 0, lagMs: [] }
    else parentPort!.postMessage(report)
  })
  parentPort!.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}
