/**
 * What undoing a large change takes beside the change itself, and how long another account's calls wait meanwhile: a
 * type is renamed that `count` entities have, and an entity with `count` facts is merged and deleted. Database time is that of PostgreSQL's processes.
 * Usage: node bench/undo.ts [sqlite|postgres] [count]   (default sqlite 20000)
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { startPostgres } from '../server/test/postgres.ts'
import { createPostgresDatabase } from '../server/test/postgres-databases.ts'
import { startServerProcess } from '../server/test/server-process.ts'
import { addAccount, makeMemory } from './lib/loci.ts'
import { processorMsOf } from './lib/process-use.ts'
import { machine, print, type Row, times } from './lib/report.ts'

const [dialect = 'sqlite', count = 20_000] = [process.argv[2], Number(process.argv[3] ?? 20_000)]
const batchMax = 1_000
const pauseMs = 20

const postgres = dialect === 'postgres' ? await startPostgres() : undefined
const database = postgres && (await createPostgresDatabase(postgres.url))
const memory = await makeMemory(0, database?.url ?? '')
const other = await addAccount(memory.config)
const server = await startServerProcess(memory.config)
const client = database && new Client({ connectionString: database.url })
await client?.connect()

type Sent = { setId: string; setIds: string[]; entity: { id: string } }

async function send(method: string, path: string, body?: unknown, key = memory.apiKey): Promise<Sent> {
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  const answer = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

const rows: Row[] = []

/** Does something while another account writes and reads. */
async function measure(what: string, work: () => Promise<Sent>, change?: Row): Promise<Sent & { row: Row }> {
  let isOver = false
  const repeat = async (method: string, path: string, bodyOf: () => object | undefined) => {
    let longest = 0
    while (!isOver) {
      const startedAt = performance.now()
      await send(method, path, bodyOf(), other.apiKey)
      longest = Math.max(longest, performance.now() - startedAt)
      await sleep(pauseMs)
    }
    return longest
  }
  const [serverMs, databaseMs, startedAt] = [
    processorMsOf(server.pid),
    await databaseTime(),
    performance.now(),
  ]
  const writing = repeat('POST', '/api/entities', () => ({ name: `Note ${Math.random()}`, type: 'note' }))
  const reading = repeat('GET', '/api/entities?limit=20', () => undefined)
  const answer = await work()
  const seconds = (performance.now() - startedAt) / 1_000
  const used = processorMsOf(server.pid) - serverMs + (await databaseTime()) - databaseMs
  isOver = true
  const row: Row = {
    what,
    seconds: seconds.toFixed(2),
    'beside the change': times(change === undefined ? undefined : seconds / Number(change.seconds)),
    'processor seconds': (used / 1_000).toFixed(2),
    "others' longest write, ms": (await writing).toFixed(0),
    "others' longest read, ms": (await reading).toFixed(0),
  }
  rows.push(row)
  return { ...answer, row }
}

async function databaseTime(): Promise<number> {
  if (client === undefined) return 0
  const { rows } = await client.query(
    "select pid from pg_stat_activity where backend_type = 'client backend'",
  )
  return rows.reduce((sum: number, { pid }: { pid: number }) => sum + (processorMsOf(pid) || 0), 0)
}

const undo = (what: string, setId: string, change: Row) =>
  measure(what, () => send('POST', `/api/changes/sets/${setId}/undo`), change)

process.stdout.write(`${machine()}\n`)
for (let from = 0; from < count; from += batchMax) {
  const entities = Array.from({ length: batchMax }, (_, i) => ({
    ...{
      name: `Person number ${from + i}`,
      type: 'person',
      observations: [`Likes tea since day ${from + i}`],
    },
  }))
  await send('POST', '/api/entities/batch', { entities, relations: [] })
}
const renamed = await measure(`type of ${count} entities renamed`, () =>
  send('PATCH', '/api/entities/types/person', { type: 'human being' }),
)
for (const setId of renamed.setIds.toReversed()) await undo('undone', setId, renamed.row)

const [source, target] = await Promise.all(
  ['Source', 'Target'].map((name) => send('POST', '/api/entities', { name, type: 'thing' })),
)
for (let from = 0; from < count; from += batchMax)
  await send('POST', `/api/entities/${source!.entity.id}/observations`, {
    observations: Array.from({ length: batchMax }, (_, i) => `Fact ${from + i} about the harbour`),
  })
const merged = await measure(`entity with ${count} facts merged`, () =>
  send('POST', `/api/entities/${source!.entity.id}/merge`, { into: target!.entity.id }),
)
await undo('undone', merged.setId, merged.row)
const deleted = await measure('deleted', () =>
  send('POST', '/api/entities/delete', { ids: [source!.entity.id] }),
)
await undo('undone', deleted.setId, deleted.row)
print(`Undo of large changes, ${dialect}`, rows)

await client?.end()
await server.stop()
memory.remove()
await database?.drop()
await postgres?.stop()
