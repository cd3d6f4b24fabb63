/**
 * What processes at rest ask of PostgreSQL: transactions and processor time a minute of servers on one database that
 * nobody calls, after the work of their start has ended, by the counts of PostgreSQL and Linux; without a webhook, and
 * with one.
 *
 * Usage: node bench/idle.ts [seconds=60] [processes=2] [accounts=1]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createRestClient } from '@loci/client/rest'
import pg from 'pg'
import { startOwnPostgres } from '../server/test/postgres.ts'
import { type ServerProcess, startServerProcess } from '../server/test/server-process.ts'
import { untilQuiet, useOfPostgres } from './lib/database-use.ts'
import { makeMemory } from './lib/loci.ts'
import { makeManyAccounts, moveToPostgres } from './lib/many-accounts.ts'
import { processorMsOf } from './lib/process-use.ts'
import { machine, print, type Row } from './lib/report.ts'

const [seconds = 60, processes = 2, accounts = 1] = process.argv.slice(2).map(Number)
const entities = 10

const postgres = await startOwnPostgres()
const admin = new pg.Client({ connectionString: postgres.url })
await admin.connect()
await admin.query('create database rest')
await admin.end()
const url = new URL(postgres.url)
url.pathname = '/rest'
const { memory, config } = await makeDatabase()
const observer = new pg.Client({ connectionString: url.href })
await observer.connect()
const servers: ServerProcess[] = []
for (let count = 0; count < processes; count++) servers.push(await startServerProcess(config))

process.stdout.write(`${machine()}\n`)
report(await measure('none'))
const name = { firstName: 'Bench', lastName: 'Mark' }
const { token } = await createRestClient({ baseUrl: servers[0]!.url }).register({
  body: { ...name, email: 'webhooks@example.com', password: 'correct horse battery' },
})
await observer.query("update accounts set plan = 'self-hosted'")
const rest = createRestClient({ baseUrl: servers[0]!.url, token: () => token })
await rest.createWebhook({ body: { url: 'https://example.com/hook' } })
report(await measure('one'))

for (const server of servers) await server.stop()
await observer.end()
memory.remove()
await postgres.stop()

function report(row: Row): void {
  print(`${processes} processes at rest with ${accounts} accounts, a minute`, [row])
}

async function makeDatabase() {
  if (accounts === 1) {
    const made = await makeMemory(entities, url.href)
    return { memory: made, config: made.config }
  }
  const made = await makeManyAccounts(accounts, entities)
  return { memory: made, config: await moveToPostgres(made.config, url.href) }
}

async function measure(webhooks: string): Promise<Row> {
  const settledMs = await untilQuiet(observer)
  const before = { ...(await useOfPostgres(observer)), serverMs: serverMs() }
  await sleep(seconds * 1_000)
  const after = await useOfPostgres(observer)
  const perMinute = (count: number) => Math.round((count / seconds) * 60)
  return {
    webhooks,
    transactions: perMinute(after.transactions - before.transactions),
    'processor ms, database': perMinute(after.ms - before.ms),
    'processor ms, servers': perMinute(serverMs() - before.serverMs),
    'quiet after s': Math.round(settledMs / 1_000),
  }
}

function serverMs(): number {
  return servers.reduce((sum, { pid }) => sum + processorMsOf(pid), 0)
}
