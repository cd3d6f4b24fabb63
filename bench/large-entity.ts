/**
 * Calls about a large entity. First a delete and a merge of one with many observations, and how long another account's
 * writes wait meanwhile: the duration of each call, the processor time of the server, and the longest of the creates
 * that follow each other beside it. Then calls that read or change a little of such an entity, or of a hub: their
 * processor time, with that of a database on this machine, beside the same calls about a small one.
 * Usage: node bench/large-entity.ts [observations] [rounds]   (default 20000 observations and 3 rounds, on SQLite or,
 * with DATABASE_URL, PostgreSQL)
 */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRestClient, type RestClient } from '@loci/client/rest'
import pg from 'pg'
import { startServerProcess } from '../server/test/server-process.ts'
import { measureFlatCosts } from './lib/flat-costs.ts'
import { addAccount, makeMemory } from './lib/loci.ts'
import { processorMsOf } from './lib/process-use.ts'
import { machine, median, print } from './lib/report.ts'
import { sentence } from './lib/sample-graph.ts'

const [observations = 20_000, rounds = 3] = process.argv.slice(2).map(Number)
const observationsPerCall = 100
const restMs = 2
const idleMs = 1_000

type Taken = { ms: number; processorMs: number; longestCreateMs: number; idleCreateMs: number }

const { DATABASE_URL } = process.env
const memory = await makeMemory(0, DATABASE_URL)
const database = DATABASE_URL ? new pg.Client({ connectionString: DATABASE_URL }) : undefined
await database?.connect()
const other = await addAccount(memory.config)
const server = await startServerProcess(memory.config)
const [rest, beside] = [memory, other].map(({ apiKey }) =>
  createRestClient({ baseUrl: server.url, token: () => apiKey }),
) as [RestClient, RestClient]

let created = 0
const taken: Record<'delete' | 'merge', Taken[]> = { delete: [], merge: [] }
for (let round = 0; round < rounds; round++) {
  const id = await createLarge(`Deleted ${round}`)
  taken.delete.push(await measure(() => rest.deleteEntity({ params: { id } })))
  const source = await createLarge(`Merged ${round}`)
  const { entity } = await rest.createEntity({ body: { name: `Target ${round}`, type: 'note' } })
  taken.merge.push(
    await measure(() => rest.mergeEntity({ params: { id: source }, body: { into: entity.id } })),
  )
}
const flat = await measureFlatCosts(
  { url: server.url, apiKey: (await addAccount(memory.config)).apiKey },
  observations,
  processorMsOfAll,
)
await server.stop()
await database?.end()
memory.remove()

process.stdout.write(`${machine()}\n`)
print(
  `An entity of ${observations.toLocaleString('en-US')} observations, medians of ${rounds}`,
  Object.entries(taken).map(([call, all]) => ({
    call,
    ms: Math.round(median(all.map(({ ms }) => ms))),
    'processor ms': Math.round(median(all.map(({ processorMs }) => processorMs))),
    'longest create of another account, ms': Math.round(
      median(all.map(({ longestCreateMs }) => longestCreateMs)),
    ),
    'idle, ms': Math.round(median(all.map(({ idleCreateMs }) => idleCreateMs))),
  })),
)

print('Processor time of a call', flat)

/** Of the server and, if they run on this machine, of the database's processes. */
async function processorMsOfAll(): Promise<number> {
  const found = await database?.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  const pids = (found?.rows ?? []).map(({ pid }) => pid).filter((pid) => existsSync(`/proc/${pid}`))
  return [server.pid, ...pids].reduce((sum, pid) => sum + processorMsOf(pid), 0)
}

/** Over REST, since an import would give each entity its own texts. */
async function createLarge(name: string): Promise<string> {
  const { entity } = await rest.createEntity({ body: { name, type: 'note' } })
  for (let from = 0; from < observations; from += observationsPerCall) {
    const texts = Array.from({ length: observationsPerCall }, (_, i) => ({ content: sentence(from + i) }))
    await rest.createObservations({ params: { id: entity.id }, body: { observations: texts } })
  }
  return entity.id
}

async function measure(call: () => Promise<unknown>): Promise<Taken> {
  const idle = await createUntil(sleep(idleMs))
  const processorBefore = processorMsOf(server.pid)
  const startedAt = performance.now()
  let ms = Number.NaN
  const calling = call().then(() => {
    ms = performance.now() - startedAt
  })
  const busy = await createUntil(calling)
  return {
    ms,
    processorMs: processorMsOf(server.pid) - processorBefore,
    longestCreateMs: Math.max(...busy),
    idleCreateMs: Math.max(...idle),
  }
}

/** Has the other account create entities, one after the other, until `end`; returns the duration of each call. */
async function createUntil(end: Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  let isOver = false
  const over = end.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const startedAt = performance.now()
    await beside.createEntity({ body: { name: `Small ${created++}`, type: 'note' } })
    taken.push(performance.now() - startedAt)
    await sleep(restMs)
  }
  await over
  return taken
}
