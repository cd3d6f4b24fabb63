/**
 * The latency of one account's calls while another account stores a 7 MB batch, and while nobody else calls.
 * Calls follow each other after a short pause. The first batch of a process takes longer and is listed
 * separately.
 * Usage: node bench/fairness.ts [rounds] [idle seconds a round]   (default 5 rounds with 4 seconds)
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServerProcess } from '../server/test/server-process.ts'
import { addAccount, makeMemory } from './lib/loci.ts'
import { machine, median, print, quantile, type Row, times } from './lib/report.ts'

const [rounds = 5, seconds = 4] = process.argv.slice(2).map(Number)
const restMs = 2

type Call = { name: string; method: string; path: string; body?: () => object }
type Taken = { name: string; ms: number }
type Round = { idle: Taken[]; busy: Taken[]; batchMs: number }

const memory = await makeMemory(1_000)
const other = await addAccount(memory.config)
const server = await startServerProcess(memory.config)
const program = new URL('./lib/large-batch.ts', import.meta.url).pathname
const sender = spawn(process.execPath, [program, server.url, other.apiKey], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const lines = createInterface(sender.stdout)[Symbol.asyncIterator]()
await lines.next()

const agent = new Agent({ keepAlive: true })
const { entities } = await send({ name: '', method: 'GET', path: '/api/entities?limit=1' })
let count = 0
const reads: Call[] = [
  { name: 'GET /healthz', method: 'GET', path: '/healthz' },
  { name: 'list of 20', method: 'GET', path: '/api/entities?limit=20' },
  { name: 'read by id', method: 'GET', path: `/api/entities/${entities[0].id}` },
  { name: 'search', method: 'GET', path: '/api/search?query=heliotrope' },
]
const create = {
  name: 'create',
  method: 'POST',
  path: '/api/entities',
  body: () => ({ name: `Small ${count++}`, type: 'note' }),
}

process.stdout.write(`${machine()}\n`)
report('Reads beside the first batch of a process', reads, [await measure(reads)])
for (const calls of [reads, [create]]) {
  const measured: Round[] = []
  for (let round = 0; round < rounds; round++) measured.push(await measure(calls))
  report(
    `${calls === reads ? 'Reads' : 'Writes'} beside later batches, medians of ${rounds}`,
    calls,
    measured,
  )
}
sender.stdin.end()
await once(sender, 'exit')
await server.stop()
agent.destroy()
memory.remove()

async function measure(calls: Call[]): Promise<Round> {
  const idle: Taken[] = []
  const busy: Taken[] = []
  const endAt = performance.now() + seconds * 1_000
  await repeat(calls, idle, () => performance.now() < endAt)
  let isUnderWay = true
  const batch = nextBatch().finally(() => {
    isUnderWay = false
  })
  await Promise.all([batch, repeat(calls, busy, () => isUnderWay)])
  return { idle, busy, batchMs: await batch }
}

async function nextBatch(): Promise<number> {
  sender.stdin.write('\n')
  const { value } = await lines.next()
  const ms = Number(value)
  if (Number.isNaN(ms)) throw new Error(`The batch was not stored: ${value}`)
  return ms
}

async function repeat(calls: Call[], taken: Taken[], goesOn: () => boolean): Promise<void> {
  for (let i = 0; goesOn(); i++) {
    const call = calls[i % calls.length]!
    const startedAt = performance.now()
    await send(call)
    taken.push({ name: call.name, ms: performance.now() - startedAt })
    await sleep(restMs)
  }
}

/** Uses raw HTTP, because `fetch` takes longer than the server. */
async function send({ method, path, body }: Call) {
  const authorization = `Bearer ${memory.apiKey}`
  const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const sent = request(server.url + path, { method, headers, agent })
  sent.end(body === undefined ? undefined : JSON.stringify(body()))
  const [answer] = await once(sent, 'response')
  const answered = await text(answer)
  if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${answered}`)
  return JSON.parse(answered)
}

function report(title: string, calls: Call[], measured: Round[]): void {
  const rows = calls.map(({ name }) => toRow(name, measured, (taken) => taken.name === name))
  const all = calls.length === 1 ? [] : [toRow('all', measured, () => true)]
  print(title, [...rows, ...all])
}

function toRow(call: string, measured: Round[], isMeant: (taken: Taken) => boolean): Row {
  const of = (part: 'idle' | 'busy', share: number) =>
    median(
      measured.map((round) =>
        quantile(
          round[part].filter(isMeant).map(({ ms }) => ms),
          share,
        ),
      ),
    )
  const [idleLongest, busyLongest] = [of('idle', 1), of('busy', 1)]
  return {
    call,
    'idle p50 ms': of('idle', 0.5).toFixed(1),
    'idle longest': idleLongest.toFixed(1),
    'p50 beside the batch': of('busy', 0.5).toFixed(1),
    'longest beside it': busyLongest.toFixed(1),
    'longest, ratio': times(busyLongest / idleLongest),
    'batch ms': median(measured.map(({ batchMs }) => batchMs)),
  }
}
