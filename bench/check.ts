/**
 * The processor time of `loci check` on a database of many accounts, two thirds of them with about 100 observations,
 * the others empty. Two accounts are made through the services; the others are copies of their rows.
 * Usage: node bench/check.ts [accounts] [file]   (default 10000 accounts on SQLite; a `file` of Chrome's profile format
 * is written there if given)
 */
import { execFileSync } from 'node:child_process'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RawBuilder, sql } from 'kysely'
import pino from 'pino'
import { closeContext, openContext } from '../server/src/open-context.ts'
import { indexText } from '../server/src/search/analyse/index-text.ts'
import { gramTermsOf } from '../server/src/search/analyse/vocabulary.ts'
import { searchedOfEntity } from '../server/src/search/store/index-graph.ts'
import { postingsOf } from '../server/src/search/store/postings-of.ts'
import {
  listEntitiesToIndex,
  listObservationsToIndex,
} from '../server/src/search/store/rows-to-index.repo.ts'
import { listWords } from '../server/src/search/store/words.repo.ts'
import { accountTables } from '../server/src/store/account-tables.ts'
import type { Db } from '../server/src/store/db.ts'
import { transact } from '../server/src/store/transact.ts'
import type { Context } from '../server/src/tenancy/context.ts'
import { defaultSpaceId } from '../server/src/tenancy/scope.ts'
import { addAccount, makeMemory } from './lib/loci.ts'
import { machine, print } from './lib/report.ts'

const [accounts = '10000', profile] = process.argv.slice(2)
/** Values that are unique among accounts, or name such a value. */
const uniqueColumns = [
  'user_id',
  'created_by',
  'email',
  'personal_key_hash',
  'key_hash',
  'token_hash',
  'hash',
]
const tablesOfUniqueIds = ['users', 'accounts', 'sessions']
const entitiesPerAccount = 34
const program = fileURLToPath(new URL('../server/bin/loci.js', import.meta.url))

const memory = await makeMemory(entitiesPerAccount)
await addAccount(memory.config)
const ctx = await openContext(memory.config, pino({ level: 'warn' }))
const last = Number(accounts)
const lastFilled = Math.floor((last * 2) / 3)
await copyAccount(ctx, { original: 1, from: 3, to: lastFilled })
await copyAccount(ctx, { original: 2, from: lastFilled + 1, to: last })
const [size] = (
  await sql<{ mb: number }>`select page_count * page_size / 1048576 as mb
    from pragma_page_count(), pragma_page_size()`.execute(ctx.db)
).rows
await closeContext(ctx)
const checked = check(memory.config.dataDir)
memory.remove()
process.stdout.write(`${machine()}\n`)
print(`loci check of ${accounts} accounts`, [{ 'database MB': size?.mb ?? 0, ...checked }])

/** Runs the command; throws if it finds a difference. */
function check(dataDir: string) {
  const startedAt = performance.now()
  const out = execFileSync(
    'sh',
    ['-c', '"$@" && times', 'sh', process.execPath, ...argv(), program, 'check'],
    {
      env: { ...process.env, LOCI_DATA_DIR: dataDir },
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

type Copies = { original: number; from: number; to: number }

/** Copies an account; hashes and ids that are unique among accounts get the copy's number. */
async function copyAccount(ctx: Context, { original, from, to }: Copies): Promise<void> {
  const { db, dialect } = ctx
  // A row precedes those that refer to it.
  const tables = ['accounts', 'credentials', ...Object.keys(accountTables).reverse()]
  const ownUsers = sql`where id in (select user_id from members where account_id = ${original})`
  await copyRows(db, 'users', { from, to, rows: ownUsers })
  for (const table of tables)
    await copyRows(db, table, { from, to, rows: sql`where account_id = ${original}` })
  const scope = { accountId: original, spaceId: defaultSpaceId }
  const page = { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 10_000 }
  const observations = await listObservationsToIndex(db, scope, page)
  const entities = await listEntitiesToIndex(db, scope, page)
  const words = await listWords(db, scope, page)
  const passages = [
    ...observations.map(({ id, content }) => ({ id, terms: indexText(content).passages[0]!.searched })),
    ...entities.map((row) => ({ id: row.id, terms: searchedOfEntity(row) })),
    ...words.map(({ id, word }) => ({ id, terms: gramTermsOf(word) })),
  ]
  if (passages.length === 0) return
  for (let accountId = from; accountId <= to; accountId++)
    await transact(ctx, (tx) => postingsOf(dialect).add(tx.db, { ...scope, accountId }, passages))
}

type CopiedRows = { from: number; to: number; rows: RawBuilder<unknown> }

async function copyRows(db: Db, table: string, { from, to, rows }: CopiedRows): Promise<void> {
  const info = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db)
  const columns = info.rows.map(({ name }) => name)
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    with recursive copies (number) as (
      select ${from} union all select number + 1 from copies where number < ${to}
    ) select ${sql.join(columns.map((column) => copiedValue(table, column)))}
    from copies, (select * from ${sql.table(table)} ${rows}) as original`.execute(db)
}

function copiedValue(table: string, column: string): RawBuilder<unknown> {
  const own = sql.ref(`original.${column}`)
  if (column === 'account_id') return sql`copies.number`
  if (uniqueColumns.includes(column) || (column === 'id' && tablesOfUniqueIds.includes(table)))
    return sql`${own} || copies.number`
  if (table === 'credentials' && column === 'subject')
    return sql`case when kind in ('personal_key', 'session') then ${own} || copies.number else ${own} end`
  return sql`${own}`
}
