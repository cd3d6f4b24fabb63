/**
 * How long one account's calls take while another account floods the server from 100 connections, beside how long they
 * take when nobody else calls. The burst limit is on, as it is by default. Idle and flooded seconds take turns.
 * Usage: node bench/flood.ts [rounds] [seconds a turn]   (default 5 rounds with 4 seconds)
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServerProcess } from '../server/test/server-process.ts'
import { addAccount, makeMemory } from './lib/loci.ts'
import { machine, print, quantile, type Row, times } from './lib/report.ts'

const [rounds = 5, seconds = 4] = process.argv.slice(2).map(Number)
const restMs = 2
const connectionsPerCall = 50
const warmUpMs = 500

const autocannon = createRequire(import.meta.url).resolve('autocannon/autocannon.js')
const memory = await makeMemory(1_000)
const hostile = await addAccount(memory.config)
const server = await startServerProcess({ ...memory.config, burstLimit: true })
const agent = new Agent({ keepAlive: true })
let count = 0

type Call = { name: string; method: string; path: string; body?: () => object }
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
const idle = new Map<string, number[]>(calls.map(({ name }) => [name, []]))
const flooded = new Map<string, number[]>(calls.map(({ name }) => [name, []]))

process.stdout.write(`${machine()}\n`)
await callFor(warmUpMs, new Map(calls.map(({ name }) => [name, []])))
for (let round = 0; round < rounds; round++) {
  await callFor(seconds * 1_000, idle)
  const flood = startFlood()
  await sleep(warmUpMs)
  await callFor(seconds * 1_000, flooded)
  for (const child of flood) child.kill()
  await Promise.all(flood.map((child) => once(child, 'exit')))
  await sleep(warmUpMs)
}
await server.stop()
agent.destroy()
memory.remove()
print(
  'One account beside another that floods',
  calls.map(({ name }) => toRow(name)),
)

/** Searches, and creations that all differ. */
function startFlood(): ChildProcess[] {
  const common = [
    '-c',
    String(connectionsPerCall),
    '-d',
    '600',
    '-H',
    `authorization=Bearer ${hostile.apiKey}`,
  ]
  const create = ['-m', 'POST', '-H', 'content-type=application/json', '-I']
  const body = JSON.stringify({
    name: 'Flood [<id>]',
    type: 'note',
    observations: ['Something that is to be found'],
  })
  return [
    spawn(process.execPath, [autocannon, ...common, `${server.url}/api/search?query=flood`], {
      stdio: 'ignore',
    }),
    spawn(process.execPath, [autocannon, ...common, ...create, '-b', body, `${server.url}/api/entities`], {
      stdio: 'ignore',
    }),
  ]
}

async function callFor(ms: number, taken: Map<string, number[]>): Promise<void> {
  const endAt = performance.now() + ms
  for (let i = 0; performance.now() < endAt; i++) {
    const call = calls[i % calls.length]!
    const startedAt = performance.now()
    await send(call)
    taken.get(call.name)!.push(performance.now() - startedAt)
    await sleep(restMs)
  }
}

async function send({ method, path, body }: Call): Promise<void> {
  const headers = { authorization: `Bearer ${memory.apiKey}`, 'content-type': 'application/json' }
  const sent = request(server.url + path, { method, headers, agent })
  sent.end(body === undefined ? undefined : JSON.stringify(body()))
  const [answer] = await once(sent, 'response')
  const answered = await text(answer)
  if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${answered}`)
}

function toRow(call: string): Row {
  const [calm, busy] = [idle.get(call)!, flooded.get(call)!]
  return {
    call,
    'idle p50 ms': quantile(calm, 0.5).toFixed(1),
    'idle p99 ms': quantile(calm, 0.99).toFixed(1),
    'flooded p50 ms': quantile(busy, 0.5).toFixed(1),
    'flooded p99 ms': quantile(busy, 0.99).toFixed(1),
    'p99, ratio': times(quantile(busy, 0.99) / quantile(calm, 0.99)),
    'calls flooded': busy.length,
  }
}
