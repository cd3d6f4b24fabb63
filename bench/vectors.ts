/**
 * The cost of semantic search: a write with and without a process that computes vectors, and a search in one
 * account with many vectors, by words alone, with sqlite-vec and compared in-process. The embedder is a
 * server in a thread that returns made-up vectors at once, so no figure includes a model.
 * Usage: node bench/vectors.ts [vectors] [dimensions]   (default 100000 vectors of 384 dimensions)
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { createRestClient, type RestClient } from '@loci/client/rest'
import pino from 'pino'
import { buildApp } from '../server/src/app.ts'
import { getEmbeddingsStatus } from '../server/src/features/embeddings/embeddings.service.ts'
import { createEntity } from '../server/src/features/entities/entities.service.ts'
import { searchObservations } from '../server/src/features/search/search.service.ts'
import { register } from '../server/src/features/users/users.service.ts'
import { readConfig } from '../server/src/ground/config/config.ts'
import { EmbeddingsHost } from '../server/src/ground/embedders/embeddings.ts'
import { closeContext, openContext } from '../server/src/open-context.ts'
import { createDb } from '../server/src/store/dialect-of.ts'
import { sqliteDialect } from '../server/src/store/dialect-sqlite.ts'
import { databaseFileName } from '../server/src/store/open.ts'
import type { Actor } from '../server/src/tenancy/auth/actor.ts'
import type { Context } from '../server/src/tenancy/context.ts'
import { toLocalActor } from './lib/actors.ts'

const writesPerRound = 500
const rounds = 6
const searches = 100
const observationsPerEntity = 500
const words = Array.from({ length: 20_000 }, (_, i) => `w${i.toString(36)}x`)
const median = (times: readonly number[]) => quantile(times, 0.5)
const round2 = (value: number) => Math.round(value * 100) / 100
const seconds = (startedAt: number) => Math.round((performance.now() - startedAt) / 1_000)
const log = pino({ level: 'warn' })

if (isMainThread) await main(Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? 384))
else await serveVectors()

async function main(vectors: number, dimensions: number): Promise<void> {
  const worker = new Worker(new URL(import.meta.url))
  const port = await new Promise<number>((resolve) => worker.once('message', resolve))
  const url = `http://127.0.0.1:${port}/${dimensions}`
  console.log(`A write, ${rounds} rounds of ${writesPerRound} each way, in turn`)
  console.table(await compareWrites(url))
  console.log(`A search among ${vectors} vectors of ${dimensions} dimensions in one account, SQLite`)
  console.table(await compareSearches(url, vectors))
  await worker.terminate()
}

/** Every text has a vector, always the same one. */
async function serveVectors(): Promise<void> {
  const server = createServer(async (request, response) => {
    const { input }: { input: string[] } = JSON.parse(await text(request))
    const dimensions = Number(request.url?.split('/')[1])
    const data = input.map((one, index) => ({ index, embedding: vectorOf(one, dimensions) }))
    response.end(JSON.stringify({ data }))
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    parentPort!.postMessage(typeof address === 'object' ? address?.port : 0)
  })
}

function vectorOf(one: string, dimensions: number): number[] {
  let state = 7
  for (let i = 0; i < one.length; i++) state = (Math.imul(state, 31) + one.charCodeAt(i)) >>> 0
  return Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.round((state / 2 ** 31 - 1) * 1e6) / 1e6
  })
}

type Place = { ctx: Context; actor: Actor; rest: RestClient; close: () => Promise<void> }

async function open(embedderUrl: string | undefined): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), 'loci-bench-'))
  const embedder =
    embedderUrl === undefined
      ? {}
      : {
          LOCI_EMBEDDINGS_URL: embedderUrl,
          LOCI_EMBEDDINGS_MODEL: 'made-up',
          LOCI_EMBEDDINGS_WAIT_MS: '5000',
        }
  const ctx = await openContext(readConfig({ LOCI_DATA_DIR: dataDir, ...embedder }), log)
  const app = await buildApp(ctx)
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  const person = { email: 'bench@example.com', password: 'correct horse battery' }
  const visitor = { address: '127.0.0.1', userAgent: 'bench' }
  const { user } = await register(ctx, { ...person, firstName: 'Ada', lastName: 'Example' }, visitor)
  await ctx.db.updateTable('accounts').set({ plan: 'power-user' }).execute()
  return {
    ctx,
    actor: await toLocalActor(ctx, user),
    rest: createRestClient({ baseUrl, token: () => user.apiKey! }),
    close: async () => {
      await app.close()
      await closeContext(ctx)
      rmSync(dataDir, { recursive: true })
    },
  }
}

async function compareWrites(url: string) {
  const places = { 'no embedder': await open(undefined), 'vectors are made meanwhile': await open(url) }
  const times = new Map<string, number[]>()
  for (let round = 0; round < rounds; round++) {
    for (const [name, { rest }] of Object.entries(places)) {
      const { entity } = await rest.createEntity({ body: { name: `Round ${round}`, type: 'thing' } })
      const own = times.get(name) ?? []
      for (let i = 0; i < writesPerRound; i++) {
        const call = { params: { id: entity.id }, body: { content: sentence(i * 7 + round) } }
        own.push(await timed(() => rest.createObservations(call)))
      }
      times.set(name, own)
    }
  }
  for (const { close } of Object.values(places)) await close()
  const plain = median(times.get('no embedder')!)
  return rowsOf(times, (own) => ({ ratio: round2(median(own) / plain) }))
}

async function compareSearches(url: string, vectors: number) {
  const { ctx, actor, close } = await open(url)
  const startedAt = performance.now()
  for (let made = 0; made < vectors; made += observationsPerEntity) {
    const observations = Array.from({ length: observationsPerEntity }, (_, i) => sentence(made + i))
    await createEntity(ctx, actor, { name: `Entity ${made}`, type: 'thing', observations })
  }
  console.log(`stored after ${seconds(startedAt)} s`)
  while ((await getEmbeddingsStatus(ctx, actor)).state !== 'ready')
    await new Promise((r) => setTimeout(r, 1_000))
  console.log(`vectors made after ${seconds(startedAt)} s`)
  const dialect = sqliteDialect(join(ctx.config.dataDir, databaseFileName))
  const plain = { ...ctx, dialect, db: createDb(dialect) } as Context
  const ways: Record<string, Context> = {
    'words alone': {
      ...ctx,
      embeddings: new EmbeddingsHost({ ...ctx.config, embeddings: undefined }, ctx.now),
    },
    'with sqlite-vec': ctx,
    'compared in our process': plain,
  }
  const times = new Map<string, number[]>()
  for (let i = 0; i < searches; i++) {
    const query = { query: sentence(i * 991, 4), limit: 20, expand: false, explain: false, context: 1 }
    // A first run, so that the embedder's response is cached.
    await searchObservations(ctx, actor, query)
    for (const [name, way] of Object.entries(ways)) {
      times.set(name, [...(times.get(name) ?? []), await timed(() => searchObservations(way, actor, query))])
    }
  }
  await plain.db.destroy()
  await close()
  return rowsOf(times, () => ({}))
}

function sentence(seed: number, length = 14): string {
  let state = (seed * 2_654_435_761) >>> 0
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    // As in real texts, some words are common and most are rare.
    return words[Math.floor(words.length * (state / 2 ** 32) ** 3)]
  }).join(' ')
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function quantile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0
}

function rowsOf(times: ReadonlyMap<string, number[]>, more: (own: readonly number[]) => object) {
  return [...times].map(([way, own]) => ({
    way,
    'p50 ms': round2(median(own)),
    'p95 ms': round2(quantile(own, 0.95)),
    ...more(own),
  }))
}
