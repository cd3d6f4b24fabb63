// Keeps a database of this version, filled with some of everything, for testing later migrations. Run it for
// each release, and never change what it kept: npm run keep-database -- NAME
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import pino from 'pino'
import { buildApp } from '../server/src/app.ts'
import { type Config, readConfig } from '../server/src/ground/config/config.ts'
import { closeContext, openContext } from '../server/src/open-context.ts'
import { createMigrations } from '../server/src/store/migrate.ts'
import { migrations } from '../server/src/store/migrations/index.ts'
import { databaseFileName } from '../server/src/store/open.ts'
import { copyOut } from '../server/test/kept/copy-postgres.ts'
import { fill } from '../server/test/kept/fill.ts'
import { readAnswers } from '../server/test/kept/read-answers.ts'
import { startOwnPostgres, testSecret } from '../server/test/postgres.ts'

const [name] = process.argv.slice(2)
if (name === undefined || !/^[\w.-]+$/.test(name)) throw new Error('Usage: npm run keep-database -- NAME')
const folder = join(import.meta.dirname, '..', 'server', 'test', 'kept', name)
mkdirSync(folder)
const dataDir = mkdtempSync(join(tmpdir(), 'loci-keep-'))
const postgres = await startOwnPostgres()
try {
  const base = { PORT: '0', LOCI_DATA_DIR: dataDir, LOCI_SECRET: testSecret, LOCI_LOG_LEVEL: 'warn' }
  await keep('sqlite', readConfig(base), readFile)
  await keep('postgres', readConfig({ ...base, DATABASE_URL: postgres.url }), readPostgres)
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function keep(dialect: string, config: Config, read: () => Promise<string | Buffer>): Promise<void> {
  const now = Date.now()
  const ctx = await openContext(config, pino({ level: config.logLevel }), { now: () => now })
  const app = await buildApp(ctx)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  await fill(url)
  const answers = await readAnswers(url)
  await app.close()
  await closeContext(ctx)
  writeFileSync(join(folder, `${dialect}.json`), `${JSON.stringify({ now, answers }, null, 2)}\n`)
  writeFileSync(join(folder, `${dialect}.gz`), gzipSync(await read(), { level: 9 }))
}

async function readFile(): Promise<Buffer> {
  const copy = join(dataDir, 'copy.db')
  const database = new DatabaseSync(join(dataDir, databaseFileName))
  await backup(database, copy)
  database.close()
  return readFileSync(copy)
}

async function readPostgres(): Promise<string> {
  const { postgresDialect } = await import('../server/src/store/dialect-postgres.ts')
  const dialect = postgresDialect(postgres.url, {})
  return copyOut(postgres.url, [
    createMigrations(dialect),
    ...migrations.flatMap(({ statements }) => statements(dialect)),
  ])
}
