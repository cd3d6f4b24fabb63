import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { finishRemovals } from '../src/features/removals/removals.ts'
import { foldPostings } from '../src/search/store/fold-postings.ts'
import { rebuildIndex } from '../src/search/store/rebuild-index.ts'
import { accountTables } from '../src/store/account-tables.ts'
import type { Db } from '../src/store/db.ts'
import { databaseFileName } from '../src/store/open.ts'
import type { Scope } from '../src/tenancy/scope.ts'
import { scopeOf, setPlan } from './accounts.ts'
import { isOnCitus } from './citus.ts'
import { exerciseTheContract } from './exercise.ts'
import { describeOnBothDatabases, type Person, startTestServer, type TestServer } from './harness.ts'
import { importLines } from './import-lines.ts'
import { connectOverHttp } from './mcp-clients.ts'
import { fillTable, keepStatistics } from './stale-statistics.ts'

type Statement = { text: string; values: unknown[] }

/** Tables with rows of every account, or many rows of one. */
const largeTables = new Set<string>([
  ...['accounts', 'users', 'credentials'],
  ...Object.keys(accountTables),
  ...['postings', 'posting_blocks'],
])
/** Tables in which one account can have a million rows. */
const graphTables = new Set([
  ...['entities', 'observations', 'relations', 'past_entities', 'past_observations', 'past_relations'],
  ...['changes', 'change_sets', 'passages', 'search_words', 'postings', 'posting_blocks'],
  ...['conversations', 'turns', 'conversation_files'],
])

// Every statement goes through these two methods.
const sqlite = vi.spyOn(DatabaseSync.prototype, 'prepare')
const postgres = vi.spyOn(pg.Client.prototype, 'query')
afterAll(() => vi.restoreAllMocks())

/** The distinct statements sent to the database. */
function statementsSent(): Statement[] {
  const sent = [
    ...sqlite.mock.calls.map(([text]): Statement => ({ text, values: [] })),
    ...postgres.mock.calls.flatMap(([asked, values]: unknown[]) => toStatement(asked, values)),
  ]
  const plain = sent.filter(({ text }) => /^\s*(select|insert|update|delete|with)\b/i.test(text))
  return [...new Map(plain.map((statement) => [statement.text, statement])).values()]
}

/** From a text and its values, or, if it is named, from one object with both. */
function toStatement(asked: unknown, given: unknown): Statement[] {
  const { text, values } = { text: asked, values: given, ...(typeof asked === 'object' ? asked : {}) }
  return typeof text === 'string' ? [{ text, values: Array.isArray(values) ? values : [] }] : []
}

describeOnBothDatabases('plans of all queries', (server, dialect) => {
  test('no call scans a whole table or a whole graph', async () => {
    const bob = await server().signUp()
    const scope = await scopeOf(server(), bob)
    sqlite.mockClear()
    postgres.mockClear()
    const alice = await server().signUp()
    await exerciseTheContract(server(), alice)
    await exerciseBlocks(server(), bob, scope)
    const statements = statementsSent()
    expect(statements.length).toBeGreaterThan(80)
    const scansOf = dialect === 'sqlite' ? scansOnSqlite : scansOnPostgres
    expect(await scansOf(server(), statements)).toEqual([])
  })
})

/** Tables with many rows in a space. */
const spaceTables = Object.entries<readonly string[]>(accountTables).filter(
  ([, key]) => key.length > 1 && key[0] === 'space_id',
)

test('on SQLite, each batch of the rows of a deleted account is found by their whole key', async () => {
  const server = await startTestServer('sqlite')
  const alice = await server.signUp()
  const scope = await scopeOf(server, alice)
  const file = join(server.config.dataDir, databaseFileName)
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  for (const [table] of spaceTables) insertAnyRow(database, table, scope)
  sqlite.mockClear()
  await alice.rest.deleteAccount({ body: { password: alice.password } })
  await finishRemovals(server.ctx)
  const sent = statementsSent()
  const byPart = spaceTables.flatMap(([table, key]) => {
    const batch = sent.find(
      ({ text }) => text.startsWith(`delete from "${table}"`) && / as first\b/.test(text),
    )
    const [step] = database.prepare(`explain query plan ${batch?.text}`).all() as { detail: string }[]
    const columns: string[] = step!.detail.match(/\w+(?=[,=)<])/g) ?? []
    return ['account_id', ...key].every((column) => columns.includes(column)) ? [] : [step!.detail]
  })
  expect(byPart).toEqual([])
  expect(spaceTables.length).toBeGreaterThan(20)
  database.close()
  await server.close()
})

type ReadPlan = PostgresPlan & { 'Actual Rows': number; 'Actual Loops': number; Plans?: ReadPlan[] }

/** The most rows that one step of a plan read of a table. */
const mostRead = (plan: ReadPlan): number =>
  Math.max(
    plan['Relation Name'] === undefined ? 0 : plan['Actual Rows'] * plan['Actual Loops'],
    ...(plan.Plans ?? []).map(mostRead),
  )

test('on PostgreSQL, a page of a long history or of a large past reads no other rows, whatever is joined how', async () => {
  const server = await startTestServer('postgres')
  const alice = await server.signUp()
  await importLines(server, alice, JSON.stringify({ type: 'entity', name: 'Coast', entityType: 'place' }))
  const { ctx } = server
  const scope = await scopeOf(server, alice)
  for (const table of ['entities', 'changes']) await fillTable(ctx.db, table, { ...scope, count: 5_000 })
  await sql`update changes set set_seq = 1, operation = 1`.execute(ctx.db)
  await sql`update spaces set seq = 5000`.execute(ctx.db)
  await sql`analyze entities, changes`.execute(ctx.db)
  postgres.mockClear()
  const agent = await connectOverHttp(server, alice.apiKey, 'auto')
  expect(await agent.callTool({ name: 'list_changes', arguments: {} })).not.toHaveProperty('isError')
  await agent.close()
  const { entities } = await alice.rest.listEntities({ query: { limit: '100', asOf: '4900' } })
  expect(entities.length).toBe(100)
  const lists = statementsSent().filter(({ text }) => /from "(?:changes|entities)" .*\blimit\b/s.test(text))
  expect(lists.length).toBeGreaterThan(1)
  const client = new pg.Client({ connectionString: server.config.databaseUrl })
  await client.connect()
  await client.query('set enable_nestloop = off')
  for (const { text, values } of lists) {
    const { rows } = await client.query(`explain (analyze, format json) ${text}`, values)
    expect(mostRead(rows[0]['QUERY PLAN'][0].Plan), text).toBeLessThan(2_000)
  }
  await client.end()
  await server.close()
})

type CountedPlan = {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: CountedPlan[]
}

/** The rows that all steps of a plan read or compared. */
const allRead = (plan: CountedPlan): number =>
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0)) *
    plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, one) => sum + allRead(one), 0)

test('on PostgreSQL, a planner that knows of no rows yet does not compare all with all for a new name or an export', async () => {
  const server = await startTestServer('postgres')
  const alice = await server.signUp()
  for (const table of ['entities', 'relations', 'aliases'])
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(server.ctx.db)
  // Fewer changes at once than those after which statistics are updated.
  for (const part of ['North', 'East', 'South', 'West']) {
    const entities = Array.from({ length: 220 }, (_, i) => ({ name: `${part} buoy ${i}`, type: 'buoy' }))
    const between = { from: `${part} buoy 0`, type: 'leads to' }
    const relations = entities.slice(1).map(({ name }) => ({ ...between, to: name }))
    await alice.rest.createBatch({ body: { entities, relations } })
  }
  postgres.mockClear()
  await alice.rest.createEntity({ body: { name: 'Lighthouse', type: 'tower', observations: [] } })
  const { status } = await server.call('GET', '/api/export?format=json-ld', { token: alice.token })
  expect(status).toBe(200)
  const reads = statementsSent().filter(({ text }) =>
    /^select .* from \(?.*\b(?:entities|relations)\b/s.test(text),
  )
  expect(reads.length).toBeGreaterThan(3)
  const client = new pg.Client({ connectionString: server.config.databaseUrl })
  await client.connect()
  for (const { text, values } of reads) {
    const { rows } = await client.query(`explain (analyze, format json) ${text}`, values)
    expect(allRead(rows[0]['QUERY PLAN'][0].Plan), text).toBeLessThan(20_000)
  }
  await client.end()
  await server.close()
})

/** The plan of a statement as a connection of ours makes it. */
async function planOf(db: Db, { text, values }: Statement): Promise<CountedPlan> {
  const literals = values.map((value) => (value === null ? 'null' : pg.escapeLiteral(String(value))))
  const run = literals.length === 0 ? 'measured' : `measured (${literals.join(', ')})`
  return db.connection().execute(async (one) => {
    await sql.raw(`prepare measured as ${text}`).execute(one)
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': [{ Plan: CountedPlan }] }>(`explain (analyze, format json) execute ${run}`)
      .execute(one)
    await sql`deallocate measured`.execute(one)
    return rows[0]!['QUERY PLAN'][0].Plan
  })
}

test.skipIf(isOnCitus)(
  'on PostgreSQL, a planner that knows only larger accounts does not compare all rows of another with all',
  async () => {
    const server = await startTestServer('postgres')
    const { db } = server.ctx
    const [alice, bob] = [await server.signUp(), await server.signUp()]
    await setPlan(server, alice, 'power-user')
    await keepStatistics(db)
    const larger = { ...(await scopeOf(server, bob)), count: 40_000 }
    for (const table of ['entities', 'observations', 'relations', 'changes', 'passages'])
      await fillTable(db, table, larger)
    await sql`analyze`.execute(db)
    for (const part of ['North', 'East', 'South', 'West', 'Far', 'Near']) {
      const names = Array.from({ length: 150 }, (_, i) => `${part} buoy ${i}`)
      const entities = names.map((name) => ({ name, type: 'buoy', observations: [`${name} blinks`] }))
      const others = names.filter((name) => name !== 'North buoy 0')
      const relations = others.map((to) => ({ from: 'North buoy 0', to, type: 'leads to' }))
      await alice.rest.createBatch({ body: { entities, relations } })
    }
    postgres.mockClear()
    const { entities } = await alice.rest.listEntities({ query: { sort: 'connected', limit: '2' } })
    const [from, to] = entities.map(({ id }) => id) as [string, string]
    await alice.rest.listEntities({ query: { limit: '50', include: 'latest,by,relations' } })
    await alice.rest.listEntities({ query: { query: 'buoy 14', types: 'buoy' } })
    for (const filter of [{}, { relationTypes: 'leads to' }, { entityId: from }, { query: 'buoy 14' }])
      await alice.rest.listRelations({ query: filter })
    await alice.rest.graphData({ query: { limit: '1000', depth: '5' } })
    await alice.rest.neighbourhood({ params: { id: from } })
    await alice.rest.shortestPath({ query: { from, to } })
    for (const query of ['blinks', 'north blinking']) {
      await alice.rest.search({ query: { query, types: 'buoy', after: '2020-01-01' } })
      await alice.rest.searchObservations({ query: { query } })
    }
    for (const filter of [{ client: 'nobody' }, { actorId: 'key_1' }, { entityId: from }])
      await alice.rest.listChanges({ query: filter })
    const asOf = '1500'
    await alice.rest.listEntities({ query: { asOf, include: 'observations' } })
    await alice.rest.listRelations({ query: { asOf } })
    for (const query of [{ format: 'markdown' }, { format: 'loci' }, { asOf }] as const)
      await (await alice.rest.export({ query })).text()
    const reads = statementsSent().filter(({ text }) => /^\s*(?:select|with)\b/i.test(text))
    expect(reads.length).toBeGreaterThan(40)
    const long: string[] = []
    for (const read of reads) {
      const count = allRead(await planOf(db, read))
      if (count > 20_000) long.push(`${count}: ${read.text}`)
    }
    expect(long).toEqual([])
    await server.close()
  },
)

test('on PostgreSQL, an import tells the planner of a new account beside larger ones, which else seems to have no rows', async () => {
  const server = await startTestServer('postgres')
  const { db } = server.ctx
  const [alice, bob] = [await server.signUp(), await server.signUp()]
  await setPlan(server, alice, 'power-user')
  await keepStatistics(db)
  await fillTable(db, 'entities', { ...(await scopeOf(server, bob)), count: 40_000 })
  await sql`analyze`.execute(db)
  const lines = Array.from({ length: 4_000 }, (_, i) => ({
    type: 'entity',
    name: `Buoy ${i}`,
    entityType: 'buoy',
  }))
  await importLines(server, alice, lines.map((line) => JSON.stringify(line)).join('\n'))
  const { accountId } = await scopeOf(server, alice)
  const { rows } = await sql<Record<string, string>>`explain select 1 from entities
    where account_id = ${sql.lit(accountId)}`.execute(db)
  const [, estimated] = /rows=(\d+)/.exec(rows[0]!['QUERY PLAN']!) ?? []
  expect(Number(estimated)).toBeGreaterThan(2_000)
  await server.close()
})

/** A row that refers to nothing that is there. */
function insertAnyRow(database: DatabaseSync, table: string, { accountId, spaceId }: Scope): void {
  const columns = database.prepare(`pragma table_info("${table}")`).all() as { name: string; type: string }[]
  const values = columns.map(({ name, type }) => {
    if (name === 'account_id') return accountId
    if (name === 'space_id') return spaceId
    return type === 'TEXT' ? "'[]'" : type === 'BLOB' ? "x'00'" : 1
  })
  const names = columns.map(({ name }) => `"${name}"`)
  database.exec(`insert or ignore into "${table}" (${names.join(', ')}) values (${values.join(', ')})`)
}

/** Bulk imports, folding and rebuilding store postings in another form than a single call does. */
async function exerciseBlocks(server: TestServer, person: Person, scope: Scope): Promise<void> {
  const observations = Array.from({ length: 150 }, (_, i) => `Lighthouse ${i} blinks`)
  const line = { type: 'entity', name: 'Coast', entityType: 'place', observations }
  await importLines(server, person, JSON.stringify(line))
  await foldPostings(server.ctx)
  const { entities } = await person.rest.listEntities({ query: { query: 'Coast' } })
  await person.rest.deleteEntity({ params: { id: entities[0]!.id } })
  await rebuildIndex(server.ctx, scope)
}

/**
 * The queries that a foreign key runs when its parent is deleted or changes: an index must serve them, since
 * plans do not show them.
 */
const childrenOfEntities = [
  ['observations', 'entity_id'],
  ['relations', 'from_id'],
  ['relations', 'to_id'],
] as const

function childScansOnSqlite(database: DatabaseSync): string[] {
  return childrenOfEntities.flatMap(([table, column]) => {
    const text = `select 1 from ${table} where account_id = ? and space_id = ? and ${column} = ?`
    const [step] = database.prepare(`explain query plan ${text}`).all() as { detail: string }[]
    const isFound = step?.detail.endsWith(`(account_id=? AND space_id=? AND ${column}=?)`)
    return isFound ? [] : [`${step?.detail}: ${text}`]
  })
}

async function scansOnSqlite({ config }: TestServer, statements: Statement[]): Promise<string[]> {
  const database = new DatabaseSync(join(config.dataDir, databaseFileName))
  const scans = statements.flatMap(({ text }) => {
    const steps = database.prepare(`explain query plan ${text}`).all() as { detail: string }[]
    const subqueries = steps.flatMap(
      ({ detail }) => /^(?:CO-ROUTINE|MATERIALIZE) (\w+)/.exec(detail)?.[1] ?? [],
    )
    return steps
      .map(({ detail }) => detail)
      .filter((detail) => !subqueries.some((name) => detail === `SCAN ${name}`))
      .filter((detail) =>
        isScanOnSqlite(
          text,
          detail,
          // `FOR LAST TERM OF ORDER BY` does not count: it sorts only rows that are equal up to that term.
          steps.some((step) => /FOR ORDER BY/.test(step.detail)),
        ),
      )
      .map((detail) => `${detail}: ${text}`)
  })
  scans.push(...childScansOnSqlite(database))
  database.close()
  return scans
}

function isScanOnSqlite(text: string, detail: string, isSorted: boolean): boolean {
  const [, kind, name = ''] = /^(SCAN|SEARCH) (\w+)/.exec(detail) ?? []
  const table = tableNamed(text, name)
  if (/VIRTUAL TABLE/.test(detail) || !largeTables.has(table)) return false
  // Looks for rows that wait for their parent, of which there are none without deferred foreign keys.
  if (/^\s*insert\b/i.test(text) && !/\bselect\b/i.test(text)) return false
  if (kind === 'SCAN') return true
  // An index that only finds the account is as good as none, unless the query needs its order and only a part
  // of it.
  const findsAccountOnly = /\(account_id=\?( AND space_id=\?)?\)$/.test(detail)
  return graphTables.has(table) && findsAccountOnly && (isSorted || !/\blimit\b/i.test(text))
}

/** The table behind a name, which can be an alias. */
function tableNamed(text: string, name: string): string {
  return new RegExp(`"?(\\w+)"? as "?${name}"?\\b`, 'i').exec(text)?.[1] ?? name
}

type PostgresPlan = { 'Node Type': string; 'Relation Name'?: string; Plans?: PostgresPlan[] }

async function scansOnPostgres({ config }: TestServer, statements: Statement[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: config.databaseUrl })
  await client.connect()
  // PostgreSQL scans small tables because they are small; with sequential scans off, only a missing index
  // causes one.
  await client.query('set enable_seqscan = off')
  const scans: string[] = []
  for (const { text, values } of statements) {
    const { rows } = await client.query(`explain (format json) ${text}`, values)
    const plan: PostgresPlan = rows[0]['QUERY PLAN'][0].Plan
    scans.push(...sequentialScans(plan).map((table) => `${table}: ${text}`))
  }
  await client.end()
  return scans
}

function sequentialScans(plan: PostgresPlan): string[] {
  const table = plan['Relation Name'] ?? ''
  const own = plan['Node Type'] === 'Seq Scan' && largeTables.has(table) ? [table] : []
  return [...own, ...(plan.Plans ?? []).flatMap(sequentialScans)]
}
