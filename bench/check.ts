/**
 * The processor time of `loci check` on a database of many accounts, two thirds of them with about 100 observations,
 * the others empty. Two accounts are made through the services; the others are copies of their rows, moved by the
 * command for PostgreSQL.
 * Usage: node bench/check.ts [accounts=10000] [sqlite|postgres=sqlite] [file]   (a `file` of Chrome's profile format is
 * written there if given)
 */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { databaseFileName } from '../server/src/store/open.ts'
import { startOwnPostgres } from '../server/test/postgres.ts'
import { endedMsOf } from './lib/database-use.ts'
import type { Memory } from './lib/loci.ts'
import { makeManyAccounts, moveToPostgres } from './lib/many-accounts.ts'
import { machine, print, type Row } from './lib/report.ts'

const [accounts = '10000', which = 'sqlite', profile] = process.argv.slice(2)
const entitiesPerAccount = 34
const program = fileURLToPath(new URL('../server/bin/loci.js', import.meta.url))

const memory = await makeManyAccounts(Number(accounts), entitiesPerAccount)
const row = which === 'postgres' ? await checkOnPostgres(memory) : checkOnSqlite(memory)
memory.remove()
process.stdout.write(`${machine()}\n`)
print(`loci check of ${accounts} accounts on ${which}`, [row])

function checkOnSqlite({ config: { dataDir } }: Memory): Row {
  const size = statSync(join(dataDir, databaseFileName)).size
  return { 'database MB': megabytes(size), ...check({ LOCI_DATA_DIR: dataDir }) }
}

/** The database's share is that of its processes which end with the command. */
async function checkOnPostgres({ config }: Memory): Promise<Row> {
  const postgres = await startOwnPostgres()
  const { dataDir, databaseUrl, secret } = await moveToPostgres(config, postgres.url)
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('vacuum analyze')
  const { rows } = await client.query('select pg_database_size(current_database()) as size')
  const before = await endedMsOf(client)
  const checked = check({ LOCI_DATA_DIR: dataDir, DATABASE_URL: databaseUrl!, LOCI_SECRET: secret! })
  const database = (await endedMsOf(client)) - before
  await client.end()
  await postgres.stop()
  return {
    'database MB': megabytes(rows[0].size),
    ...checked,
    'of the database': (database / 1_000).toFixed(1),
  }
}

function megabytes(bytes: number | string): number {
  return Math.round(Number(bytes) / 1024 ** 2)
}

/** Runs the command; throws if it finds a difference. */
function check(env: Record<string, string>) {
  const startedAt = performance.now()
  const out = execFileSync(
    'sh',
    ['-c', '"$@" && times', 'sh', process.execPath, ...argv(), program, 'check'],
    {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    },
  )
  const seconds = (performance.now() - startedAt) / 1_000
  const used = [
    ...out
      .split('\n')
      .at(-2)!
      .matchAll(/(\d+)m([\d.]+)s/g),
  ]
  const processor = used.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0)
  return { 'processor s': processor.toFixed(1), 'wall s': seconds.toFixed(1) }
}

function argv(): string[] {
  return profile === undefined
    ? []
    : ['--cpu-prof', `--cpu-prof-dir=${dirname(profile)}`, `--cpu-prof-name=${basename(profile)}`]
}
