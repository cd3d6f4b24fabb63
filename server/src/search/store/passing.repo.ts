import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { isBounded, type PassageFilter, shortest } from './search.repo.ts'

const firstMoment = Date.parse('0001-01-01')
const lastMoment = Date.parse('9999-12-31')

/**
 * Observations that may pass the filter: the newest that were stored in its times, those that began to be true in them,
 * and some of its types; at most `limit` of each.
 */
export async function listPassing(
  db: Db,
  scope: Scope,
  filter: PassageFilter,
  limit: number,
): Promise<number[]> {
  const { after = firstMoment, before = lastMoment, types = [] } = filter
  const { storedAfter = after, storedBefore = before } = filter
  const newest = (column: RawBuilder<unknown>, from: number | string, to: number | string) =>
    sql`select o.id from observations as o where ${isIn(scope, 'o')} and ${column} >= ${from} and ${column} < ${to}
      order by ${column} desc limit ${limit}`
  const dialect = dialectOf(db)
  const asked = types.map((type) => ({ type }))
  const ofType = sql`${isIn(scope, 'e')} and e.type = asked.type`
  const ofEntity = sql`${isIn(scope, 'o')} and o.entity_id = e.id`
  const lists = [
    ...(isBounded(filter)
      ? [
          newest(sql`o.created_at`, Math.max(after, storedAfter), Math.min(before, storedBefore)),
          // A year or month comes before its days.
          newest(sql`o.true_from`, new Date(after).toISOString().slice(0, 4), shortest(before)),
        ]
      : []),
    ...(types.length > 0
      ? [
          sql`select o.id from ${dialect.rowsOf('asked', asked)} ${dialect.lookUp('entities', 'e', ofType)}
            ${dialect.lookUp('observations', 'o', ofEntity)} limit ${limit}`,
        ]
      : []),
  ].map((list) => sql`select * from (${list}) as listed`)
  const { rows } = await sql<{ id: number }>`${sql.join(lists, sql` union all `)}`.execute(db)
  return rows.map(({ id }) => id)
}
