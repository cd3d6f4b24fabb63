import { sql } from 'kysely'
import type { Db } from './db.ts'
import { dialectOf } from './dialect-of.ts'

/** The tables of no account whose rows expire, each with its key. */
const keys = { oauth_requests: 'id', oauth_clients: 'id', used_challenges: 'hash' } as const

/** Deletes at most `limit` expired rows, in the order of their keys, in which others lock them too; returns how many. */
export async function deleteExpired(
  db: Db,
  table: keyof typeof keys,
  now: number,
  limit: number,
): Promise<number> {
  const key = keys[table]
  const { rows } = await sql<{ key: string }>`select ${sql.ref(key)} as key from ${sql.table(table)}
    where expires_at <= ${now} order by expires_at limit ${limit}`.execute(db)
  const expired = rows.map((row) => row.key).sort()
  if (expired.length > 0)
    await sql`delete from ${sql.table(table)} where ${dialectOf(db).isOneOf(key, expired)}`.execute(db)
  return expired.length
}
