import type { Updateable } from 'kysely'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { RelationsTable } from '../../store/schema.ts'
import type { Scope } from '../../tenancy/scope.ts'

export async function insertRelations(db: Db, rows: readonly RelationsTable[]): Promise<void> {
  await dialectOf(db).insertRows(db, 'relations', rows)
}

/** Sets columns of one relation. */
export async function updateRelationRow(
  db: Db,
  scope: Scope,
  id: number,
  columns: Updateable<RelationsTable>,
): Promise<void> {
  await db
    .updateTable('relations')
    .set(columns)
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('id', '=', id)
    .execute()
}
