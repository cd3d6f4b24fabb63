import type { Updateable } from 'kysely'
import type { Db } from '../db/db.ts'
import { dialectOf } from '../db/dialect-of.ts'
import type { ObservationsTable } from '../db/schema.ts'
import type { Scope } from '../scope.ts'

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
