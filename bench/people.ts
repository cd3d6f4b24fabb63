/**
 * The busiest hour of a day of many accounts, and their rest, on SQLite and on PostgreSQL: a few accounts call often and
 * most hardly ever (Zipf), each with its own key. Prints the latency of calls at a fixed rate, the processor time of a call
 * in the server and in the database, and what both do while nobody calls.
 *
 * Usage: node bench/people.ts [accounts=10000] [calls=3000] [a second=20] [facts of an account=30] [sqlite|postgres|both]
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRestClient } from '@loci/client/rest'
import pg from 'pg'
import type { Config } from '../server/src/ground/config/config.ts'
import { newApiKey, sha256 } from '../server/src/ground/lib/secrets.ts'
import { databaseFileName } from '../server/src/store/open.ts'
import { startOwnPostgres } from '../server/test/postgres.ts'
import { type ServerProcess, seededRandom, startServerProcess } from '../server/test/server-process.ts'
import { type DatabaseUse, untilQuiet, useOfPostgres } from './lib/database-use.ts'
import { filledOf, makeManyAccounts, moveToPostgres } from './lib/many-accounts.ts'
import { memoryOf, processorMsOf } from './lib/process-use.ts'
import { machine, print, quantile, type Row } from './lib/report.ts'
import { nameOf, sentence } from './lib/sample-graph.ts'

const [accounts = 10_000, calls = 3_000, perSecond = 20, facts = 30] = process.argv.slice(2, 6).map(Number)
const which = process.argv[6] ?? 'both'
const entities = Math.ceil(facts / 3)
/** An account's share of the calls falls with its rank to this power. */
const zipf = 1.1
const settleMs = 15_000
const restMs = 60_000
const random = seededRandom(1)

/** `use` is none on SQLite, where `settle` is a moment. */
type Database = {
  size: () => Promise<number>
  use: () => Promise<DatabaseUse>
  settle: () => Promise<unknown>
}

const memory = await makeManyAccounts(accounts, entities)
const keys = giveKeys(memory.config)
const rankOf = zipfian(keys.length)
process.stdout.write(`${machine()}\n`)
if (which !== 'postgres') await report('SQLite', memory.config, ofFile(memory.config))
if (which !== 'sqlite') await reportOnPostgres()
memory.remove()

async function report(name: string, config: Config, database: Database): Promise<void> {
  const row = await measure(name, config, database)
  print(`${accounts} accounts of ${facts} facts, ${calls} calls, ${perSecond} a second`, [row])
}

async function reportOnPostgres(): Promise<void> {
  const postgres = await startOwnPostgres()
  const moved = await moveToPostgres(memory.config, postgres.url)
  const observer = new pg.Client({ connectionString: postgres.url })
  await observer.connect()
  await report('PostgreSQL', moved, ofServer(observer))
  await observer.end()
  await postgres.stop()
}

/** Keys that are known here, for the accounts that have entities, in an order of their own. */
function giveKeys({ dataDir }: Config): string[] {
  const database = new DatabaseSync(join(dataDir, databaseFileName))
  const owners = database
    .prepare(`select account_id as account, user_id as user, personal_key_hash as hash
      from members join users on users.id = user_id where account_id <= ?`)
    .all(filledOf(accounts)) as { account: number; user: string; hash: string }[]
  const setUser = database.prepare('update users set personal_key_hash = ? where id = ?')
  const setCredential = database.prepare('update credentials set hash = ? where hash = ?')
  database.exec('begin')
  const made = owners.map(({ user, hash }) => {
    const key = newApiKey()
    setUser.run(sha256(key), user)
    setCredential.run(sha256(key), hash)
    return key
  })
  database.exec('commit')
  database.close()
  return made
}

function zipfian(count: number): () => number {
  const sums: number[] = []
  for (let rank = 1; rank <= count; rank++) sums.push((sums.at(-1) ?? 0) + rank ** -zipf)
  return () => {
    const point = random() * sums.at(-1)!
    const found = sums.findIndex((sum) => sum >= point)
    // Far from each other on the disk.
    return (found * 7_919) % count
  }
}

async function measure(name: string, config: Config, database: Database): Promise<Row> {
  const from = performance.now()
  const server = await startServerProcess(config, { stderr: 'ignore' })
  const startMs = performance.now() - from
  await database.settle()
  const rest = await between(server, database, () => sleep(restMs))
  const latencies: number[] = []
  const busy = await between(server, database, () => callAll(server.url, latencies))
  const row = {
    database: name,
    'MB of the database': Math.round((await database.size()) / 1024 ** 2),
    'start ms': Math.round(startMs),
    'MB of the server': Math.round(memoryOf(server.pid)),
    'p50 ms': Math.round(quantile(latencies, 0.5)),
    'p99 ms': Math.round(quantile(latencies, 0.99)),
    'processor ms a call, server': (busy.serverMs / calls).toFixed(2),
    'of the database': (busy.databaseMs / calls).toFixed(2),
    'transactions a call': (busy.transactions / calls).toFixed(1),
    'at rest, processor ms a minute, server': Math.round(rest.serverMs),
    'at rest, database': Math.round(rest.databaseMs),
    'transactions a minute': rest.transactions,
  }
  await server.stop()
  return row
}

async function between(server: ServerProcess, database: Database, work: () => Promise<unknown>) {
  const before = { server: processorMsOf(server.pid), database: await database.use() }
  await work()
  const after = await database.use()
  return {
    serverMs: processorMsOf(server.pid) - before.server,
    databaseMs: after.ms - before.database.ms,
    transactions: after.transactions - before.database.transactions,
  }
}

/** Calls begin at their time, whether or not earlier ones have ended. */
async function callAll(baseUrl: string, latencies: number[]): Promise<void> {
  const begun = performance.now()
  const running: Promise<void>[] = []
  for (let count = 0; count < calls; count++) {
    await sleep(Math.max(0, begun + (count * 1_000) / perSecond - performance.now()))
    running.push(callOnce(baseUrl, count).then((ms) => void latencies.push(ms)))
  }
  await Promise.all(running)
}

/** Half of the calls search, a quarter reads, a quarter writes. */
async function callOnce(baseUrl: string, count: number): Promise<number> {
  const token = keys[rankOf()]!
  const rest = createRestClient({ baseUrl, token: () => token })
  const number = Math.floor(random() * entities)
  const kind = random()
  const from = performance.now()
  if (kind < 0.5) await rest.search({ query: { query: sentence(number).slice(0, 40) } })
  else if (kind < 0.75) await rest.listEntities({ query: { query: nameOf(number), limit: '20' } })
  else
    await rest.createEntity({
      body: { name: `day ${crypto.randomUUID()}`, type: 'note', observations: [sentence(count)] },
    })
  return performance.now() - from
}

function ofFile({ dataDir }: Config): Database {
  return {
    size: async () => statSync(join(dataDir, databaseFileName)).size,
    use: async () => ({ ms: 0, transactions: 0 }),
    settle: () => sleep(settleMs),
  }
}

function ofServer(client: pg.Client): Database {
  return {
    async size() {
      const { rows } = await client.query('select pg_database_size(current_database()) as size')
      return Number(rows[0].size)
    },
    use: () => useOfPostgres(client),
    settle: () => untilQuiet(client),
  }
}
