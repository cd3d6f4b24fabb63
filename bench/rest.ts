/**
 * REST calls per second, compared on SQLite with a bare route of the same framework that sends the same
 * bytes, on PostgreSQL with the same statements through `pg` alone. The alternatives are interleaved.
 * Usage: node bench/rest.ts [entities] [seconds]   (default 1000 entities, rounds of 3 seconds)
 * Three rounds count; one before them warms up.
 */
import { startPostgres } from '../server/test/postgres.ts'
import { startProgram, startServerProcess } from '../server/test/server-process.ts'
import type { BareRoute } from './lib/bare-server.ts'
import { type LoadCall, rateOf, takeTurns } from './lib/load.ts'
import { type Memory, makeMemory } from './lib/loci.ts'
import { machine, print, type Row, times } from './lib/report.ts'
import { rareWord, sentence } from './lib/sample-graph.ts'
import { recordStatements, startReplay } from './lib/statements.ts'

const [entities = 1_000, seconds = 3] = process.argv.slice(2).map(Number)
const rounds = 3
const bareServer = new URL('./lib/bare-server.ts', import.meta.url).pathname

process.stdout.write(`${machine()}\n`)
print('REST calls a second, SQLite', await besideBareRoutes())
const postgres = await startPostgres()
print('REST calls a second, PostgreSQL', await besideStatements(postgres.url))
await postgres.stop()

async function besideBareRoutes(): Promise<Row[]> {
  const memory = await makeMemory(entities)
  const loci = await startServerProcess(memory.config, { logLevel: 'info', stderr: 'ignore' })
  const calls = await callsOf(loci.url, memory)
  const routes = await Promise.all(Object.values(calls).map((call) => toBareRoute(loci.url, call)))
  const bare = await startProgram([bareServer], { input: JSON.stringify(routes) })
  const rows: Row[] = []
  for (const [name, call] of Object.entries(calls)) {
    const rates = await takeTurns(rounds, {
      bare: () => rateOf(bare.url, call, seconds),
      loci: () => rateOf(loci.url, call, seconds),
    })
    rows.push({
      call: name,
      'bare route/s': Math.round(rates.bare),
      'Loci/s': Math.round(rates.loci),
      ratio: times(rates.loci / rates.bare),
    })
  }
  await bare.stop()
  await loci.stop()
  memory.remove()
  return rows
}

async function besideStatements(databaseUrl: string): Promise<Row[]> {
  const memory = await makeMemory(entities, databaseUrl)
  // Of an account of its own: replayed calls assign numbers that the server would assign again.
  const replayed = await makeMemory(entities, databaseUrl)
  const rows: Row[] = []
  const [calls, replayedCalls] = await withServer(memory, (url) =>
    Promise.all([callsOf(url, memory), callsOf(url, replayed)]),
  )
  for (const [name, call] of Object.entries(calls)) {
    const recording = await recordStatements(replayed.config, (url) => send(url, replayedCalls[name]!))
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
  const loci = await startServerProcess(memory.config, { logLevel: 'info', stderr: 'ignore' })
  try {
    return await work(loci.url)
  } finally {
    await loci.stop()
  }
}

async function callsOf(url: string, { apiKey }: Memory): Promise<Record<string, LoadCall>> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const get = (path: string): LoadCall => ({ method: 'GET', path, headers })
  const post = (path: string, body: () => object): LoadCall => ({
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: () => JSON.stringify(body()),
  })
  const answer = await fetch(`${url}/api/entities?limit=500`, { headers })
  const { entities: found } = (await answer.json()) as { entities: { id: string }[] }
  const ids = found.map(({ id }) => id)
  let count = 0
  return {
    'read by id': get(`/api/entities/${ids[0]}`),
    list: get('/api/entities?limit=20'),
    search: get(`/api/search?query=${rareWord}`),
    create: post('/api/entities', () => ({
      name: `new #${count++}`,
      type: 'note',
      observations: [sentence(count)],
    })),
    'relation create': post('/api/relations', () => {
      const from = count++ % ids.length
      const to = (from + 1 + Math.floor(count / ids.length)) % ids.length
      return { fromEntityId: ids[from], toEntityId: ids[to], type: `knows #${count % 5}` }
    }),
  }
}

async function send(url: string, { method, path, headers, body }: LoadCall): Promise<Response> {
  const answer = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: body() }) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

async function toBareRoute(url: string, call: LoadCall): Promise<BareRoute> {
  const answer = await send(url, call)
  const method = call.method as BareRoute['method']
  return { method, path: call.path.split('?')[0]!, status: answer.status, body: await answer.text() }
}
