import type { Updateable } from 'kysely'
import type { Db } from '../db/db.ts'
import { dialectOf } from '../db/dialect-of.ts'
import { prepared } from '../db/prepared.ts'
import type { ObservationsTable } from '../db/schema.ts'
import { chunksOf } from '../lib/chunks.ts'
import { breathe } from '../lib/turns.ts'
import type { Scope } from '../scope.ts'
import { endOfPast } from './past-rows.writes.repo.ts'

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

const rowsPerStatement = 250

type Moved = Scope & { entity: number; ids: readonly number[] }
const updateOwner = prepared((db, values: Moved) =>
  db
    .updateTable('observations')
    .set({ entity_id: values.entity, since: endOfPast('observations', values) })
    .where('account_id', '=', values.accountId)
    .where('space_id', '=', values.spaceId)
    .where(dialectOf(db).isOneOfNumbers('id', values.ids)),
)

/**
 * Moves observations to another entity. Their new versions begin with the changes that ended the old ones, which must
 * already be in the past table.
 */
export async function moveObservationRows(
  db: Db,
  { accountId, spaceId }: Scope,
  entity: number,
  ids: readonly number[],
): Promise<void> {
  for (const chunk of chunksOf(ids, rowsPerStatement)) {
    await breathe()
    await updateOwner(db, { accountId, spaceId, entity, ids: chunk })
  }
}
