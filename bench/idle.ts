/**
 * What processes at rest ask of PostgreSQL: transactions a minute of two servers on one database that nobody calls,
 * by PostgreSQL's own count, beside none at all.
 *
 * Usage: node bench/idle.ts [seconds=60] [processes=2]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startOwnPostgres } from '../server/test/postgres.ts'
import { startServerProcess } from '../server/test/server-process.ts'
import { makeMemory } from './lib/loci.ts'

const [seconds = 60, processes = 2] = process.argv.slice(2).map(Number)
/** Work at the start, and statistics that a connection reports late, are not rest. */
const settleMs = 15_000

const postgres = await startOwnPostgres()
const observer = new pg.Client({ connectionString: postgres.url })
await observer.connect()
await observer.query('create database rest')
const url = new URL(postgres.url)
url.pathname = '/rest'
const { config, remove } = await makeMemory(100, url.href)
const servers = []
for (let count = 0; count < processes; count++) servers.push(await startServerProcess(config))

async function transactions(): Promise<number> {
  const { rows } = await observer.query(
    "select xact_commit + xact_rollback as count from pg_stat_database where datname = 'rest'",
  )
  return Number(rows[0].count)
}

await sleep(settleMs)
const before = await transactions()
await sleep(seconds * 1_000)
const count = (await transactions()) - before
console.log(`${processes} processes at rest: ${Math.round((count / seconds) * 60)} transactions a minute`)
for (const server of servers) await server.stop()
await observer.end()
remove()
await postgres.stop()
