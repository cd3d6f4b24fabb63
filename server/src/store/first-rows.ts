import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * A condition for the first `limit` of the rows that match `where`, in the order of `key`: the columns of the primary
 * key that `where` does not fix, so that SQLite finds the range in its index; without any there is one row. It is a range: given a list of keys or places, PostgreSQL compares each row with each while it believes that the table is
 * empty, as it does after a burst.
 */
export function firstRows(
  table: string,
  key: readonly string[],
  where: RawBuilder<unknown>,
  limit: number,
): RawBuilder<SqlBool> {
  if (key.length === 0) return sql<SqlBool>`1 = 1`
  const columns = sql.join(key.map((column) => sql.ref(column)))
  // SQLite uses the columns after the first one only if what they are compared with has no affinity.
  const bare = sql.join(key.map((column) => sql`nullif(${sql.ref(column)}, null)`))
  const descending = sql.join(key.map((column) => sql`${sql.ref(column)} desc`))
  return sql<SqlBool>`(${columns}) <= (select ${bare} from (
    select ${columns} from ${sql.table(table)} where ${where} order by ${columns} limit ${limit}
  ) as first order by ${descending} limit 1)`
}
