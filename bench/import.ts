// Import of 100,000 and of 1,000,000 observations into SQLite, beside bare inserts of the same rows in one file.
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

const observationsPerEntity = 5
const words =
  'the agent found that this service calls another one when a user signs in from a new place and then it wrote down what it saw in the log of the day'.split(
    ' ',
  )
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100_000, 1_000_000]
const dir = mkdtempSync(join(tmpdir(), 'loci-bench-'))

type Row = { name: string; texts: string[] }

/** Sentences of ordinary length, no two of them the same. */
function* rows(observations: number): Generator<Row, void> {
  for (let index = 0; index < observations / observationsPerEntity; index++) {
    const texts = Array.from({ length: observationsPerEntity }, (_, text) => {
      const start = (index * 7 + text * 13) % words.length
      return `On day ${index} ${[...words.slice(start), ...words.slice(0, start)].slice(0, 12).join(' ')} (${text})`
    })
    yield { name: `Entity ${index}`, texts }
  }
}

async function writeFile(path: string, observations: number): Promise<void> {
  const file = await open(path, 'w')
  let piece = ''
  const flush = () => {
    writeSync(file.fd, piece)
    piece = ''
  }
  for (const { name, texts } of rows(observations)) {
    piece += `${JSON.stringify({ type: 'entity', name, entityType: 'concept', observations: texts })}\n`
    if (piece.length > 1_000_000) flush()
  }
  flush()
  await file.close()
}

/** The same observations with prepared statements into one table with its keys, nothing else: what the disk allows. */
function insertBare(observations: number): number {
  const database = new DatabaseSync(join(dir, 'bare.db'))
  database.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536;
    create table observations (account text, space text, id text, entity text, content text, metadata text, at integer,
      primary key (account, space, id)) strict;
    create index observations_by_entity on observations (account, space, entity, id)`)
  const insert = database.prepare('insert into observations values (?, ?, ?, ?, ?, ?, ?)')
  const startedAt = performance.now()
  let count = 0
  database.exec('begin')
  for (const { name, texts } of rows(observations)) {
    for (const text of texts) {
      const id = String(count++).padStart(26, '0')
      insert.run(
        'acc_01abcdefghijklmnopqrstuvwx',
        'default',
        `obs_${id}`,
        `ent_${name}`,
        text,
        null,
        startedAt | 0,
      )
      if (count % 300 === 0) database.exec('commit; begin')
    }
  }
  database.exec('commit')
  const seconds = (performance.now() - startedAt) / 1_000
  database.close()
  rmSync(join(dir, 'bare.db'))
  return observations / seconds
}

async function importAll(
  path: string,
  observations: number,
): Promise<{ rate: number; peakMb: number; longestMs: number }> {
  const dataDir = join(dir, `data-${observations}`)
  const ctx = await openContext(readConfig({ LOCI_DATA_DIR: dataDir }), pino({ level: 'silent' }))
  const user = await createUser(ctx, {
    email: 'bench@example.com',
    password: 'correct horse battery',
    firstName: 'B',
    lastName: 'B',
  })
  await ctx.db.updateTable('accounts').set({ plan: 'power-user' }).execute()
  const actor = {
    kind: 'local',
    accountId: user.accountId,
    spaceId: 'default',
    userId: user.id,
    role: 'owner',
  } as const
  let peak = 0
  let longestMs = 0
  let last = performance.now()
  const onProgress = () => {
    peak = Math.max(peak, process.memoryUsage.rss())
    longestMs = Math.max(longestMs, performance.now() - last)
    last = performance.now()
  }
  const startedAt = performance.now()
  last = startedAt
  const { end } = await startImport(ctx, actor, await openImportFile(path), { onProgress })
  const report = await end
  const seconds = (performance.now() - startedAt) / 1_000
  await closeContext(ctx)
  if (report.observations.created !== observations) throw new Error(`Imported ${report.observations.created}`)
  return { rate: observations / seconds, peakMb: peak / 1024 ** 2, longestMs }
}

process.stdout.write(
  `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.versions.node}, SQLite, fsync at each commit\n\n`,
)
process.stdout.write(
  '| observations | file MB | bare inserts/s | import/s | of bare | peak MB | longest chunk ms |\n',
)
process.stdout.write('|---|---|---|---|---|---|---|\n')
for (const observations of sizes) {
  const path = join(dir, 'import.jsonl')
  await writeFile(path, observations)
  const megabytes = statSync(path).size / 1024 ** 2
  const bare = insertBare(observations)
  const { rate, peakMb, longestMs } = await importAll(path, observations)
  process.stdout.write(
    `| ${observations} | ${megabytes.toFixed(0)} | ${bare.toFixed(0)} | ${rate.toFixed(0)} | ${((rate / bare) * 100).toFixed(0)} % | ${peakMb.toFixed(0)} | ${longestMs.toFixed(0)} |\n`,
  )
}
rmSync(dir, { recursive: true, force: true })
