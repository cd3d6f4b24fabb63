import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import { prepared } from '../db/prepared.ts'
import type { Database, PassagesTable } from '../db/schema.ts'
import type { Scope } from '../scope.ts'

/** What stands as the observation of an entity's name passage. */
export const noObservation = 0
/** The place of an entity's name passage. */
export const namePosition = -1

const isIn =
  ({ accountId, spaceId }: Scope) =>
  (eb: ExpressionBuilder<Database, 'passages'>) =>
    eb.and([eb('account_id', '=', accountId), eb('space_id', '=', spaceId)])

export async function insertPassages(
  db: Db,
  dialect: Dialect,
  rows: readonly PassagesTable[],
): Promise<void> {
  await dialect.insertRows(db, 'passages', rows)
}

/** The passages of observations, or (`entity_id`) of whole entities with their name passage; all, or some of them. */
export async function listPassagesOf(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  column: 'observation_id' | 'entity_id',
  ids: readonly number[],
  limit?: number,
): Promise<PassagesTable[]> {
  return db
    .selectFrom('passages')
    .selectAll()
    .where(isIn(scope))
    .where(dialect.isOneOfNumbers(column, ids))
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .execute()
}

/** The passages that hold the names of entities, which have their numbers. */
export async function listNamePassages(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  entityIds: readonly number[],
): Promise<PassagesTable[]> {
  return db
    .selectFrom('passages')
    .selectAll()
    .where(isIn(scope))
    .where(dialect.isOneOfNumbers('id', entityIds))
    .execute()
}

/** The first passages of a space up to the number `upTo`, at most `limit`. */
export async function listFirstPassages(
  db: Db,
  scope: Scope,
  { upTo, limit }: { upTo: number; limit: number },
): Promise<PassagesTable[]> {
  return db
    .selectFrom('passages')
    .selectAll()
    .where(isIn(scope))
    .where('id', '<=', upTo)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Deletes passages with their vectors. */
export async function deletePassages(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  ids: readonly number[],
): Promise<void> {
  await db
    .deleteFrom('passages')
    .where(isIn({ accountId, spaceId }))
    .where(dialect.isOneOfNumbers('id', ids))
    .execute()
  await db
    .deleteFrom('vectors')
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where(dialect.isOneOfNumbers('passage_id', ids))
    .execute()
}

/** Puts other terms in the place of a passage's, and another length. */
export async function updateTerms(
  db: Db,
  scope: Scope,
  { id, terms, length, pieces }: Pick<PassagesTable, 'id' | 'terms' | 'length' | 'pieces'>,
): Promise<void> {
  await db
    .updateTable('passages')
    .set({ terms, length, pieces })
    .where(isIn(scope))
    .where('id', '=', id)
    .execute()
}

/** Moves passages to places of another entity. */
export async function movePassages(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  entityId: number,
  places: readonly { id: number; position: number }[],
): Promise<void> {
  if (places.length === 0) return
  await sql`update passages set entity_id = ${entityId}, position = moved.position
    from ${dialect.rowsOf('moved', places)}
    where passages.account_id = ${accountId} and passages.space_id = ${spaceId} and passages.id = moved.id
  `.execute(db)
}

const selectLastPositions = prepared(
  (db, values: Scope & { entityIds: readonly number[] }, dialect: Dialect) =>
    db
      .selectFrom('entities as e')
      .select('e.id')
      .select((eb) =>
        eb
          .selectFrom('passages as p')
          .select('p.position')
          .where('p.account_id', '=', values.accountId)
          .where('p.space_id', '=', values.spaceId)
          .whereRef('p.entity_id', '=', 'e.id')
          .orderBy('p.position', 'desc')
          .limit(1)
          .as('last'),
      )
      .where('e.account_id', '=', values.accountId)
      .where('e.space_id', '=', values.spaceId)
      .where(dialect.isOneOfNumbers('e.id', values.entityIds)),
)

/** The place after the last passage of each entity; entities without passages are left out. */
export async function nextPositions(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  entityIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await selectLastPositions(db, { accountId, spaceId, entityIds }, dialect)
  return new Map(rows.map((row) => [row.id, (row.last ?? -1) + 1]))
}
