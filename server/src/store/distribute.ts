import { sql } from 'kysely'
import { ConfigError } from '../ground/config/config.ts'
import type { Db } from './db.ts'
import type { Dialect } from './dialect.ts'
import { dialectOf } from './dialect-of.ts'

type Distribution = { table: string; column: string }

/** Of a table; each costs files and a planner entry on every node. */
export const shardsMax = 1_024

/** The other tables are colocated with this one: all rows of an account are on one node. */
const leader = 'accounts'

/**
 * Distributes the tables of accounts over the nodes of a Citus cluster by the account's number, and the look-up of
 * credentials by its hash. Returns the tables distributed now; distributed ones are skipped, so it can run again
 * after a migration added tables. `shards`: of the first call on a cluster; later ones take the number that is there.
 * Writes wait meanwhile: `create_distributed_table_concurrently` takes no tables with foreign keys.
 * Throws {@link ConfigError} if the database is not a Citus cluster.
 */
export async function distributeTables(db: Db, shards?: number): Promise<string[]> {
  requirePostgres(dialectOf(db))
  if (!(await hasCitus(db))) {
    throw new ConfigError(
      'The database at DATABASE_URL has no Citus. Run `create extension citus` on each node, add the nodes, then try again.',
    )
  }
  const missing = await listUndistributed(db)
  for (const distribution of missing) await sql.raw(toStatement(distribution, shards)).execute(db)
  return missing.map(({ table }) => table)
}

/** The same as SQL statements, for operators who want to see or change them. Throws {@link ConfigError} on SQLite. */
export async function listDistributionStatements(db: Db, shards?: number): Promise<string[]> {
  requirePostgres(dialectOf(db))
  return (await listDistributions(db)).map((distribution) => `${toStatement(distribution, shards)};`)
}

function requirePostgres({ name }: Dialect): void {
  if (name === 'postgres') return
  throw new ConfigError(
    'Only PostgreSQL can be distributed. Set DATABASE_URL to the coordinator of a Citus cluster.',
  )
}

/** Tables placed with the accounts have as many shards as these; without a number it is `citus.shard_count`. */
function toStatement({ table, column }: Distribution, shards: number | undefined): string {
  const isPlacedWithAccounts = column === 'account_id' && table !== leader
  const count = shards === undefined ? '' : `, shard_count => ${shards}`
  const how = isPlacedWithAccounts ? `colocate_with => '${leader}'` : `colocate_with => 'none'${count}`
  return `select create_distributed_table('${table}', '${column}', ${how})`
}

async function hasCitus(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(db)
  return rows.length > 0
}

async function listUndistributed(db: Db): Promise<Distribution[]> {
  const { rows } = await sql<{ table: string }>`select logicalrelid::text as "table" from pg_dist_partition
    where partmethod = 'h'`.execute(db)
  const distributed = new Set(rows.map(({ table }) => table))
  return (await listDistributions(db)).filter(({ table }) => !distributed.has(table))
}

/** Referencing tables come after the referenced ones, as Citus requires. */
async function listDistributions(db: Db): Promise<Distribution[]> {
  const { rows } = await sql<Distribution>`
    select c.relname as "table", case when c.relname = 'credentials' then 'hash' else 'account_id' end as "column"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    order by c.relname <> ${leader}, exists (select 1 from pg_constraint where conrelid = c.oid and contype = 'f'),
      c.relname`.execute(db)
  return rows
}
