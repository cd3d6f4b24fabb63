/**
 * MCP calls per second over HTTP, compared with a minimal high-level SDK server whose one tool neither
 * authenticates nor reads anything.
 * Usage: node bench/mcp.ts [seconds]   (default rounds of 3 seconds)
 */
import { startProgram, startServerProcess } from '../server/test/server-process.ts'
import { type LoadCall, rateOf, takeTurns } from './lib/load.ts'
import { makeMemory } from './lib/loci.ts'
import { callTool, mcpHeaders } from './lib/mcp-peer.ts'
import { machine, print, type Row, times } from './lib/report.ts'
import { nameOf } from './lib/sample-graph.ts'

const [seconds = 3] = process.argv.slice(2).map(Number)
const rounds = 3
const minimalServer = new URL('./lib/minimal-mcp.ts', import.meta.url).pathname

const memory = await makeMemory(1_000)
const loci = await startServerProcess(memory.config, { logLevel: 'info', stderr: 'ignore' })
const minimal = await startProgram([minimalServer])
const tool = 'open_nodes'
const args = { names: [nameOf(5)] }
const headers = mcpHeaders(memory.apiKey)
const calls: Record<string, LoadCall> = {
  '2025-06-18': {
    method: 'POST',
    path: () => '/mcp',
    headers,
    body: () => JSON.stringify(callTool(tool, args)),
  },
  '2026-07-28': {
    method: 'POST',
    path: () => '/mcp',
    headers: {
      ...headers,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': tool,
    },
    body: () => {
      const { params, ...message } = callTool(tool, args)
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      }
      return JSON.stringify({ ...message, params: { ...params, _meta } })
    },
  },
}
const rows: Row[] = []
for (const [protocol, call] of Object.entries(calls)) {
  const rates = await takeTurns(rounds, {
    minimal: () => rateOf(minimal.url, call, seconds),
    loci: () => rateOf(loci.url, call, seconds),
  })
  rows.push({
    protocol,
    'minimal high-level server/s': Math.round(rates.minimal),
    'Loci/s': Math.round(rates.loci),
    ratio: times(rates.loci / rates.minimal),
  })
}
await minimal.stop()
await loci.stop()
memory.remove()
process.stdout.write(`${machine()}\n`)
print('MCP calls a second over HTTP: open_nodes', rows)
