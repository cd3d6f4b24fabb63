/**
 * The latency of writes while every change goes to many webhook endpoints, while the same endpoints are disabled, and
 * while they are disabled but a bare program posts as many of the same requests: what any sender costs on this machine.
 * The three take turns of some seconds. Then the speed at which a backlog is sent. The server and the bare program have
 * their own processes; receivers respond with 204 at once, in a thread of this one.
 * Usage: node bench/webhooks.ts [endpoints] [events a second] [rounds] [seconds a turn] [sqlite|postgres]
 * (default 100 endpoints, 1,000 events a second, 4 rounds of 5 seconds, both)
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, createServer, request as post } from 'node:http'
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
/** How Loci sends: it looks for changes at this interval, and sends an account's requests ten at a time. */
const [lookMs, atOnce] = [250, 10]
const barePath = '/bare'
let count = 0

if (!isMainThread) await receive()
else if (process.send === undefined) await main()
else sendBare()

async function main(): Promise<void> {
  process.stdout.write(`${machine()}\n`)
  const receiver = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) })
  const [url] = (await once(receiver, 'message')) as [string]
  const sender = fork(new URL(import.meta.url), process.argv.slice(2))
  for (const database of databases.filter((name) => name === (process.argv[6] ?? name))) {
    await measure(database, receiver, sender, url)
  }
  sender.disconnect()
  await receiver.terminate()
}

async function measure(
  database: DatabaseName,
  receiver: Worker,
  sender: ChildProcess,
  url: string,
): Promise<void> {
  const postgres = database === 'postgres' ? await startPostgres() : undefined
  const memory = await makeMemory(1_000, postgres?.url)
  const server = await startServerProcess(memory.config, {
    logLevel: 'warn',
    env: { LOCI_WEBHOOKS_ALLOW_PRIVATE: 'true' },
  })
  const rest = createRestClient({ baseUrl: server.url, token: () => memory.apiKey })
  const ids: string[] = []
  for (let i = 0; i < endpoints; i++) {
    ids.push((await rest.createWebhook({ body: { url: `${url}/${i}` } })).webhook.id)
  }
  const setAll = async (status: 'active' | 'disabled') => {
    for (const id of ids) await rest.updateWebhook({ params: { id }, body: { status } })
    await sleep(settleMs)
  }
  const turn = (figures: Figures, onWritten?: () => void) =>
    write(rest, server.pid, receiver, figures, onWritten)
  const ways = {
    'endpoints disabled': newFigures(),
    'endpoints disabled, a bare sender': newFigures(),
    'endpoints active': newFigures(),
  }
  await turn(newFigures())
  const { sample } = await ask(receiver)
  for (let round = 0; round < rounds; round++) {
    await setAll('disabled')
    await turn(ways['endpoints disabled'])
    sender.send({ url: `${url}${barePath}`, ...sample! })
    await turn(ways['endpoints disabled, a bare sender'], () => sender.send('stop'))
    await setAll('active')
    await turn(ways['endpoints active'])
  }
  const [alone, beside] = [ways['endpoints disabled'].ms, ways['endpoints disabled, a bare sender'].ms]
  print(
    `${database}: ${eventsPerSecond / endpoints} writes a second, ${endpoints} endpoints, ${rounds} rounds of ${seconds} s`,
    Object.entries(ways).map(([way, figures]): Row => ({ way, ...toRow(figures, alone, beside) })),
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

function toRow(
  { ms, events, cpuMs, wallMs, lagMs }: Figures,
  alone: readonly number[],
  beside: readonly number[],
): Row {
  const shares = [0.5, 0.95, 0.99]
  const ratios = (base: readonly number[]) =>
    shares.map((share) => times(quantile(ms, share) / quantile(base, share))).join(', ')
  return {
    'write p50, p95, p99 ms': shares.map((share) => quantile(ms, share).toFixed(2)).join(', '),
    'to disabled': ratios(alone),
    'to a bare sender': ratios(beside),
    'events a second': Math.round(events / (wallMs / 1_000)),
    'sent more than once': lagMs.length === 0 ? '' : events - ms.length * endpoints,
    'event lag p50 ms': lagMs.length === 0 ? '' : Math.round(quantile(lagMs, 0.5)),
    'event lag p99 ms': lagMs.length === 0 ? '' : Math.round(quantile(lagMs, 0.99)),
    'CPU of the server %': Math.round((cpuMs / wallMs) * 100),
  }
}

/** Writes at a steady pace for a turn, and waits until all deliveries have been sent. */
async function write(
  rest: RestClient,
  pid: number,
  receiver: Worker,
  figures: Figures,
  onWritten = () => {},
): Promise<void> {
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
  onWritten()
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

type Sample = { headers: Record<string, string>; body: string }
type Report = { received: number; lagMs: number[]; sample?: Sample }

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

/** In a process of its own: signs and posts the same request again and again, at the pace of the endpoints. */
function sendBare(): void {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  let timer: NodeJS.Timeout | undefined
  process.on('message', (order: 'stop' | (Sample & { url: string })) => {
    clearInterval(timer)
    if (order === 'stop') return
    const { url, headers, body } = order
    const postOne = () => {
      const signature = createHmac('sha256', 'secret').update(body).digest('base64')
      const signed = { ...headers, 'webhook-signature': `v1,${signature}` }
      post(url, { method: 'POST', agent, headers: signed }, (response) => response.resume()).end(body)
    }
    timer = setInterval(() => {
      for (let i = 0; i < (eventsPerSecond * lookMs) / 1_000; i++) postOne()
    }, lookMs)
  })
  process.on('disconnect', () => process.exit())
}

/** In the worker: counts requests, and records how long after the change they arrived. */
async function receive(): Promise<void> {
  let report: Report = { received: 0, lagMs: [] }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    report.received++
    if (request.url !== barePath) {
      const { host: _, connection: __, ...headers } = request.headers as Record<string, string>
      report.sample = { headers, body }
      report.lagMs.push(Date.now() - Date.parse(JSON.parse(body).timestamp))
    }
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
