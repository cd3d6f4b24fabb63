/**
 * The latency of the nine tools, one call at a time, compared with the reference memory server and
 * mcp-memory-libsql, over the same graph of each size. The stdio servers are interleaved call by call; one of
 * them is ours without waiting for the disk, which the reference server never does.
 * Each tool is called 50 to 1,000 times: cold are its first 50 calls in a process, warm the last 200 after these.
 * Usage: node bench/tools.ts [size,size...] [seconds]   (default 1000,10000,100000 and at most 10 seconds a
 * server and tool; 1000000 is a size for ours alone)
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
import { type MemoryTool, memoryTools } from './lib/memory-tools.ts'
import { machine, median, print, type Row, times } from './lib/report.ts'
import { sampleEntity, sampleRelation, writeSampleFile } from './lib/sample-graph.ts'
import { withoutSync } from './lib/without-sync.ts'

const [sizes = '1000,10000,100000', seconds = '10'] = process.argv.slice(2)
const callsMax = 1_000
/** The first calls of a process to a tool, and the last ones. */
const coldCalls = 50
const warmCalls = 200
const createdMax = 2_000
/** The reference server takes minutes for each call of a larger graph. */
const peerSizeMax = 100_000
const libsqlVersion = '0.0.17'

const directory = mkdtempSync(join(tmpdir(), 'loci-bench-'))
const program = fileURLToPath(new URL('../server/bin/loci.js', import.meta.url))
const reference = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'))

type Competitor = { name: string; peer: McpPeer }
/** Milliseconds of one call. */
type Taken = { ms: number; processorMs: number }
type Result = { name: string; calls: Map<MemoryTool, Taken[]> }
type Measure = (calls: readonly Taken[]) => number
type Memory = Awaited<ReturnType<typeof makeMemory>>

const overHttp = 'Loci, HTTP'
const medianMs: Measure = (calls) => median(calls.map(({ ms }) => ms))
const longestMs: Measure = (calls) => Math.max(...calls.map(({ ms }) => ms))
const longestProcessorMs: Measure = (calls) => Math.max(...calls.map(({ processorMs }) => processorMs))
const meanProcessorMs: Measure = (calls) =>
  calls.reduce((sum, { processorMs }) => sum + processorMs, 0) / calls.length
const cold =
  (measure: Measure): Measure =>
  (calls) =>
    measure(calls.slice(0, coldCalls))
const warm =
  (measure: Measure): Measure =>
  (calls) =>
    measure(calls.slice(coldCalls).slice(-warmCalls))

/** Each call has its own round number, so that it uses names of its own. */
let nextRound = 0

process.stdout.write(`${machine()}\n`)
const libsql = installLibsql()
for (const size of sizes.split(',').map(Number)) {
  const at = `at ${size.toLocaleString('en-US')} entities`
  const results = await measure(size)
  const timed = results.filter(({ name }) => name !== overHttp)
  print(`Milliseconds a call, warm (median) ${at}`, toRows(results, warm(medianMs)))
  print(`Milliseconds a call, cold (median) ${at}`, toRows(results, cold(medianMs)))
  print(`Milliseconds of the longest of the first ${coldCalls} calls ${at}`, toRows(results, cold(longestMs)))
  print(`Milliseconds of processor time a call, warm ${at}`, toRows(timed, warm(meanProcessorMs)))
  print(`Milliseconds of processor time a call, cold ${at}`, toRows(timed, cold(meanProcessorMs)))
  const longest = `Milliseconds of processor time of the longest of the first ${coldCalls} calls ${at}`
  print(longest, toRows(timed, cold(longestProcessorMs)))
}
rmSync(directory, { recursive: true, force: true })

async function measure(size: number): Promise<Result[]> {
  // Leaves space below the plan's limit for the entities that the calls create.
  const entities = Math.min(size, limitsOfPlan('power-user').maxEntities - createdMax)
  const memories = await Promise.all([makeMemory(entities), makeMemory(entities)])
  const stdio = [...(await startPeers(size)), ...(await startOurs(memories))]
  const results = await measureAll(stdio)
  for (const { peer } of stdio) await peer.close()
  const [memory] = memories
  const server = await startServerProcess(memory.config, { logLevel: 'info', stderr: 'ignore' })
  const http = { name: overHttp, peer: connectHttpPeer(server.url, memory.apiKey) }
  results.push(...(await measureAll([http])))
  await http.peer.close()
  await server.stop()
  for (const { remove } of memories) remove()
  return results
}

/** Our server as shipped and, if there is a compiler, without syncs; each on its own memory. */
async function startOurs(memories: readonly Memory[]): Promise<Competitor[]> {
  const start = ({ config, apiKey }: Memory, env: Record<string, string> = {}) => {
    const settings = { LOCI_DATA_DIR: config.dataDir, LOCI_API_KEY: apiKey, LOCI_LOG_LEVEL: 'silent' }
    return startStdioPeer([program, 'mcp'], { ...settings, ...env })
  }
  const unsynced = withoutSync(directory)
  const ours = [{ name: 'Loci, stdio', peer: await start(memories[0]!) }]
  if (unsynced !== undefined)
    ours.push({ name: 'Loci, stdio, no sync', peer: await start(memories[1]!, unsynced) })
  return ours
}

async function startPeers(size: number): Promise<Competitor[]> {
  if (size > peerSizeMax) return []
  const file = join(directory, `reference-${size}.jsonl`)
  await writeSampleFile(file, size)
  const peers = [{ name: 'reference', peer: await startStdioPeer([reference], { MEMORY_FILE_PATH: file }) }]
  if (libsql !== undefined) peers.push({ name: 'libsql', peer: await startLibsql(libsql, size) })
  return peers
}

async function measureAll(competitors: readonly Competitor[]): Promise<Result[]> {
  const results = competitors.map(({ name }): Result => ({ name, calls: new Map() }))
  for (const tool of memoryTools) {
    const able = competitors.filter(({ name }) => !tool.lacking?.includes(name))
    const taken = await timeInTurn(able, tool)
    for (const { name, calls } of results) calls.set(tool, taken.get(name) ?? [])
  }
  return results
}

/** The calls of each server, by its name. */
async function timeInTurn(
  competitors: readonly Competitor[],
  { prepare, call, undo }: MemoryTool,
): Promise<Map<string, Taken[]>> {
  const endAt = performance.now() + Number(seconds) * 1_000 * competitors.length
  const taken = new Map(competitors.map(({ name }): [string, Taken[]] => [name, []]))
  for (let i = 0; i < callsMax && (i < coldCalls || performance.now() < endAt); i++) {
    const round = nextRound++
    for (const { name, peer } of competitors) {
      await prepare?.(peer, round)
      const before = peer.processorMs()
      const startedAt = performance.now()
      await call(peer, round)
      const ms = performance.now() - startedAt
      taken.get(name)!.push({ ms, processorMs: peer.processorMs() - before })
      // It has no tool that deletes several entities.
      if (name !== 'libsql') await undo?.(peer, round)
    }
  }
  return taken
}

function toRows(results: readonly Result[], measure: Measure): Row[] {
  return memoryTools.map((tool) => toRow(tool, results, measure))
}

/** Adds how many times as fast as the reference each is. */
function toRow(tool: MemoryTool, results: readonly Result[], measure: Measure): Row {
  const figureOf = ({ calls }: Result) => measure(calls.get(tool) ?? [])
  const [first] = results
  const baseline = first?.name === 'reference' ? figureOf(first) : Number.NaN
  const cellOf = (result: Result) => {
    const own = figureOf(result)
    if (!Number.isFinite(own)) return '-'
    const isCompared = result !== first && !Number.isNaN(baseline)
    return isCompared ? `${own.toFixed(2)} (${times(baseline / own)})` : own.toFixed(2)
  }
  return { tool: tool.name, ...Object.fromEntries(results.map((result) => [result.name, cellOf(result)])) }
}

/** The program of mcp-memory-libsql, installed into a directory of ours; undefined if that fails. */
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

/** It creates its tables on start. The graph is inserted directly, since storing it call by call takes hours. */
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
