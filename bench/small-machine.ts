/**
 * A million facts on SQLite in a server that the kernel allows so many megabytes: whether it starts, is read, searched,
 * written to, exported and imported into. Linux, as root, with cgroups of version 1.
 * Usage: node bench/small-machine.ts [entities=333334] [megabytes=128,192,256,384,512]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createRestClient } from '@loci/client/rest'
import { type ServerProcess, startServerProcess } from '../server/test/server-process.ts'
import { makeMemory } from './lib/loci.ts'
import { makeMemoryGroup } from './lib/memory-group.ts'
import { machine, print, type Row } from './lib/report.ts'

const [entities = '333334', limits = '128,192,256,384,512'] = process.argv.slice(2)
/** Entities of an import, with two facts each. */
const importedMany = 50_000
const questions = [
  'project',
  'who works with the team',
  'release notes',
  'engine of the north',
  'meeting budget',
]

const memory = await makeMemory(Number(entities))
process.stdout.write(`${machine()}\n`)
const rows: Row[] = []
for (const megabytes of limits.split(',').map(Number)) rows.push(await tryWith(megabytes))
print(`${Number(entities) * 3} facts in a server of so many megabytes`, rows)
memory.remove()

async function tryWith(megabytes: number): Promise<Row> {
  const group = makeMemoryGroup(megabytes)
  const done: Record<string, string> = {}
  let server: ServerProcess | undefined
  try {
    const begun = performance.now()
    const starting = group.enter(() => startServerProcess(memory.config, { stderr: 'ignore' }))
    server = await starting
    const { url } = server
    done.start = `${((performance.now() - begun) / 1_000).toFixed(1)} s`
    const rest = createRestClient({ baseUrl: url, token: () => memory.apiKey })
    const steps: [string, () => Promise<unknown>][] = [
      ['calls', () => callAll(rest)],
      ['export', () => exportAll(url)],
      ['import', () => importSome(url, rest, megabytes)],
    ]
    for (const [name, work] of steps) {
      const before = performance.now()
      await work()
      done[name] = `${((performance.now() - before) / 1_000).toFixed(1)} s, peak ${group.peakMegabytes()} MB`
    }
  } catch (error) {
    done.ended = group.killed() > 0 ? 'killed by the kernel' : String(error).slice(0, 80)
  }
  await server?.kill()
  await sleep(1_000)
  group.remove()
  const { start = '-', calls = '-', export: exported = '-', import: imported = '-', ended = 'no' } = done
  return { megabytes, start, calls, export: exported, import: imported, ended }
}

async function callAll(rest: ReturnType<typeof createRestClient>): Promise<void> {
  for (let round = 0; round < 4; round++) {
    for (const query of questions) await rest.search({ query: { query } })
    const { entities: listed } = await rest.listEntities({ query: { limit: '100' } })
    for (const { id } of listed.slice(0, 20)) await rest.getEntity({ params: { id } })
    const body = {
      name: `Small ${crypto.randomUUID()}`,
      type: 'note',
      observations: ['made on a small machine'],
    }
    await rest.createEntity({ body })
  }
}

async function exportAll(url: string): Promise<void> {
  const response = await fetch(`${url}/api/export`, { headers: { authorization: `Bearer ${memory.apiKey}` } })
  for await (const _ of response.body!);
}

async function importSome(url: string, rest: ReturnType<typeof createRestClient>, round: number) {
  const lines = Array.from({ length: importedMany }, (_, at) =>
    JSON.stringify({
      type: 'entity',
      name: `Imported ${round} ${at}`,
      entityType: 'note',
      observations: [
        `The part ${at} of the plan is ready for review`,
        `Its owner answers on day ${at % 365}`,
      ],
    }),
  )
  const response = await fetch(`${url}/api/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${memory.apiKey}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  })
  if (!response.ok) throw new Error(`import refused: ${await response.text()}`)
  let report = ((await response.json()) as Awaited<ReturnType<typeof rest.getImport>>).import
  while (report.state === 'running') {
    await sleep(500)
    report = (await rest.getImport({ params: { id: report.id } })).import
  }
  if (report.state !== 'finished') throw new Error(`import ${report.state}`)
}
