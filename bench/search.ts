/**
 * The latency of a search through the public interface, compared with a bare full-text query of the database
 * on the same texts in the same run. `--observations 1000000` in total, `--accounts 1000` that share them,
 * `--database sqlite` for one database only, `--queries 500`, `--limit 10`.
 */

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { importLines } from '../server/test/import-lines.ts'
import { createRandom } from '../server/test/random.ts'
import {
  type BenchAccount,
  type BenchServer,
  type DatabaseName,
  databases,
  openBenchAccount,
  startBenchServer,
} from './bench-server.ts'
import { quantile } from './recall-figures.ts'
import { createCorpus } from './search-corpus.ts'

const { values: options } = parseArgs({
  options: {
    observations: { type: 'string', default: '100000' },
    accounts: { type: 'string', default: '1' },
    database: { type: 'string', default: databases.join(',') },
    queries: { type: 'string', default: '500' },
    limit: { type: 'string', default: '10' },
  },
})
const accounts = Number(options.accounts)
const perAccount = Math.ceil(Number(options.observations) / accounts)
const queries = Number(options.queries)
const warmUp = 50

/** A bare full-text query: the best ten texts of one account for any of the words. */
type Bare = {
  add: (account: number, texts: readonly string[]) => Promise<void>
  ready: () => Promise<void>
  ask: (account: number, words: readonly string[]) => Promise<unknown>
  close: () => Promise<void>
}

const rows = []
for (const database of databases.filter((name) => options.database.split(',').includes(name))) {
  rows.push(...(await measure(database)))
}
console.table(rows)

async function measure(database: DatabaseName) {
  const server = await startBenchServer(database)
  const bare = database === 'sqlite' ? openBareSqlite() : await openBarePostgres(server.databaseUrl ?? '')
  const people: BenchAccount[] = []
  const started = performance.now()
  let stored = 0
  for (let account = 0; account < accounts; account += 1) {
    people.push(await fill(server, bare, account))
    stored += perAccount
    process.stderr.write(
      `\r${database}: ${stored} observations in ${Math.round((performance.now() - started) / 1e3)} s`,
    )
  }
  process.stderr.write('\n')
  await bare.ready()
  const asked = createQuestions()
  const search = async ({ account, question }: Asked) => {
    await people[account]!.rest.searchObservations({ query: { query: question, limit: options.limit } })
  }
  const bareSearch = ({ account, question }: Asked) =>
    bare.ask(
      account,
      [...new Set(question.match(/[a-z]{4,}/g))].filter((word) => word !== 'what' && word !== 'with'),
    )
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const bareMs = await time(asked, bareSearch)
  delay.enable()
  const ms = await time(asked, search)
  delay.disable()
  await bare.close()
  await server.close()
  const size = { database, observations: stored, accounts }
  return [
    { ...size, what: 'bare full-text query', ...toTimes(bareMs), 'ratio p50': 1 },
    {
      ...size,
      what: 'GET /api/search/observations',
      ...toTimes(ms),
      'ratio p50': Number((quantile(ms, 0.5) / Math.max(0.05, quantile(bareMs, 0.5))).toFixed(1)),
      'loop p99 ms': Number((delay.percentile(99) / 1e6).toFixed(1)),
    },
  ]
}

async function fill(server: BenchServer, bare: Bare, account: number): Promise<BenchAccount> {
  const person = await openBenchAccount(server)
  let lines: string[] = []
  let texts: string[] = []
  const send = async () => {
    await importLines(server, person, lines.join('\n'))
    await bare.add(account, texts)
    lines = []
    texts = []
  }
  for (const { name, observations } of createCorpus(account + 1).entities(perAccount)) {
    lines.push(JSON.stringify({ type: 'entity', name, entityType: 'note', observations }))
    texts.push(...observations)
    if (texts.length >= 20_000) await send()
  }
  if (texts.length > 0) await send()
  return person
}

type Asked = { account: number; question: string }

function createQuestions(): Asked[] {
  const corpus = createCorpus(0)
  const random = createRandom(11)
  return Array.from({ length: queries + warmUp }, () => ({
    account: Math.floor(random() * accounts),
    question: corpus.question(),
  }))
}

async function time(asked: readonly Asked[], ask: (one: Asked) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (const one of asked) {
    const started = performance.now()
    await ask(one)
    taken.push(performance.now() - started)
  }
  return taken.slice(warmUp)
}

function toTimes(ms: readonly number[]) {
  return { 'p50 ms': quantile(ms, 0.5), 'p95 ms': quantile(ms, 0.95), 'p99 ms': quantile(ms, 0.99) }
}

function openBareSqlite(): Bare {
  const file = new DatabaseSync('')
  file.exec(
    `pragma cache_size = -65536; create virtual table texts using fts5 (content, account unindexed, tokenize = 'porter')`,
  )
  const insert = file.prepare('insert into texts (content, account) values (?, ?)')
  const select = file.prepare(
    'select content from texts where texts match ? and account = ? order by rank limit 10',
  )
  return {
    async add(account, texts) {
      file.exec('begin')
      for (const text of texts) insert.run(text, account)
      file.exec('commit')
    },
    ready: async () => {},
    ask: async (account, words) => select.all(words.join(' OR '), account),
    close: async () => file.close(),
  }
}

async function openBarePostgres(url: string): Promise<Bare> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create table bare_texts (account integer, content text,
    words tsvector generated always as (to_tsvector('english', content)) stored)`)
  return {
    async add(account, texts) {
      await client.query('insert into bare_texts (account, content) select $1, unnest($2::text[])', [
        account,
        texts,
      ])
    },
    async ready() {
      await client.query('create index on bare_texts using gin (words)')
      await client.query('create index on bare_texts (account)')
      // As autovacuum would soon do after so many writes; for both sides of the comparison.
      await client.query('vacuum analyze')
    },
    ask: (account, words) =>
      client.query(
        `select content from bare_texts, to_tsquery('english', $2) as query
        where account = $1 and words @@ query order by ts_rank(words, query) desc limit 10`,
        [account, words.join(' | ')],
      ),
    close: () => client.end(),
  }
}
