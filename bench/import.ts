// Import of invented text into SQLite, beside what the disk and SQLite allow: the same observations written with bare
// prepared statements, without and with a full-text index. `npm run bench:import -- 1000000` takes another size.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pino from 'pino'
import { readConfig } from '../server/src/config.ts'
import { startImport } from '../server/src/features/imports/imports.service.ts'
import { openImportFile } from '../server/src/features/imports/open-import-file.ts'
import { createUser } from '../server/src/features/users/users.service.ts'
import { closeContext, openContext } from '../server/src/open-context.ts'
import { type CorpusEntity, createCorpus } from './search-corpus.ts'

const seed = 1
const rowsPerCommit = 1_000
const serverChunkMs = 20
const commandChunkMs = 100

type Imported = { rate: number; peakMb: number; longestMs: number }

const corpus = (observations: number) => createCorpus(seed).entities(observations)

/** Entities with their observations, then a relation from each entity to the one before it. */
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

/** Observations a second into one table with its keys, and if asked a plain FTS5 index of their texts: nothing else. */
function insertBare(path: string, observations: number, withIndex: boolean): number {
  const database = new DatabaseSync(path)
  database.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536;
    create table observations (account text, space text, id text, entity text, content text, metadata text, at integer,
      primary key (account, space, id)) strict;
    create index observations_by_entity on observations (account, space, entity, id);
    create virtual table texts using fts5 (content, content = '', tokenize = 'porter unicode61')`)
  const insert = database.prepare('insert into observations values (?, ?, ?, ?, ?, ?, ?)')
  const index = database.prepare('insert into texts (rowid, content) values (?, ?)')
  const startedAt = performance.now()
  let count = 0
  database.exec('begin')
  for (const { name, observations: texts } of corpus(observations)) {
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
  database.close()
  rmSync(path)
  return observations / seconds
}

/** Runs in a process of its own, so that the peak of its memory is the import's. */
async function importAll(dataDir: string, path: string, chunkMs: number): Promise<Imported> {
  const ctx = await openContext(readConfig({ LOCI_DATA_DIR: dataDir }), pino({ level: 'silent' }))
  const name = { firstName: 'B', lastName: 'B' }
  const user = await createUser(ctx, { email: 'b@example.com', password: 'correct horse battery', ...name })
  await ctx.db.updateTable('accounts').set({ plan: 'power-user' }).execute()
  const { accountId, id: userId } = user
  const actor = { kind: 'local', accountId, spaceId: 'default', userId, role: 'owner' } as const
  let longestMs = 0
  const startedAt = performance.now()
  let last = startedAt
  const onProgress = () => {
    longestMs = Math.max(longestMs, performance.now() - last)
    last = performance.now()
  }
  const { end } = await startImport(ctx, actor, await openImportFile(path), { onProgress, chunkMs })
  const { observations } = await end
  const seconds = (performance.now() - startedAt) / 1_000
  await closeContext(ctx)
  return { rate: observations.created / seconds, peakMb: process.resourceUsage().maxRSS / 1024, longestMs }
}

function importInChild(dir: string, path: string, chunkMs: number): Imported {
  const dataDir = join(dir, `data-${chunkMs}`)
  const parameters = [import.meta.filename, '--import', dataDir, path, String(chunkMs)]
  const imported: Imported = JSON.parse(execFileSync(process.execPath, parameters, { encoding: 'utf8' }))
  rmSync(dataDir, { recursive: true })
  return imported
}

async function measure(dir: string, observations: number): Promise<Record<string, string | number>[]> {
  const path = join(dir, 'import.jsonl')
  await writeFile(path, observations)
  const bare = insertBare(join(dir, 'bare.db'), observations, false)
  const indexed = insertBare(join(dir, 'bare.db'), observations, true)
  return [serverChunkMs, commandChunkMs].map((chunkMs) => {
    const { rate, peakMb, longestMs } = importInChild(dir, path, chunkMs)
    return {
      observations,
      'file MB': Math.round(statSync(path).size / 1024 ** 2),
      'bare/s': Math.round(bare),
      'bare with FTS5/s': Math.round(indexed),
      'chunk ms': chunkMs,
      'import/s': Math.round(rate),
      'of bare': `${Math.round((rate / bare) * 100)} %`,
      'of bare with FTS5': `${Math.round((rate / indexed) * 100)} %`,
      'peak MB': Math.round(peakMb),
      'longest chunk ms': Math.round(longestMs),
    }
  })
}

const [first, dataDir = '', file = '', chunkMs] = process.argv.slice(2)
if (first === '--import') {
  process.stdout.write(JSON.stringify(await importAll(dataDir, file, Number(chunkMs))))
} else {
  const dir = mkdtempSync(join(tmpdir(), 'loci-bench-'))
  const { node } = process.versions
  console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${node}, SQLite, fsync at each commit`)
  console.table(await measure(dir, Number(first ?? 100_000)))
  rmSync(dir, { recursive: true })
}
