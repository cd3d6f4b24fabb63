// Import of invented text. On SQLite compared with the limits of the disk and of SQLite: the same observations
// written with bare prepared statements, without and with a full-text index. `npm run bench:import -- 1000000
// [minutes]` sets another size, and ends an import after that time (default 6). Sizes above 200,000 are imported
// once, as by the command line and on SQLite, with speed and memory printed on the way.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import pino from 'pino'
import { startImport } from '../server/src/features/imports/imports.service.ts'
import { openImportFile } from '../server/src/features/imports/open-import-file.ts'
import { createUser } from '../server/src/features/users/users.service.ts'
import { readConfig } from '../server/src/ground/config/config.ts'
import { collectSooner } from '../server/src/ground/lib/collect-sooner.ts'
import { closeContext, openContext } from '../server/src/open-context.ts'
import { startPostgres, testSecret } from '../server/test/postgres.ts'
import { toLocalActor } from './lib/actors.ts'
import { type CorpusEntity, createCorpus } from './search-corpus.ts'

const seed = 1
const rowsPerCommit = 1_000
const serverChunkMs = 20
const commandChunkMs = 400

const largeFrom = 200_000
const bareMax = 100_000
const [defaultObservations, defaultMinutes] = [100_000, 6]

type Job = {
  dataDir: string
  path: string
  chunkMs: number
  minutes: number
  databaseUrl?: string | undefined
}
type Imported = {
  imported: number
  rate: number
  cpuUs: number
  /** The part of `cpuUs` spent on the main thread, which everything else waits for. */
  mainUs: number
  peakMb: number
  longestMs: number
  longestBlockMs: number
}

const corpus = (observations: number) => createCorpus(seed).entities(observations)

/** Entities with their observations, then a relation from each entity to the previous one. */
async function writeFile(path: string, observations: number): Promise<void> {
  const file = await open(path, 'w')
  let piece = ''
  const put = (line: object) => {
    piece += `${JSON.stringify(line)}\n`
    if (piece.length < 1_000_000) return
    writeSync(file.fd, piece)
    piece = ''
  }
  for (const entity of corpus(observations)) put({ type: 'entity', entityType: 'concept', ...entity })
  let before: CorpusEntity | undefined
  for (const entity of corpus(observations)) {
    if (before) put({ type: 'relation', from: entity.name, to: before.name, relationType: 'follows' })
    before = entity
  }
  writeSync(file.fd, piece)
  await file.close()
}

/**
 * Inserts into one table with its keys and, optionally, a plain FTS5 index of the texts. The texts are
 * prepared beforehand.
 */
function insertBare(path: string, observations: number, withIndex: boolean): { rate: number; cpuUs: number } {
  const entities = [...corpus(observations)]
  const database = new DatabaseSync(path)
  database.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536;
    create table observations (account text, space text, id text, entity text, content text, metadata text, at integer,
      primary key (account, space, id)) strict;
    create index observations_by_entity on observations (account, space, entity, id);
    create virtual table texts using fts5 (content, content = '', tokenize = 'porter unicode61')`)
  const insert = database.prepare('insert into observations values (?, ?, ?, ?, ?, ?, ?)')
  const index = database.prepare('insert into texts (rowid, content) values (?, ?)')
  const startedAt = performance.now()
  const cpuBefore = process.threadCpuUsage()
  let count = 0
  database.exec('begin')
  for (const { name, observations: texts } of entities) {
    for (const text of texts) {
      count += 1
      const id = String(count).padStart(26, '0')
      insert.run('acc_01abcdefghijklmnopqrstuvwx', 'default', `obs_${id}`, `ent_${name}`, text, null, count)
      if (withIndex) index.run(count, text)
      if (count % rowsPerCommit === 0) database.exec('commit; begin')
    }
  }
  database.exec('commit')
  const seconds = (performance.now() - startedAt) / 1_000
  const cpu = process.threadCpuUsage(cpuBefore)
  database.close()
  rmSync(path)
  return { rate: observations / seconds, cpuUs: (cpu.user + cpu.system) / observations }
}

/** Runs in its own process, so that the peak memory is the import's. */
async function importAll({ dataDir, path, chunkMs, minutes, databaseUrl }: Job): Promise<Imported> {
  if (chunkMs === commandChunkMs) collectSooner()
  const env = {
    LOCI_DATA_DIR: dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, LOCI_SECRET: testSecret }),
  }
  const ctx = await openContext(readConfig(env), pino({ level: 'silent' }))
  const name = { firstName: 'B', lastName: 'B' }
  const user = await createUser(ctx, { email: 'b@example.com', password: 'correct horse battery', ...name })
  await ctx.db.updateTable('accounts').set({ plan: 'power-user' }).execute()
  const actor = await toLocalActor(ctx, user)
  const loop = monitorEventLoopDelay({ resolution: 1 })
  const watch = watchProgress()
  const signal = AbortSignal.timeout(minutes * 60_000)
  loop.enable()
  const cpuBefore = process.cpuUsage()
  const mainBefore = process.threadCpuUsage()
  const startedAt = performance.now()
  const { onProgress } = watch
  const { end } = await startImport(ctx, actor, await openImportFile(path), { onProgress, chunkMs, signal })
  const { observations } = await end
  const seconds = (performance.now() - startedAt) / 1_000
  const cpu = process.cpuUsage(cpuBefore)
  const main = process.threadCpuUsage(mainBefore)
  loop.disable()
  await closeContext(ctx)
  return {
    imported: observations.created,
    rate: observations.created / seconds,
    cpuUs: (cpu.user + cpu.system) / observations.created,
    mainUs: (main.user + main.system) / observations.created,
    peakMb: process.resourceUsage().maxRSS / 1024,
    longestMs: watch.longestMs(),
    longestBlockMs: loop.max / 1e6,
  }
}

const toldEach = 100_000

/** The longest time between two chunks; prints a progress line per 100,000 observations. */
function watchProgress() {
  let last = performance.now()
  let longestMs = 0
  let told = { observations: 0, at: last }
  return {
    longestMs: () => longestMs,
    onProgress({ observations: { created } }: { observations: { created: number } }) {
      const now = performance.now()
      longestMs = Math.max(longestMs, now - last)
      last = now
      if (created < told.observations + toldEach) return
      const rate = Math.round(((created - told.observations) / (now - told.at)) * 1_000)
      console.error(`${created}: ${rate}/s, ${Math.round(process.memoryUsage.rss() / 1024 ** 2)} MB`)
      told = { observations: created, at: now }
    },
  }
}

function importInChild(job: Job): Imported {
  const parameters = [import.meta.filename, '--import', JSON.stringify(job)]
  const imported: Imported = JSON.parse(
    execFileSync(process.execPath, parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  rmSync(job.dataDir, { recursive: true, force: true })
  return imported
}

function toRow(imported: Imported) {
  return {
    observations: imported.imported,
    'import/s': Math.round(imported.rate),
    'processor us each': Math.round(imported.cpuUs),
    'of the main thread': Math.round(imported.mainUs),
    'peak MB': Math.round(imported.peakMb),
    'longest chunk ms': Math.round(imported.longestMs),
    'longest block ms': Math.round(imported.longestBlockMs),
  }
}

type Row = Record<string, string | number>

async function measureSqlite(dir: string, observations: number, minutes: number): Promise<Row[]> {
  const path = join(dir, 'import.jsonl')
  await writeFile(path, observations)
  const bareObservations = Math.min(observations, bareMax)
  const bare = insertBare(join(dir, 'bare.db'), bareObservations, false)
  const indexed = insertBare(join(dir, 'bare.db'), bareObservations, true)
  const chunks = observations > largeFrom ? [commandChunkMs] : [serverChunkMs, commandChunkMs]
  return chunks.map((chunkMs) => {
    const imported = importInChild({ dataDir: join(dir, `data-${chunkMs}`), path, chunkMs, minutes })
    return {
      database: 'SQLite',
      'chunk ms': chunkMs,
      ...toRow(imported),
      'bare/s': Math.round(bare.rate),
      'bare with FTS5/s': Math.round(indexed.rate),
      'its us each': Math.round(indexed.cpuUs),
      'of bare with FTS5': `${Math.round((imported.rate / indexed.rate) * 100)} %`,
      'by main thread': `${Math.round((indexed.cpuUs / imported.mainUs) * 100)} %`,
    }
  })
}

async function measurePostgres(dir: string, observations: number, minutes: number): Promise<Row> {
  const path = join(dir, 'import-postgres.jsonl')
  await writeFile(path, observations)
  const { url: databaseUrl, stop } = await startPostgres()
  try {
    const job = { dataDir: join(dir, 'data-postgres'), path, chunkMs: commandChunkMs, minutes, databaseUrl }
    return { database: 'PostgreSQL', 'chunk ms': commandChunkMs, ...toRow(importInChild(job)) }
  } finally {
    await stop()
  }
}

const [first = String(defaultObservations), second = String(defaultMinutes)] = process.argv.slice(2)
if (first === '--import') {
  process.stdout.write(JSON.stringify(await importAll(JSON.parse(second))))
} else {
  const dir = mkdtempSync(join(tmpdir(), 'loci-bench-'))
  const { node } = process.versions
  const [observations, minutes] = [Number(first), Number(second)]
  console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${node}, fsync at each commit on SQLite`)
  const rows = await measureSqlite(dir, observations, minutes)
  if (observations <= largeFrom) rows.push(await measurePostgres(dir, observations, minutes))
  console.table(rows)
  rmSync(dir, { recursive: true })
}
