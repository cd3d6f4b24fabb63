import type { Updateable } from 'kysely'
import type { Db } from '../db/db.ts'
import { dialectOf } from '../db/dialect-of.ts'
import type { RelationsTable } from '../db/schema.ts'
import { chunksOf } from '../lib/chunks.ts'
import { breathe } from '../lib/turns.ts'
import type { Scope } from '../scope.ts'
import { endOfPast } from './past-rows.writes.repo.ts'

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

const rowsPerStatement = 250

/**
 * Sets the same columns of several relations. Their new versions begin with the changes that ended the old ones, which
 * must already be in the past table.
 */
export async function updateRelationRows(
  db: Db,
  { accountId, spaceId }: Scope,
  ids: readonly number[],
  columns: Pick<Updateable<RelationsTable>, 'from_id' | 'to_id' | 'type'>,
): Promise<void> {
  for (const chunk of chunksOf(ids, rowsPerStatement)) {
    await breathe()
    await db
      .updateTable('relations')
      .set({ ...columns, since: endOfPast('relations', { accountId, spaceId }) })
      .where('account_id', '=', accountId)
      .where('space_id', '=', spaceId)
      .where(dialectOf(db).isOneOfNumbers('id', chunk))
      .execute()
  }
}
