/**
 * What a REST call costs: processor time of the server's process on SQLite, beside the smallest server with the same
 * duties (`lib/floor-server.ts`), cold (the first 50 calls of a process) and warm; on PostgreSQL the calls per second,
 * beside the same statements through `pg` alone. The alternatives are interleaved.
 * Usage: node bench/rest.ts [entities] [calls] [seconds]   (default 1000 entities, rounds of 2000 calls on SQLite and
 * of 3 seconds on PostgreSQL; 0 seconds leave PostgreSQL out)
 * Three rounds count; one before them warms up.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '../server/test/postgres.ts'
import { type ServerProcess, startProgram, startServerProcess } from '../server/test/server-process.ts'
import type { FloorSettings } from './lib/floor-server.ts'
import { costOf, type LoadCall, rateOf, takeTurns } from './lib/load.ts'
import { type Memory, makeMemory } from './lib/loci.ts'
import { machine, print, type Row, times } from './lib/report.ts'
import { rareFacts, seededCalls } from './lib/seeded-calls.ts'
import { recordStatements, startReplay } from './lib/statements.ts'

const [entities = 1_000, calls = 2_000, seconds = 3] = process.argv.slice(2).map(Number)
const rounds = 3
const coldCalls = 50
/** A server that has just started still does work of its own. */
const settleMs = 1_000
const floorServer = new URL('./lib/floor-server.ts', import.meta.url).pathname

/** A server that can be started again and again on what it has stored, with its own calls. */
type Competitor = { start: () => Promise<ServerProcess>; calls: Record<string, LoadCall> }

process.stdout.write(`${machine()}\n`)
print('Microseconds of processor time a REST call, SQLite', await besideTheFloor())
if (seconds > 0) {
  const postgres = await startPostgres()
  print('REST calls a second, PostgreSQL', await besideStatements(postgres.url))
  await postgres.stop()
}

async function besideTheFloor(): Promise<Row[]> {
  const memory = await makeMemory(entities)
  const directory = mkdtempSync(join(tmpdir(), 'loci-floor-'))
  const input = JSON.stringify({ directory, key: memory.apiKey, entities } satisfies FloorSettings)
  const floor = await prepare(() => startProgram([floorServer], { input, stderr: 'ignore' }), memory)
  const loci = await prepare(() => startLoci(memory), memory)
  const rows: Row[] = []
  for (const name of Object.keys(loci.calls)) rows.push(await compare(name, floor, loci))
  rows.push(await compare('create, known words', floor, loci, 1))
  memory.remove()
  rmSync(directory, { recursive: true })
  return rows
}

function startLoci({ config }: Memory): Promise<ServerProcess> {
  return startServerProcess(config, { logLevel: 'info', stderr: 'ignore' })
}

async function prepare(start: () => Promise<ServerProcess>, { apiKey }: Memory): Promise<Competitor> {
  const server = await start()
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  for (const body of rareFacts()) {
    const call = { method: 'POST', path: () => '/api/entities', headers, body: () => JSON.stringify(body) }
    await send(server.url, call)
  }
  const calls = seededCalls(apiKey, await listIds(server.url, apiKey))
  await server.stop()
  return { start, calls }
}

/** Both servers are started anew for each kind of call, so that its first calls find cold code. */
async function compare(name: string, floor: Competitor, loci: Competitor, connections = 10): Promise<Row> {
  const processes = { floor: await floor.start(), loci: await loci.start() }
  const measure = (amount: number) => ({
    floor: () => costOf(processes.floor, floor.calls[name]!, amount, connections),
    loci: () => costOf(processes.loci, loci.calls[name]!, amount, connections),
  })
  await pause(settleMs)
  const first = measure(coldCalls)
  const cold = { floor: await first.floor(), loci: await first.loci() }
  const warm = await takeTurns(rounds, measure(connections === 1 ? calls / 5 : calls))
  for (const server of Object.values(processes)) await server.stop()
  return {
    call: connections === 1 ? `${name}, one connection` : name,
    'floor, cold': Math.round(cold.floor),
    'Loci, cold': Math.round(cold.loci),
    'floor / Loci, cold': times(cold.floor / cold.loci),
    floor: Math.round(warm.floor),
    Loci: Math.round(warm.loci),
    'floor / Loci': times(warm.floor / warm.loci),
  }
}

async function besideStatements(databaseUrl: string): Promise<Row[]> {
  const memory = await makeMemory(entities, databaseUrl)
  // Of an account of its own: replayed calls assign numbers that the server would assign again.
  const replayed = await makeMemory(entities, databaseUrl)
  const rows: Row[] = []
  const [own, replayedCalls] = await withServer(memory, (url) =>
    Promise.all(
      [memory, replayed].map(async ({ apiKey }) => seededCalls(apiKey, await listIds(url, apiKey))),
    ),
  )
  for (const [name, call] of Object.entries(own!)) {
    const recording = await recordStatements(replayed.config, (url) => send(url, replayedCalls![name]!))
    const replay = startReplay(databaseUrl, recording)
    const rates = await withServer(memory, (url) =>
      takeTurns(rounds, {
        pg: () => replay.rate(seconds),
        loci: () => rateOf(url, call, seconds),
      }),
    )
    await replay.close()
    rows.push({
      call: name,
      statements: recording.statements.length,
      'pg alone/s': Math.round(rates.pg),
      'Loci/s': Math.round(rates.loci),
      ratio: times(rates.loci / rates.pg),
    })
  }
  memory.remove()
  replayed.remove()
  return rows
}

async function withServer<T>(memory: Memory, work: (url: string) => Promise<T>): Promise<T> {
  const loci = await startLoci(memory)
  try {
    return await work(loci.url)
  } finally {
    await loci.stop()
  }
}

async function listIds(url: string, key: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await send(url, { method: 'GET', path: () => '/api/entities?limit=500', headers })
  const { entities: found } = (await answer.json()) as { entities: { id: string }[] }
  return found.map(({ id }) => id)
}

async function send(url: string, { method, path, headers, body }: LoadCall): Promise<Response> {
  const answer = await fetch(url + path(), { method, headers, ...(body && { body: body() }) })
  if (!answer.ok) throw new Error(`${method} ${path()}: ${answer.status} ${await answer.text()}`)
  return answer
}
