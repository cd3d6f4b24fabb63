/**
 * The time from the start of the `loci serve` process to its first response, with a large graph and with an
 * empty one, and its idle memory.
 * Usage: node bench/start.ts [entities]   (default 333334 entities, which have a million observations)
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startServerProcess } from '../server/test/server-process.ts'
import { makeMemory } from './lib/loci.ts'
import { memoryOf } from './lib/process-use.ts'
import { machine, median, print, type Row } from './lib/report.ts'

const [entities = 333_334] = process.argv.slice(2).map(Number)
const starts = 5
const restMs = 3_000

process.stdout.write(`${machine()}\n`)
print('From the start of the process to the first answer', [await measure(0), await measure(entities)])

async function measure(entities: number): Promise<Row> {
  const memory = await makeMemory(entities)
  const headers = { authorization: `Bearer ${memory.apiKey}` }
  const readyMs: number[] = []
  const answerMs: number[] = []
  let megabytes = 0
  for (let start = 0; start < starts; start++) {
    const startedAt = performance.now()
    const server = await startServerProcess(memory.config)
    await fetch(`${server.url}/healthz`)
    readyMs.push(performance.now() - startedAt)
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
    observations: entities * 3,
    'first answer ms': Math.round(median(readyMs)),
    'first page of entities ms': Math.round(median(answerMs)),
    'memory at rest MB': Math.round(megabytes),
  }
}
