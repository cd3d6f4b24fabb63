import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'

/** Names of users, by their ids. */
export async function listUserNames(db: Db, userIds: Iterable<string>): Promise<Map<string, string>> {
  const ids = [...new Set(userIds)]
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name'])
    .where(dialectOf(db).isOneOf('id', ids))
    .execute()
  return new Map(rows.map((row) => [row.id, `${row.first_name} ${row.last_name}`.trim()]))
}
