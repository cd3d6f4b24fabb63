import type { Updateable } from 'kysely'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { ObservationsTable } from '../../store/schema.ts'
import type { Scope } from '../../tenancy/scope.ts'

export async function insertObservations(db: Db, rows: readonly ObservationsTable[]): Promise<void> {
  await dialectOf(db).insertRows(db, 'observations', rows)
}

/** Sets columns of one observation. */
export async function updateObservationRow(
  db: Db,
  scope: Scope,
  id: number,
  columns: Updateable<ObservationsTable>,
): Promise<void> {
  await db
    .updateTable('observations')
    .set(columns)
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('id', '=', id)
    .execute()
}

/** Sets the source of observations that have none; returns how many. */
export async function setSource(
  db: Db,
  { accountId, spaceId }: Scope,
  ids: readonly number[],
  source: string,
): Promise<number> {
  if (ids.length === 0) return 0
  const { numUpdatedRows } = await db
    .updateTable('observations')
    .set({ source })
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where(dialectOf(db).isOneOfNumbers('id', ids))
    .where('source', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
