/**
 * The time from the start of the `loci serve` process to its first response, its processor time until then and its idle
 * memory: with an empty graph, with a large one, and with many accounts.
 * Usage: node bench/start.ts [entities=333334] [accounts=10000]   (333334 entities have a million observations; 0 accounts
 * leaves the last row out)
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startServerProcess } from '../server/test/server-process.ts'
import { type Memory, makeMemory } from './lib/loci.ts'
import { makeManyAccounts } from './lib/many-accounts.ts'
import { memoryOf, processorMsOf } from './lib/process-use.ts'
import { machine, median, print, type Row } from './lib/report.ts'

const [entities = 333_334, accounts = 10_000] = process.argv.slice(2).map(Number)
const entitiesPerAccount = 10
const starts = 5
const restMs = 3_000

process.stdout.write(`${machine()}\n`)
const rows = [await measure('empty', await makeMemory(0))]
if (entities > 0) rows.push(await measure(`${entities * 3} observations`, await makeMemory(entities)))
if (accounts > 0)
  rows.push(await measure(`${accounts} accounts`, await makeManyAccounts(accounts, entitiesPerAccount)))
print('From the start of the process to the first answer', rows)

async function measure(stored: string, memory: Memory): Promise<Row> {
  const headers = { authorization: `Bearer ${memory.apiKey}` }
  const readyMs: number[] = []
  const answerMs: number[] = []
  const processorMs: number[] = []
  let megabytes = 0
  for (let start = 0; start < starts; start++) {
    const startedAt = performance.now()
    const server = await startServerProcess(memory.config)
    await fetch(`${server.url}/healthz`)
    readyMs.push(performance.now() - startedAt)
    processorMs.push(processorMsOf(server.pid))
    const answer = await fetch(`${server.url}/api/entities?limit=20`, { headers })
    await answer.arrayBuffer()
    answerMs.push(performance.now() - startedAt)
    if (!answer.ok) throw new Error(`The first answer was ${answer.status}`)
    await sleep(restMs)
    megabytes = memoryOf(server.pid)
    await server.stop()
  }
  memory.remove()
  return {
    stored,
    'first answer ms': Math.round(median(readyMs)),
    'processor ms until then': Math.round(median(processorMs)),
    'first page of entities ms': Math.round(median(answerMs)),
    'memory at rest MB': Math.round(megabytes),
  }
}
