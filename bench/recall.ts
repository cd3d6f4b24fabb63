// Measures recall through the front door: stores the question sets of BENCH_DATA over REST, asks each question through
// GET /api/search/observations and prints one table. `--questions 200` asks a part only, `--set locomo` one set.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { createRestClient, type RestClient } from '@loci/client/rest'
import { buildApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/config.ts'
import type { Context } from '../server/src/context.ts'
import { closeContext, createLog, openContext } from '../server/src/open-context.ts'
import { type Question, readSet, type Space } from './recall-sets.ts'

const { values: options } = parseArgs({
  options: {
    questions: { type: 'string', default: '100000' },
    set: { type: 'string', default: 'locomo,locomo-typos,musique' },
  },
})
const folder = process.env.BENCH_DATA ?? join(import.meta.dirname, '../../shared/data/recall')
const files = { locomo: 'locomo10.json.gz', musique: 'musique100.json.gz' }

const relationsPerCall = 100

type Row = Record<string, string | number>

if (Object.values(files).some((file) => !existsSync(join(folder, file)))) {
  console.log(`Skipped: ${folder} does not hold ${Object.values(files).join(' and ')}. Set BENCH_DATA.`)
} else {
  console.table(await measureAll())
}

async function measureAll(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'loci-bench-'))
  const url = process.env.DATABASE_URL
  const config = readConfig({
    PORT: '0',
    LOCI_DATA_DIR: dataDir,
    LOCI_LOG_LEVEL: 'silent',
    ...(url === undefined ? {} : { DATABASE_URL: url }),
  })
  const clock = { now: Date.now() }
  const ctx = await openContext(config, createLog(config), { now: () => clock.now })
  const app = await buildApp(ctx)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const rows: Row[] = []
  for (const set of options.set.split(',')) rows.push(...(await measureSet({ ctx, clock, address }, set)))
  await app.close()
  await closeContext(ctx)
  rmSync(dataDir, { recursive: true, force: true })
  return rows
}

type Bench = { ctx: Context; clock: { now: number }; address: string }

async function measureSet(bench: Bench, set: string): Promise<Row[]> {
  const [name, variant] = set.split('-') as [keyof typeof files, string | undefined]
  const text = gunzipSync(readFileSync(join(folder, files[name]))).toString()
  const spaces = readSet(text, { typos: variant === 'typos' })
  const expands = name === 'musique' ? (['false', 'true'] as const) : (['false'] as const)
  const tallies = { false: newTally(), true: newTally() }
  let left = Number(options.questions)
  for (const space of spaces) {
    const rest = await signUp(bench)
    const evidenceOf = await loadSpace(bench, rest, space)
    for (const question of space.questions.slice(0, left)) {
      for (const expand of expands) {
        const started = performance.now()
        const { observations } = await rest.searchObservations({
          query: { query: question.text, limit: '20', context: '0', expand },
        })
        const found = observations.map(({ id }) => evidenceOf.get(id) ?? '')
        tally(tallies[expand], question, found, performance.now() - started)
      }
    }
    left = Math.max(0, left - space.questions.length)
  }
  return expands.map((expand) => toRow(expand === 'true' ? `${set}, expand` : set, tallies[expand]))
}

/** A new account that may store as much as it likes. */
async function signUp({ ctx, address }: Bench): Promise<RestClient> {
  const { user } = await createRestClient({ baseUrl: address }).register({
    body: {
      email: `bench-${crypto.randomUUID()}@example.com`,
      password: 'correct horse battery',
      firstName: 'Bench',
      lastName: 'Mark',
    },
  })
  await ctx.db.updateTable('accounts').set({ plan: 'power-user' }).where('id', '=', user.accountId).execute()
  return createRestClient({ baseUrl: address, token: () => user.apiKey ?? '' })
}

/** Answers which piece of evidence each stored observation is. Each entity is stored at its own time. */
async function loadSpace({ clock }: Bench, rest: RestClient, space: Space): Promise<Map<string, string>> {
  const evidenceOf = new Map<string, string>()
  for (const { name, type, at, observations } of space.entities) {
    clock.now = at ?? clock.now
    const contents = observations.map(({ content }) => content)
    const { entity } = await rest.createEntity({ body: { name, type, observations: contents } })
    entity.observations.forEach((observation, i) => {
      evidenceOf.set(observation.id, observations[i]!.evidenceId)
    })
  }
  for (let i = 0; i < space.relations.length; i += relationsPerCall) {
    const relations = space.relations.slice(i, i + relationsPerCall)
    await rest.createBatch({ body: { entities: [], relations } })
  }
  return evidenceOf
}

type Tally = { asked: number; at: Record<5 | 10 | 20, number>; reciprocal: number; ms: number[] }

function newTally(): Tally {
  return { asked: 0, at: { 5: 0, 10: 0, 20: 0 }, reciprocal: 0, ms: [] }
}

function tally(sum: Tally, { evidence }: Question, found: readonly string[], ms: number): void {
  const wanted = new Set(evidence)
  sum.asked += 1
  for (const k of [5, 10, 20] as const) {
    sum.at[k] += found.slice(0, k).filter((id) => wanted.has(id)).length / wanted.size
  }
  const first = found.findIndex((id) => wanted.has(id))
  if (first >= 0) sum.reciprocal += 1 / (first + 1)
  sum.ms.push(ms)
}

function toRow(set: string, { asked, at, reciprocal, ms }: Tally): Row {
  const percent = (sum: number) => Number(((100 * sum) / Math.max(1, asked)).toFixed(1))
  const sorted = ms.toSorted((a, b) => a - b)
  return {
    set,
    questions: asked,
    'R@5': percent(at[5]),
    'R@10': percent(at[10]),
    'R@20': percent(at[20]),
    MRR: percent(reciprocal),
    'p50 ms': Number((sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1)),
    'p95 ms': Number((sorted[Math.floor(sorted.length * 0.95)] ?? 0).toFixed(1)),
  }
}
