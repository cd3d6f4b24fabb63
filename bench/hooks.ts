/**
 * What the hooks of an agent's program take, from the start of the hook to its answer, in memories of growing size: the
 * hook of a prompt as a process of its own and as a call of a tool on the open connection, and the hook of a session's
 * start, which starts its own Loci. Beside `node -e 0`, below which no process can come. Every prompt names something
 * that is known and asks about what was said, in a new session each.
 * Usage: node bench/hooks.ts [runs] [facts ...]   (default 40, of 100, 10000 and 100000 facts)
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { storeTurns } from '../server/src/features/conversations/store-turns.ts'
import { startImport } from '../server/src/features/imports/imports.service.ts'
import { openImportFile } from '../server/src/features/imports/open-import-file.ts'
import { findLocalActor } from '../server/src/features/users/local-actor.ts'
import { readConfig } from '../server/src/ground/config/config.ts'
import { closeContext, openContext } from '../server/src/open-context.ts'
import { type McpPeer, startStdioPeer } from './lib/mcp-peer.ts'
import { machine, median, print, quantile, type Row } from './lib/report.ts'
import { nameOf, sentence, writeSampleFile } from './lib/sample-graph.ts'

type Taken = { ms: number; ownMs: number; serverMs: number }
type Way = { hook: string; runs: number; run: (n: number) => Promise<string> }

const [runs = 40, ...given] = process.argv.slice(2).map(Number)
const sizes = given.length > 0 ? given : [100, 10_000, 100_000]
const warmUps = 5
const startRuns = Math.ceil(runs / 4)
const conversationsMax = 100
const turnsEach = 100
const root = join(import.meta.dirname, '..')
const hooks = join(root, 'plugins/claude-code/hooks')
const main = join(root, 'server/bin/loci.js')

process.stdout.write(`${machine()}\n`)
for (const facts of sizes) {
  const dataDir = mkdtempSync(join(tmpdir(), 'loci-bench-'))
  try {
    print(`${facts} facts, milliseconds`, await measureMemory(dataDir, Math.round(facts / 3)))
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measureMemory(dataDir: string, entities: number): Promise<Row[]> {
  await fill(dataDir, entities)
  const env = { LOCI_DATA_DIR: dataDir, DATABASE_URL: '', LOCI_URL: '', LOCI_API_KEY: '' }
  const server = await startStdioPeer([main, 'mcp'], env)
  const promptOf = (n: number) => `What did we decide about ${nameOf((n * 7) % entities)} last week?`
  const hook = (file: string, input: object) =>
    runNode([join(hooks, file), 'claude-code'], { ...process.env, ...env }, JSON.stringify(input))
  const prompt = (n: number) => ({ prompt: promptOf(n), session_id: `s${n}`, cwd: '/home/ada/shop' })
  try {
    await waitForHooks(join(dataDir, 'hooks.sock'))
    const ways: Way[] = [
      { hook: '`node -e 0`', runs, run: async () => (await runNode(['-e', '0'], process.env)) || 'nothing' },
      { hook: 'prompt, process', runs, run: (n) => hook('prompt.mjs', prompt(n)) },
      { hook: 'prompt, `mcp_tool`', runs, run: (n) => callTool(server, promptOf(n), n) },
      {
        hook: 'start of a session',
        runs: startRuns,
        run: (n) => hook('recall.mjs', { session_id: `b${n}`, cwd: join('/tmp', nameOf(n % entities)) }),
      },
    ]
    const rows: Row[] = []
    for (const way of ways) rows.push(await measure(way, server))
    return rows
  } finally {
    await server.close()
  }
}

async function measure({ hook, runs: count, run }: Way, server: McpPeer): Promise<Row> {
  const taken: Taken[] = []
  let told = 0
  for (let n = -warmUps; n < count; n++) {
    const [own, served, at] = [childrenMs(), server.processorMs(), performance.now()]
    // A number for each run of each way, since a session is told nothing twice.
    const said = await run(n + 1_000 * (hook.length + 1))
    const ms = performance.now() - at
    if (n >= 0 && said !== '') told++
    if (n >= 0) taken.push({ ms, ownMs: childrenMs() - own, serverMs: server.processorMs() - served })
  }
  const clock = taken.map(({ ms }) => ms)
  const mean = (key: 'ownMs' | 'serverMs') => taken.reduce((sum, one) => sum + one[key], 0) / taken.length
  return {
    ...{ hook, runs: count, 'told something': told },
    ...{ 'clock median': median(clock).toFixed(1), 'clock p95': quantile(clock, 0.95).toFixed(1) },
    ...{ "processor, hook's processes": mean('ownMs').toFixed(1) },
    ...{ "processor, server's": mean('serverMs').toFixed(1) },
  }
}

async function callTool(server: McpPeer, prompt: string, n: number): Promise<string> {
  const said = await server.call('prompt_context', { prompt, session: `t${n}`, folder: '/home/ada/shop' })
  return said === '{}' ? '' : said
}

async function runNode(args: readonly string[], env: NodeJS.ProcessEnv, input = ''): Promise<string> {
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(input)
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return said
}

/** The server opens the hooks' socket after it has started. */
async function waitForHooks(socket: string): Promise<void> {
  for (let tries = 0; !existsSync(socket); tries++) {
    if (tries > 200) throw new Error('The server answers no hooks')
    await delay(250)
  }
}

/** Processor time of all processes that this one started and that have ended, in steps of 10 ms; NaN but on Linux. */
function childrenMs(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    return Number.NaN
  }
}

/** A memory of this machine with three facts an entity, and up to 10,000 turns. */
async function fill(dataDir: string, entities: number): Promise<void> {
  const ctx = await openContext(readConfig({ LOCI_DATA_DIR: dataDir }), pino({ level: 'warn' }))
  try {
    const actor = await findLocalActor(ctx)
    const file = join(dataDir, 'sample.jsonl')
    await writeSampleFile(file, entities)
    const report = await (await startImport(ctx, actor, await openImportFile(file))).end
    rmSync(file)
    if (report.entities.created !== entities) throw new Error(`Imported ${report.entities.created} entities`)
    for (let c = 0; c < Math.min(conversationsMax, entities / 10); c++) {
      const turns = Array.from({ length: turnsEach }, (_, i) => ({
        ...{ externalId: `${i}`, at: new Date(Date.UTC(2026, 5, 1 + (c % 28), 9, i)).toISOString() },
        role: i % 2 === 0 ? ('person' as const) : ('agent' as const),
        text: `${sentence(c * turnsEach + i)}, said ${nameOf((c * turnsEach + i) % entities)}.`,
      }))
      const conversation = {
        agent: 'codex',
        externalId: `c${c}`,
        title: `Talk ${c}`,
        project: { name: 'shop' },
      }
      await storeTurns(ctx, actor, { conversation, turns })
    }
  } finally {
    await closeContext(ctx)
  }
}
