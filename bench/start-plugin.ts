/**
 * The time from the start of the plugin for Claude Code, packed and copied as Claude Code does, to its first answers
 * over standard input and output: without a network, on an empty memory of this machine. The first start compiles the
 * program; later ones find it compiled.
 * Usage: node bench/start-plugin.ts [starts]   (default 10)
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { writePackage } from '../scripts/pack/write-packages.ts'
import { callTool, hello } from './lib/mcp-peer.ts'
import { processorMsOf } from './lib/process-use.ts'
import { machine, median, print } from './lib/report.ts'

const [starts = 10] = process.argv.slice(2).map(Number)
const place = mkdtempSync(join(tmpdir(), 'loci-bench-'))
const { file } = await writePackage('plugin', place)
const plugin = join(place, 'plugin')
cpSync(join(file, 'plugins/claude-code'), plugin, { recursive: true })

const taken = []
for (let start = 0; start < starts; start++) taken.push(await measure())
rmSync(place, { recursive: true, force: true })

const [first, ...later] = taken
const keys = ['initialize', 'tools/list', 'recall', 'processor time'] as const
process.stdout.write(`${machine()}\n`)
print('Milliseconds from the start of the plugin to the answer', [
  { start: 'the first', ...first },
  {
    start: `later ones (median of ${later.length})`,
    ...Object.fromEntries(keys.map((key) => [key, Math.round(median(later.map((one) => one[key])))])),
  },
])

async function measure() {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [join(plugin, 'start.mjs')], {
    env: { PATH: place, HOME: place, LOCI_DATA_DIR: join(place, 'memory'), LOCI_LOG_LEVEL: 'silent' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const lines = createInterface(child.stdout)
  const ask = async (message: object) => {
    child.stdin.write(`${JSON.stringify(message)}\n`)
    await once(lines, 'line')
    return Math.round(performance.now() - startedAt)
  }
  const initialize = await ask({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello })
  const list = await ask({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const recall = await ask(callTool('recall', { query: 'where is the budget' }, 2))
  const processor = Math.round(processorMsOf(child.pid!))
  child.stdin.end()
  await once(child, 'exit')
  return { initialize, 'tools/list': list, recall, 'processor time': processor }
}
