import { sql } from 'kysely'
import type { Db } from './db.ts'

/** The tables that imports fill, and with them those that the sessions of agents fill. */
const graphTables = [
  'entities',
  'observations',
  'relations',
  'passages',
  'search_words',
  'postings',
  'posting_blocks',
  'changes',
]
const tables = [...graphTables, 'conversations', 'turns', 'conversation_files']
const pageBytes = 8_192

/** Those of which the planner knows nothing, although they have rows. */
export async function listTablesWithoutStatistics(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where oid = any(${tables}::regclass[]) and pg_relation_size(oid) > 0 and reltuples <= 0`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Updates the planner's statistics of tables that have none, were empty, or have doubled since. Autovacuum does the same, but comes
 * by once a minute. Until then the check of a foreign key can read all entities of a space, because for an empty table
 * all indexes seem equally good. The size of the file is used because it is known at once. On a cluster, `analyze` reaches
 * the shards of all nodes; since the coordinator itself stores no rows, it is done once, and autovacuum does the rest.
 * Of an account that the statistics do not name, they say that it has no rows: all indexes seem equally good for it too.
 * @param accountId one that has thousands of rows
 */
export async function updatePostgresStatistics(
  db: Db,
  accountId?: number,
  names: readonly string[] = tables,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where oid = any(${names}::regclass[]) and pg_relation_size(oid) > 0 and (reltuples <= 0
      or pg_relation_size(oid) > 2 * relpages * ${pageBytes}::bigint
      or relname = any(${graphTables}) and exists (
        select from pg_stats where schemaname = current_schema() and tablename = relname
          and attname = 'account_id' and ${accountId ?? null}::bigint <> all(most_common_vals::text::bigint[])
      ))`.execute(db)
  for (const { name } of rows) await sql`analyze (skip_locked) ${sql.table(name)}`.execute(db)
}
