/**
 * The cost of a local model for a server's other calls: a write and a search with and without a process that
 * computes vectors, alternating, and the processor time per vector. The model has the shape of
 * bge-small-en-v1.5 (12 layers of 384 numbers, weights of eight bits) and random weights, so it finds
 * nothing. Its runtime comes from the package registry.
 * Usage: node bench/local-model.ts [native|wasm] [calls of each kind]   (default native, 300)
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRestClient, type RestClient } from '@loci/client/rest'
import pino from 'pino'
import { buildApp } from '../server/src/app.ts'
import { register } from '../server/src/features/users/users.service.ts'
import { readConfig } from '../server/src/ground/config/config.ts'
import { installRuntime, runtimesHere } from '../server/src/ground/embedders/runtimes.ts'
import { closeContext, openContext } from '../server/src/open-context.ts'
import { startHubDouble, tinyModel } from '../server/test/hub-double.ts'
import { bertFiles } from './lib/random-bert.ts'
import { machine, median, quantile } from './lib/report.ts'

const [name = 'native', calls = '300'] = process.argv.slice(2)
const texts = 1_500
const words = Array.from({ length: 2_000 }, (_, i) => `w${i.toString(36)}`)
const log = pino({ level: 'warn' })
const runtime = runtimesHere().find((one) => one.name === name)
if (runtime === undefined) throw new Error(`There is no runtime ${name} here`)

const files = bertFiles()
const hub = await startHubDouble(files)
const places = { 'no embedder': await open(), 'a local model beside': await open() }
const busy = places['a local model beside']
await install(busy.rest)
await fill(places['no embedder'].rest)
await fill(busy.rest)
const times = new Map<string, number[]>()
for (let call = 0; call < Number(calls); call++) {
  for (const [place, { rest, entityId }] of Object.entries(places)) {
    await timed(`write, ${place}`, () =>
      rest.createObservations({ params: { id: entityId() }, body: { content: sentence(call, 12) } }),
    )
    await timed(`search, ${place}`, () => rest.search({ query: { query: sentence(call * 7, 3) } }))
  }
}
const status = await busy.rest.embeddingsStatus()
process.stdout.write(
  `${machine()}\n${status.embedded} vectors made meanwhile, ${status.waiting} still waiting\n`,
)
console.table(
  [...times].map(([call, own]) => ({
    call,
    'p50 ms': round(median(own)),
    'p95 ms': round(quantile(own, 0.95)),
  })),
)
for (const { close } of Object.values(places)) await close()
await hub.close()

async function open() {
  const dataDir = mkdtempSync(join(tmpdir(), 'loci-bench-'))
  const ctx = await openContext(readConfig({ LOCI_DATA_DIR: dataDir, LOCI_BURST_LIMIT: 'off' }), log)
  const model = { ...tinyModel(files, 384), tokensMax: 512, pooling: 'cls' as const }
  ctx.embeddings.local = { hub: hub.url, models: [model], runtimes: [runtime!], installRuntime }
  const app = await buildApp(ctx)
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  const person = { email: 'bench@example.com', password: 'correct horse battery' }
  const visitor = { address: '127.0.0.1', userAgent: 'bench' }
  const { user } = await register(ctx, { ...person, firstName: 'Ada', lastName: 'Example' }, visitor)
  await ctx.db.updateTable('accounts').set({ plan: 'self-hosted' }).execute()
  const rest = createRestClient({ baseUrl, token: () => user.apiKey! })
  const { entity } = await rest.createEntity({ body: { name: 'Round', type: 'thing' } })
  return {
    rest,
    entityId: () => entity.id,
    async close() {
      await app.close()
      await closeContext(ctx)
      rmSync(dataDir, { recursive: true })
    },
  }
}

async function install(rest: RestClient): Promise<void> {
  await rest.chooseEmbeddings({ body: { provider: 'local', model: 'bge-small-en-v1.5' } })
  for (;;) {
    const { chosen, installation } = await rest.getEmbeddingsChoice()
    if (installation?.failure) throw new Error(installation.failure)
    if (chosen !== null && installation === null) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** More than the model can process during the measurement. */
async function fill(rest: RestClient): Promise<void> {
  for (let made = 0; made < texts; made += 100) {
    const observations = Array.from({ length: 100 }, (_, i) => sentence(made + i, 80))
    await rest.createEntity({ body: { name: `Entity ${made}`, type: 'thing', observations } })
  }
}

function sentence(seed: number, length: number): string {
  let state = (seed * 2_654_435_761) >>> 0
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return words[(state >>> 8) % words.length]
  }).join(' ')
}

async function timed(call: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  await work()
  times.set(call, [...(times.get(call) ?? []), performance.now() - startedAt])
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
