/**
 * The latency of one account's calls while another account floods the server from 100 connections, and while
 * nobody else calls. The burst limit is on, as by default. Idle and flooded seconds alternate.
 * Usage: node bench/flood.ts [rounds] [seconds a turn] [sqlite|postgres]   (default 5 rounds with 4 seconds,
 * both)
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../server/test/postgres.ts'
import { startServerProcess } from '../server/test/server-process.ts'
import { type DatabaseName, databases } from './bench-server.ts'
import { addAccount, makeMemory } from './lib/loci.ts'
import { machine, print, quantile, type Row, times } from './lib/report.ts'

const [rounds = 5, seconds = 4] = process.argv.slice(2, 4).map(Number)
const chosen = databases.filter((name) => name === (process.argv[4] ?? name))
const restMs = 2
const connectionsPerCall = 50
const warmUpMs = 500

type Call = { name: string; method: string; path: string; body?: () => object }
type Taken = Map<string, number[]>
let count = 0
const calls: Call[] = [
  { name: 'list of 20', method: 'GET', path: '/api/entities?limit=20' },
  { name: 'search', method: 'GET', path: '/api/search?query=heliotrope' },
  {
    name: 'create',
    method: 'POST',
    path: '/api/entities',
    body: () => ({ name: `Calm ${count++}`, type: 'note' }),
  },
]
const noneTaken = (): Taken => new Map(calls.map(({ name }) => [name, []]))

const autocannon = createRequire(import.meta.url).resolve('autocannon/autocannon.js')
const agent = new Agent({ keepAlive: true })
process.stdout.write(`${machine()}\n`)
for (const database of chosen) await measure(database)
agent.destroy()

async function measure(database: DatabaseName): Promise<void> {
  const postgres = database === 'postgres' ? await startPostgres() : undefined
  const memory = await makeMemory(1_000, postgres?.url)
  const hostile = await addAccount(memory.config)
  const server = await startServerProcess({ ...memory.config, burstLimit: true })
  const callFor = (ms: number, taken: Taken) => callInTurn({ url: server.url, key: memory.apiKey }, ms, taken)
  const [idle, flooded] = [noneTaken(), noneTaken()]
  await callFor(warmUpMs, noneTaken())
  for (let round = 0; round < rounds; round++) {
    await callFor(seconds * 1_000, idle)
    const flood = startFlood(server.url, hostile.apiKey)
    await sleep(warmUpMs)
    await callFor(seconds * 1_000, flooded)
    for (const child of flood) child.kill()
    await Promise.all(flood.map((child) => once(child, 'exit')))
    await sleep(warmUpMs)
  }
  await server.stop()
  memory.remove()
  await postgres?.stop()
  print(
    `One account beside another that floods, ${database}`,
    calls.map(({ name }) => toRow(name, idle.get(name)!, flooded.get(name)!)),
  )
}

/** Searches and creations, all different. */
function startFlood(url: string, key: string): ChildProcess[] {
  const common = ['-c', String(connectionsPerCall), '-d', '600', '-H', `authorization=Bearer ${key}`]
  const create = ['-m', 'POST', '-H', 'content-type=application/json', '-I']
  const body = JSON.stringify({
    name: 'Flood [<id>]',
    type: 'note',
    observations: ['Something that is to be found'],
  })
  return [
    spawn(process.execPath, [autocannon, ...common, `${url}/api/search?query=flood`], {
      stdio: 'ignore',
    }),
    spawn(process.execPath, [autocannon, ...common, ...create, '-b', body, `${url}/api/entities`], {
      stdio: 'ignore',
    }),
  ]
}

type Server = { url: string; key: string }

async function callInTurn(server: Server, ms: number, taken: Taken): Promise<void> {
  const endAt = performance.now() + ms
  for (let i = 0; performance.now() < endAt; i++) {
    const call = calls[i % calls.length]!
    const startedAt = performance.now()
    await send(server, call)
    taken.get(call.name)!.push(performance.now() - startedAt)
    await sleep(restMs)
  }
}

async function send({ url, key }: Server, { method, path, body }: Call): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sent = request(url + path, { method, headers, agent })
  sent.end(body === undefined ? undefined : JSON.stringify(body()))
  const [answer] = await once(sent, 'response')
  const answered = await text(answer)
  if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${answered}`)
}

function toRow(call: string, calm: readonly number[], busy: readonly number[]): Row {
  const [calmP99, busyP99] = [quantile(calm, 0.99), quantile(busy, 0.99)]
  return {
    call,
    'idle p50 ms': quantile(calm, 0.5).toFixed(1),
    'idle p99 ms': calmP99.toFixed(1),
    'flooded p50 ms': quantile(busy, 0.5).toFixed(1),
    'flooded p95 ms': quantile(busy, 0.95).toFixed(1),
    'flooded p99 ms': busyP99.toFixed(1),
    'p99, ratio': times(busyP99 / calmP99),
    'calls flooded': busy.length,
  }
}
