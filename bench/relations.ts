/**
 * The latency of a search for relations over REST, compared with a bare `like` query on the same database in
 * the same run, which counts its matches and reads one page. `--relations 100000`, `--entities 100000`,
 * `--queries 20` of each kind, `--database sqlite` for one database only.
 */

import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { databaseFileName } from '../server/src/store/open.ts'
import { importLines } from '../server/test/import-lines.ts'
import { createRandom } from '../server/test/random.ts'
import {
  type BenchAccount,
  type BenchServer,
  databases,
  openBenchAccount,
  startBenchServer,
} from './bench-server.ts'
import { findScope } from './lib/actors.ts'
import { print } from './lib/report.ts'
import { quantile } from './recall-figures.ts'

const { values: options } = parseArgs({
  options: {
    relations: { type: 'string', default: '100000' },
    entities: { type: 'string', default: '100000' },
    queries: { type: 'string', default: '20' },
    database: { type: 'string', default: databases.join(',') },
  },
})
const [relations, entities, queries] = [options.relations, options.entities, options.queries].map(Number) as [
  number,
  number,
  number,
]
const syllables = 'ba co da fe gi ho ju ka le mi no pa qui re sa te vo wa xi zu ar en or st ing er th'.split(
  ' ',
)
const types = ['uses', 'works_at', 'depends_on', 'knows', 'part_of']
const hub = 'Central switchboard'
const hubShare = 0.2

const random = createRandom(5)
const below = (end: number) => Math.floor(random() * end)
const word = () => Array.from({ length: 2 + below(2) }, () => syllables[below(syllables.length)]).join('')
const names = Array.from({ length: entities - 1 }, (_, i) => `${word()} ${word()} ${i}`)

/** Kinds of queries, by the share of the graph that they find. */
const kinds: Record<string, () => string> = {
  'letters of one name': () => {
    const name = names[below(names.length)]!
    return name.slice(2, 2 + 9)
  },
  'no name': () => `${word()}${word()}${word()}q`,
  'two syllables': () => syllables[below(20)]! + syllables[below(20)]!,
  'a hub': () => 'ral switch',
  'a type': () => 'orks a',
  'two letters': () => syllables[below(20)]!.slice(0, 2),
  'one letter': () => 'aeionrst'[below(8)]!,
}

const from = `from relations r
  join entities s on s.account_id = r.account_id and s.space_id = r.space_id and s.id = r.from_id
  join entities t on t.account_id = r.account_id and t.space_id = r.space_id and t.id = r.to_id`
const page = 'order by r.created_at desc, r.id desc limit 100'

for (const database of databases.filter((name) => options.database.split(',').includes(name))) {
  const server = await startBenchServer(database)
  const account = await openBenchAccount(server)
  const { accountId } = await findScope(server.ctx, account.id)
  const started = performance.now()
  await fill(server, account)
  process.stderr.write(`${database}: filled in ${Math.round((performance.now() - started) / 1e3)} s\n`)
  const bare = database === 'sqlite' ? openBareSqlite(server) : await openBarePostgres(server)
  const rows = []
  for (const kind of Object.keys(kinds)) rows.push(await measure(account, accountId, bare, kind))
  print(`${relations} relations among ${entities} entities, ${database}`, rows)
  await bare.close()
  await server.close()
}
process.exit()

async function fill(server: BenchServer, account: BenchAccount): Promise<void> {
  const all = [hub, ...names]
  const lines = all.map((name) =>
    JSON.stringify({ type: 'entity', name, entityType: 'node', observations: [] }),
  )
  const seen = new Set<string>()
  while (seen.size < relations) {
    const from = random() < hubShare ? hub : all[below(all.length)]!
    const to = all[below(all.length)]!
    const relationType = types[below(types.length)]!
    const line = JSON.stringify({ type: 'relation', from, to, relationType })
    if (from !== to) seen.add(line)
  }
  await importLines(server, account, [...lines, ...seen].join('\n'))
}

async function measure(account: BenchAccount, accountId: number, bare: Bare, kind: string) {
  const times = { first: [] as number[], next: [] as number[], bare: [] as number[] }
  const asked = Array.from({ length: queries }, kinds[kind]!)
  for (const query of asked) times.bare.push((await timed(() => bare.ask(accountId, `%${query}%`))).took)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let found = 0
  for (const [i, query] of asked.entries()) {
    // Counts are cached until the next write.
    await account.rest.createEntity({ body: { name: `${kind} ${i}`, type: 'change' } })
    delay.enable()
    const { took, answer } = await timed(() => account.rest.listRelations({ query: { query } }))
    times.first.push(took)
    found += answer.total
    const { nextCursor: cursor } = answer
    if (cursor !== null) {
      times.next.push((await timed(() => account.rest.listRelations({ query: { query, cursor } }))).took)
    }
    delay.disable()
  }
  const figure = (list: number[], q: number) => (list.length === 0 ? '-' : quantile(list, q).toFixed(1))
  return {
    query: kind,
    'found, on average': Math.round(found / queries),
    'p50 ms': figure(times.first, 0.5),
    'p95 ms': figure(times.first, 0.95),
    'next page p50 ms': figure(times.next, 0.5),
    'next page p95 ms': figure(times.next, 0.95),
    'bare p50 ms': figure(times.bare, 0.5),
    'bare p95 ms': figure(times.bare, 0.95),
    'of bare p50': `${(quantile(times.first, 0.5) / quantile(times.bare, 0.5)).toFixed(2)}x`,
    'loop p99 ms': (delay.percentile(99) / 1e6).toFixed(1),
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ took: number; answer: T }> {
  const started = performance.now()
  const answer = await work()
  return { took: performance.now() - started, answer }
}

type Bare = { ask: (accountId: number, pattern: string) => Promise<unknown>; close: () => Promise<void> }

function openBareSqlite({ ctx }: BenchServer): Bare {
  const file = new DatabaseSync(join(ctx.config.dataDir, databaseFileName), { readOnly: true })
  file.exec('pragma cache_size = -65536')
  const where = `where r.account_id = ?1 and r.space_id = 1
    and (s.name like ?2 or t.name like ?2 or replace(r.type, '_', ' ') like ?2)`
  const count = file.prepare(`select count(*) ${from} ${where}`)
  const list = file.prepare(`select r.*, s.name, t.name ${from} ${where} ${page}`)
  return {
    ask: async (accountId, pattern) => [count.get(accountId, pattern), list.all(accountId, pattern)],
    close: async () => file.close(),
  }
}

async function openBarePostgres({ databaseUrl }: BenchServer): Promise<Bare> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  // As autovacuum would soon do after so many writes; for both sides of the comparison.
  await client.query('vacuum analyze')
  const where = `where r.account_id = $1 and r.space_id = 1
    and (s.name ilike $2 or t.name ilike $2 or replace(r.type, '_', ' ') ilike $2)`
  return {
    async ask(accountId, pattern) {
      await client.query(`select count(*) ${from} ${where}`, [accountId, pattern])
      await client.query(`select r.*, s.name, t.name ${from} ${where} ${page}`, [accountId, pattern])
    },
    close: () => client.end(),
  }
}
