import { sql } from 'kysely'
import type { Db } from '../src/store/db.ts'

type Column = { name: string; type: string; isNullable: boolean }

/** Columns that make a row due; other columns that can be null stay so. */
const dueColumns = /^(expires_at|next_try_at|next_attempt_at|content|customer_id|hash|vector|embedder)$/
const fixedTexts: Record<string, string> = {
  'credentials.kind': 'session',
  'changes.kind': 'entity',
  'invitations.role': 'member',
  'mails.content': 'sealed',
  'oauth_grants.scopes': '[]',
  'entities.metadata': '{}',
  'observations.metadata': '{}',
  'relations.metadata': '{}',
}

/**
 * Fills a table with rows of one account and space, numbered from 1 to `count`, without checking references: each row
 * refers to the rows of its own number.
 */
export async function fillTable(
  db: Db,
  table: string,
  { accountId, spaceId, count }: { accountId: number; spaceId: number; count: number },
): Promise<void> {
  const columns = (await listColumns(db, table)).filter(
    ({ name, isNullable }) => !isNullable || dueColumns.test(name),
  )
  const values = columns.map(({ name, type }) => {
    if (name === 'account_id') return sql`${accountId}::bigint`
    if (name === 'space_id') return sql`${spaceId}::int`
    if (name === 'until') return sql`n + 1`
    if (type === 'bytea') return sql`'\\x0001'::bytea`
    if (type !== 'text') return sql`n`
    const fixed = fixedTexts[`${table}.${name}`]
    return fixed === undefined ? sql`'x' || n` : sql`${fixed}::text`
  })
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`insert into ${sql.table(table)} (${names}) select ${sql.join(values)}
      from generate_series(1, ${count}::int) as n on conflict do nothing`.execute(tx)
  })
}

async function listColumns(db: Db, table: string): Promise<Column[]> {
  const { rows } =
    await sql<Column>`select column_name as name, data_type as type, is_nullable = 'YES' as "isNullable"
    from information_schema.columns where table_schema = 'public' and table_name = ${table}`.execute(db)
  return rows
}

async function listTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** Autovacuum would correct the statistics in the middle of a test. */
export async function keepStatistics(db: Db): Promise<void> {
  for (const table of await listTables(db))
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db)
}

/**
 * Makes the planner believe that all tables are empty, as it does from an `analyze` of an emptied table until the
 * next: such a table has pages, but no rows on them.
 */
export async function sayEmpty(db: Db): Promise<void> {
  await sql`delete from pg_statistic using pg_class
    where starelid = pg_class.oid and relnamespace = 'public'::regnamespace`.execute(db)
  await sql`update pg_class set reltuples = 0, relpages = greatest(relpages, 1)
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`.execute(db)
}
