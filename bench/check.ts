/**
 * The processor time of `loci check` on a database of many accounts, two thirds of them with about 100 observations,
 * the others empty. Two accounts are made through the services; the others are copies of their rows.
 * Usage: node bench/check.ts [accounts] [file]   (default 10000 accounts on SQLite; a `file` of Chrome's profile format
 * is written there if given)
 */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
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
import { databaseFileName } from '../server/src/store/open.ts'
import { transact } from '../server/src/store/transact.ts'
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
const last = Number(accounts)
const lastFilled = Math.floor((last * 2) / 3)
const file = join(memory.config.dataDir, databaseFileName)
copyRows(file, { original: 1, from: 3, to: lastFilled })
copyRows(file, { original: 2, from: lastFilled + 1, to: last })
await indexCopies({ original: 1, from: 3, to: lastFilled })
const checked = check(memory.config.dataDir)
const megabytes = Math.round(statSync(file).size / 1024 ** 2)
memory.remove()
process.stdout.write(`${machine()}\n`)
print(`loci check of ${accounts} accounts`, [{ 'database MB': megabytes, ...checked }])

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

/** Copies the rows of an account; hashes and ids that are unique among accounts get the copy's number. */
function copyRows(path: string, { original, from, to }: Copies): void {
  const database = new DatabaseSync(path)
  // A row precedes those that refer to it.
  for (const table of ['users', 'accounts', 'credentials', ...Object.keys(accountTables).reverse()]) {
    const columns = database.prepare(`select name from pragma_table_info('${table}')`).all()
    const names = columns.map(({ name }) => String(name))
    const isOwn =
      table === 'users' ? 'id in (select user_id from members where account_id = ?)' : 'account_id = ?'
    database
      .prepare(`insert into ${table} (${names.join(', ')})
        with recursive copies (number) as (select ? union all select number + 1 from copies where number < ?)
        select ${names.map((name) => copiedValue(table, name)).join(', ')}
        from copies, (select * from ${table} where ${isOwn}) as original`)
      .run(from, to, original)
  }
  database.close()
}

function copiedValue(table: string, column: string): string {
  const own = `original.${column}`
  if (column === 'account_id') return 'copies.number'
  if (uniqueColumns.includes(column) || (column === 'id' && tablesOfUniqueIds.includes(table)))
    return `${own} || copies.number`
  if (table === 'credentials' && column === 'subject')
    return `case when kind in ('personal_key', 'session') then ${own} || copies.number else ${own} end`
  return own
}

/** The postings of the copies, whose row ids and terms contain the account's number. */
async function indexCopies({ original, from, to }: Copies): Promise<void> {
  const ctx = await openContext(memory.config, pino({ level: 'warn' }))
  const scope = { accountId: original, spaceId: defaultSpaceId }
  const page = { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 10_000 }
  const observations = await listObservationsToIndex(ctx.db, scope, page)
  const entities = await listEntitiesToIndex(ctx.db, scope, page)
  const words = await listWords(ctx.db, scope, page)
  const passages = [
    ...observations.map(({ id, content }) => ({ id, terms: indexText(content).passages[0]!.searched })),
    ...entities.map((row) => ({ id: row.id, terms: searchedOfEntity(row) })),
    ...words.map(({ id, word }) => ({ id, terms: gramTermsOf(word) })),
  ]
  for (let accountId = from; accountId <= to; accountId++)
    await transact(ctx, ({ db }) => postingsOf(ctx.dialect).add(db, { ...scope, accountId }, passages))
  await closeContext(ctx)
}
