import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pino from 'pino'
import type { Config } from '../../server/src/ground/config/config.ts'
import { findSecret } from '../../server/src/ground/secret.ts'
import { closeContext, openContext } from '../../server/src/open-context.ts'
import { indexText } from '../../server/src/search/analyse/index-text.ts'
import { gramTermsOf } from '../../server/src/search/analyse/vocabulary.ts'
import { searchedOfEntity } from '../../server/src/search/store/index-graph.ts'
import { postingsOf } from '../../server/src/search/store/posting-lists.ts'
import {
  listEntitiesToIndex,
  listObservationsToIndex,
} from '../../server/src/search/store/rows-to-index.repo.ts'
import { listWords } from '../../server/src/search/store/words.repo.ts'
import { accountTables } from '../../server/src/store/account-tables.ts'
import { databaseFileName } from '../../server/src/store/open.ts'
import { transact } from '../../server/src/store/transact.ts'
import { defaultSpaceId } from '../../server/src/tenancy/scope.ts'
import { runLoci } from '../../server/test/loci-command.ts'
import { addAccount, type Memory, makeMemory } from './loci.ts'

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

/**
 * A SQLite database of many accounts: two thirds of them have `entities` entities, the others none. Two are made through
 * the services; the others are copies of their rows.
 */
export async function makeManyAccounts(count: number, entities: number): Promise<Memory> {
  const memory = await makeMemory(entities)
  await addAccount(memory.config)
  const lastFilled = filledOf(count)
  const file = join(memory.config.dataDir, databaseFileName)
  copyRows(file, { original: 1, from: 3, to: lastFilled })
  copyRows(file, { original: 2, from: lastFilled + 1, to: count })
  await indexCopies(memory.config, { original: 1, from: 3, to: lastFilled })
  return memory
}

/** The last account with entities. */
export const filledOf = (count: number) => Math.floor((count * 2) / 3)

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
  if (column === 'account_ids') return "'[' || cast(copies.number as integer) || ']'"
  if (uniqueColumns.includes(column) || (column === 'id' && tablesOfUniqueIds.includes(table)))
    return `${own} || copies.number`
  if (table === 'credentials' && column === 'subject')
    return `case when kind in ('personal_key', 'session') then ${own} || copies.number else ${own} end`
  return own
}

/** The postings of the copies, whose row ids and terms contain the account's number. */
async function indexCopies(config: Config, { original, from, to }: Copies): Promise<void> {
  const ctx = await openContext(config, pino({ level: 'warn' }))
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

/** Copies a database on SQLite to PostgreSQL, with the command for it. */
export async function moveToPostgres(config: Config, url: string): Promise<Config> {
  const env = { LOCI_DATA_DIR: config.dataDir, DATABASE_URL: url, LOCI_SECRET: findSecret(config) ?? '' }
  const { code, stderr } = await runLoci(['move', 'sqlite-to-postgres'], { env })
  if (code !== 0) throw new Error(stderr)
  return { ...config, databaseUrl: url, secret: env.LOCI_SECRET }
}
