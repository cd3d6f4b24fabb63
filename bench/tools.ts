/**
 * How long a call of the nine tools takes, one at a time, beside the reference memory server and mcp-memory-libsql, over
 * the same graph of each size. The servers take turns tool by tool.
 * Usage: node bench/tools.ts [size,size...] [seconds]   (default 1000,10000,100000 and at most 10 seconds a server and
 * tool; 1000000 is a size for ours alone)
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { limitsOfPlan } from '@loci/contract/plans'
import { startServerProcess } from '../server/test/server-process.ts'
import { makeMemory } from './lib/loci.ts'
import { connectHttpPeer, type McpPeer, startStdioPeer } from './lib/mcp-peer.ts'
import { machine, median, print, type Row, times } from './lib/report.ts'
import {
  nameOf,
  rareWord,
  sampleEntity,
  sampleRelation,
  sentence,
  writeSampleFile,
} from './lib/sample-graph.ts'

const [sizes = '1000,10000,100000', seconds = '10'] = process.argv.slice(2)
const callsMax = 200
const warmUpCalls = 3
const createdMax = 1_000
/** The reference server takes minutes for each call of a larger graph. */
const peerSizeMax = 100_000
const libsqlVersion = '0.0.17'

const directory = mkdtempSync(join(tmpdir(), 'loci-bench-'))
const program = fileURLToPath(new URL('../server/bin/loci.js', import.meta.url))
const reference = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'))

type Competitor = { name: string; peer: McpPeer }
/** Milliseconds by tool. */
type Times = Record<string, number>
type Tool = {
  name: string
  call: (peer: McpPeer, round: number) => Promise<string>
  lacking?: readonly string[]
}

let fresh = 0
const tools: Tool[] = [
  {
    name: 'create_entities',
    call: (peer) =>
      peer.call('create_entities', {
        entities: [{ name: `new ${fresh++}`, entityType: 'note', observations: [sentence(fresh)] }],
      }),
  },
  {
    name: 'add_observations',
    lacking: ['libsql'],
    call: (peer, round) =>
      peer.call('add_observations', {
        observations: [{ entityName: nameOf(round), contents: [`${sentence(fresh++)} (${fresh})`] }],
      }),
  },
  { name: 'search_nodes', call: (peer) => peer.call('search_nodes', { query: rareWord }) },
  {
    name: 'open_nodes',
    lacking: ['libsql'],
    call: (peer, round) => peer.call('open_nodes', { names: [nameOf(round)] }),
  },
]

process.stdout.write(`${machine()}\n`)
const libsql = installLibsql()
for (const size of sizes.split(',').map(Number)) {
  print(`Milliseconds a call (median) at ${size.toLocaleString('en-US')} entities`, await measure(size))
}
rmSync(directory, { recursive: true, force: true })

async function measure(size: number): Promise<Row[]> {
  // What the plan allows leaves no room for those that are created here.
  const entities = Math.min(size, limitsOfPlan('power-user').maxEntities - createdMax)
  const memory = await makeMemory(entities)
  const overStdio = await startStdioPeer([program, 'mcp'], {
    LOCI_DATA_DIR: memory.config.dataDir,
    LOCI_LOG_LEVEL: 'silent',
  })
  const stdio = [...(await startPeers(size)), { name: 'Loci, stdio', peer: overStdio }]
  const results = await measureAll(stdio)
  for (const { peer } of stdio) await peer.close()
  const server = await startServerProcess(memory.config, { logLevel: 'info', stderr: 'ignore' })
  const http = { name: 'Loci, HTTP', peer: connectHttpPeer(server.url, memory.apiKey) }
  results.push(...(await measureAll([http])))
  await http.peer.close()
  await server.stop()
  memory.remove()
  const [first] = results
  const baseline = first?.name === 'reference' ? first.ms : {}
  return results.map(({ name, ms }) => toRow(name, ms, baseline))
}

async function startPeers(size: number): Promise<Competitor[]> {
  if (size > peerSizeMax) return []
  const file = join(directory, `reference-${size}.jsonl`)
  await writeSampleFile(file, size)
  const peers = [{ name: 'reference', peer: await startStdioPeer([reference], { MEMORY_FILE_PATH: file }) }]
  if (libsql !== undefined) peers.push({ name: 'libsql', peer: await startLibsql(libsql, size) })
  return peers
}

async function measureAll(competitors: readonly Competitor[]): Promise<{ name: string; ms: Times }[]> {
  const results = competitors.map(({ name, peer }) => ({ name, peer, ms: {} as Times }))
  for (const tool of tools) {
    for (const { name, peer, ms } of results) {
      if (!tool.lacking?.includes(name)) ms[tool.name] = await timeCalls(peer, tool)
    }
  }
  return results
}

/** With how many times as fast as the baseline it is. */
function toRow(server: string, ms: Times, baseline: Times): Row {
  const cellOf = (tool: string) => {
    const [own, other] = [ms[tool], baseline[tool]]
    if (own === undefined) return '-'
    return other === undefined ? own.toFixed(2) : `${own.toFixed(2)} (${times(other / own)})`
  }
  return { server, ...Object.fromEntries(tools.map(({ name }) => [name, cellOf(name)])) }
}

async function timeCalls(peer: McpPeer, { call }: Tool): Promise<number> {
  const endAt = performance.now() + Number(seconds) * 1_000
  const taken: number[] = []
  for (let round = 0; round < callsMax + warmUpCalls; round++) {
    const startedAt = performance.now()
    await call(peer, round)
    taken.push(performance.now() - startedAt)
    if (performance.now() > endAt) break
  }
  return median(taken.slice(Math.min(warmUpCalls, taken.length - 1)))
}

/** The program of mcp-memory-libsql, fetched into a directory of ours; undefined when it cannot be had. */
function installLibsql(): string | undefined {
  try {
    execFileSync(
      'npm',
      ['install', '--no-save', '--prefix', directory, `mcp-memory-libsql@${libsqlVersion}`],
      {
        stdio: 'ignore',
      },
    )
  } catch {
    process.stdout.write(
      `\nmcp-memory-libsql ${libsqlVersion} cannot be installed here; measured without it.\n`,
    )
    return undefined
  }
  const program = join(directory, 'node_modules/mcp-memory-libsql/dist/index.js')
  return existsSync(program) ? program : undefined
}

/** It makes its tables when it starts; the graph goes into them past it, since one by one takes it hours. */
async function startLibsql(program: string, size: number): Promise<McpPeer> {
  const file = join(directory, `libsql-${size}.db`)
  const env = { LIBSQL_URL: `file:${file}` }
  const maker = await startStdioPeer([program], env)
  await maker.call('read_graph', {})
  await maker.close()
  fillLibsql(file, size)
  return startStdioPeer([program], env)
}

function fillLibsql(file: string, size: number): void {
  const database = new DatabaseSync(file)
  const entity = database.prepare('insert into entities (name, entity_type) values (?, ?)')
  const observation = database.prepare('insert into observations (entity_name, content) values (?, ?)')
  const relation = database.prepare('insert into relations (source, target, relation_type) values (?, ?, ?)')
  database.exec('begin')
  for (let index = 0; index < size; index++) {
    const { name, entityType, observations } = sampleEntity(index, size)
    entity.run(name, entityType)
    for (const text of observations) observation.run(name, text)
  }
  for (let index = 1; index < size; index++) {
    const { from, to, relationType } = sampleRelation(index)
    relation.run(from, to, relationType)
  }
  database.exec('commit')
  database.close()
}
