/**
 * A mixed load of readers and writers over REST and MCP for several minutes: latencies, memory and
 * descriptors per minute. They should stay constant while the graph grows. The live heap is what remains
 * after a full garbage collection.
 * Usage: node bench/load.ts [minutes] [callers]   (default 10 minutes, 8 callers that pause briefly after
 * each call)
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createRestClient, type RestClient } from '@loci/client/rest'
import { seededRandom, startServerProcess } from '../server/test/server-process.ts'
import { liveHeapArgv, liveHeapOf } from './lib/live-heap.ts'
import { makeMemory } from './lib/loci.ts'
import { connectHttpPeer, type McpPeer } from './lib/mcp-peer.ts'
import { descriptorsOf, memoryOf } from './lib/process-use.ts'
import { machine, print, quantile, type Row } from './lib/report.ts'
import { nameOf, sentence } from './lib/sample-graph.ts'

const [minutes = 10, callers = 8] = process.argv.slice(2).map(Number)
const entities = 10_000
const spans = 10
const restMs = 20

const random = seededRandom(1)
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!
let count = 0

type Client = { rest: RestClient; mcp: McpPeer; ids: string[] }
const calls: Record<string, (client: Client) => Promise<unknown>> = {
  read: ({ rest, ids }) => rest.getEntity({ params: { id: pick(ids) } }),
  list: ({ rest }) => rest.listEntities({ query: { limit: '20' } }),
  search: ({ rest }) =>
    rest.search({ query: { query: sentence(Math.floor(random() * 1_000)).slice(0, 40) } }),
  create: ({ rest }) =>
    rest.createEntity({ body: { name: `load ${count++}`, type: 'note', observations: [sentence(count)] } }),
  relate: ({ rest, ids }) =>
    rest.createRelation({
      body: { fromEntityId: ids[0]!, toEntityId: pick(ids.slice(1)), type: `knows ${count++}` },
    }),
  'open_nodes (MCP)': ({ mcp }) =>
    mcp.call('open_nodes', { names: [nameOf(Math.floor(random() * entities))] }),
  'add_observations (MCP)': ({ mcp }) => {
    const entityName = nameOf(Math.floor(random() * entities))
    return mcp.call('add_observations', { observations: [{ entityName, contents: [sentence(count++)] }] })
  },
}

const memory = await makeMemory(entities)
const server = await startServerProcess(memory.config, {
  logLevel: 'info',
  stderr: 'ignore',
  execArgv: liveHeapArgv,
})
const rest = createRestClient({ baseUrl: server.url, token: () => memory.apiKey })
const ids = (await rest.listEntities({ query: { limit: '500' } })).entities.map(({ id }) => id)

let taken: { call: string; ms: number }[] = []
const all: typeof taken = []
const endAt = Date.now() + minutes * 60_000
const work = Promise.all(Array.from({ length: callers }, () => callUntilEnd()))
const rows: Row[] = []
for (let span = 1; span <= spans; span++) {
  await sleep((minutes * 60_000) / spans)
  rows.push(await toRow(`${((minutes * span) / spans).toFixed(1)}`, taken))
  all.push(...taken)
  taken = []
}
await work
await server.stop()
memory.remove()
process.stdout.write(`${machine()}\n`)
print(`Mixed load of ${callers} callers over time`, rows)
print(
  'The same load by call',
  Object.keys(calls).map((call) => ({ call, ...latencies(all.filter((one) => one.call === call)) })),
)

async function callUntilEnd(): Promise<void> {
  const client = { rest, mcp: connectHttpPeer(server.url, memory.apiKey), ids }
  while (Date.now() < endAt) {
    const call = pick(Object.keys(calls))
    const startedAt = performance.now()
    await calls[call]!(client)
    taken.push({ call, ms: performance.now() - startedAt })
    await sleep(random() * 2 * restMs)
  }
  await client.mcp.close()
}

function latencies(of: typeof taken) {
  const ms = of.map((one) => one.ms)
  const at = (share: number) => quantile(ms, share).toFixed(1)
  return { calls: ms.length, 'p50 ms': at(0.5), 'p95 ms': at(0.95), 'p99 ms': at(0.99) }
}

async function toRow(minute: string, of: typeof taken): Promise<Row> {
  return {
    minute,
    ...latencies(of),
    'memory MB': Math.round(memoryOf(server.pid)),
    'live heap MB': Math.round(await liveHeapOf(server.pid)),
    descriptors: descriptorsOf(server.pid),
  }
}
