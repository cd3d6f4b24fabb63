// scratch: profile a call
import { startServerProcess } from '../server/test/server-process.ts'
import { makeMemory } from './lib/loci.ts'
import { rateOf } from './lib/load.ts'
const which = process.argv[2]!
const entities = Number(process.argv[3] ?? 500)
const m = await makeMemory(entities)
const s = await startServerProcess(m.config, { logLevel: process.env.LOG ?? 'info', stderr: 'ignore', execArgv: process.env.PERF ? ['--perf-basic-prof'] : process.env.PROF ? ['--cpu-prof', '--cpu-prof-dir=/tmp/prof', '--cpu-prof-name=' + which + '.cpuprofile'] : [] })
const headers = { authorization: `Bearer ${m.apiKey}` }
const { entities: found } = await (await fetch(s.url + '/api/entities?limit=500', { headers })).json()
const ids = found.map((e: any) => e.id)
let count = 0
const json = { ...headers, 'content-type': 'application/json' }
const calls: any = {
  read: { method: 'GET', path: '/api/entities/' + ids[0], headers },
  list: { method: 'GET', path: '/api/entities?limit=20', headers },
  health: { method: 'GET', path: '/healthz', headers },
  search: { method: 'GET', path: '/api/search?query=heliotrope', headers },
  create: { method: 'POST', path: '/api/entities', headers: json, body: () => JSON.stringify({ name: 'new ' + count++, type: 'note', observations: ['On day ' + count + ' the agent found that this service calls another one'] }) },
  mcp: { method: 'POST', path: '/mcp', headers: { ...json, accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }, body: () => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'open_nodes', arguments: { names: ['Entity 5'] } } }) },
}
const cpu = () => { const f = (process.getBuiltinModule('node:fs').readFileSync(`/proc/${s.pid}/stat`, 'utf8')).split(' '); return Number(f[13]) + Number(f[14]) }
await rateOf(s.url, calls[which], 1)
const secs = Number(process.argv[4] ?? 4)
const c0 = cpu()
const perf = process.env.PERF ? process.getBuiltinModule('node:child_process').spawn('strace', ['-f','-o','/tmp/prof/strace.txt','-p',String(s.pid)],{stdio:'inherit'}) : undefined
const r = await rateOf(s.url, calls[which], secs)
perf?.kill('SIGINT'); const c1 = cpu()
console.log(which, Math.round(r) + '/s', 'cpu us/req', Math.round((c1 - c0) * 10_000 / (r * secs)))
await s.stop()
m.remove()
