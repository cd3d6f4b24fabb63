/**
 * What `recall` shows of a value that was updated: for BEAM's questions about updates, whether the old and the new turn
 * are shown, which comes first, and whether the old one is marked with a newer one. BENCH_DATA
 * must hold the set.
 */

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { fieldsIn } from '../server/test/fields-in.ts'
import { importLines } from '../server/test/import-lines.ts'
import { connectOverHttp } from '../server/test/mcp-clients.ts'
import { openBenchAccount, startBenchServer } from './bench-server.ts'
import { findSetFile, readSet, type Space, toImportLines } from './recall-sets.ts'
import { isShown } from './recall-shown.ts'

type Fact = { id: string; content: string; entity: { name: string }; newer?: string; replacedBy?: string }

const file = findSetFile('beam')
if (file === undefined) process.exit()
const spaces = readSet(gunzipSync(readFileSync(file)).toString(), { typos: false })
const counts = {
  questions: 0,
  'both shown': 0,
  'newer first': 0,
  'older marked': 0,
  either: 0,
  'only the old': 0,
}
const marks = { facts: 0, marked: 0 }

const server = await startBenchServer('sqlite')
for (const space of spaces) await measure(space)
await server.close()
console.table([counts])
console.table([marks])

async function measure(space: Space): Promise<void> {
  const account = await openBenchAccount(server)
  await importLines(server, account, toImportLines(space))
  const client = await connectOverHttp(server, account.apiKey, 'auto')
  const textOf = new Map(
    space.entities.flatMap(({ name, observations }) =>
      observations.map(({ content, evidenceId }) => [evidenceId, { entity: name, text: content }] as const),
    ),
  )
  for (const { text, category, evidence } of space.questions) {
    const result = await client.callTool({ name: 'recall', arguments: { query: text } })
    const facts = (fieldsIn(result) as { observations: Fact[] }).observations
    marks.facts += facts.length
    marks.marked += facts.filter(({ newer }) => newer !== undefined).length
    if (category !== 'knowledge_update' || evidence.length < 2) continue
    const placeOf = (id: string) =>
      facts.findIndex(({ entity, content }) =>
        isShown(textOf.get(id)!, [{ entity: entity.name, text: content }]),
      )
    const [old = -1, ...later] = evidence.map(placeOf)
    const newest = later.filter((place) => place >= 0)
    counts.questions++
    if (old >= 0 && newest.length === 0) counts['only the old']++
    if (old < 0 || newest.length === 0) continue
    counts['both shown']++
    const isFirst = Math.min(...newest) < old
    const isMarked = facts[old]!.newer !== undefined || facts[old]!.replacedBy !== undefined
    if (isFirst) counts['newer first']++
    if (isMarked) counts['older marked']++
    if (isFirst || isMarked) counts.either++
  }
  await client.close()
}
