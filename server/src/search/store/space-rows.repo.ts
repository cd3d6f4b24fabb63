import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { EntitiesTable, ObservationsTable, RelationsTable } from '../../store/schema.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** The rows of a space that a search reads. */
export type SpaceTables = {
  entities: EntitiesTable
  observations: ObservationsTable
  relations: RelationsTable
}
export type SpaceTable = keyof SpaceTables

type Page = Scope & { after: number; limit: number }
type WithIds = Scope & { ids: readonly number[] }

const pageOf = <T extends SpaceTable>(table: T) =>
  prepared((db: Db, { accountId, spaceId, after, limit }: Page) =>
    statement<SpaceTables[T]>(
      db,
      sql`select * from ${sql.table(table)} where account_id = ${accountId} and space_id = ${spaceId}
        and id > ${after} order by id limit ${limit}`,
    ),
  )
const thoseOf = <T extends SpaceTable>(table: T) =>
  prepared((db: Db, { accountId, spaceId, ids }: WithIds) =>
    statement<SpaceTables[T]>(
      db,
      sql`select * from ${sql.table(table)} where account_id = ${accountId} and space_id = ${spaceId}
        and ${dialectOf(db).isOneOfNumbers('id', ids)}`,
    ),
  )

const pages = {
  entities: pageOf('entities'),
  observations: pageOf('observations'),
  relations: pageOf('relations'),
}
const those = {
  entities: thoseOf('entities'),
  observations: thoseOf('observations'),
  relations: thoseOf('relations'),
}

/** The rows with numbers above `after`, in order. */
export async function listRowsOfSpace<T extends SpaceTable>(
  db: Db,
  { accountId, spaceId }: Scope,
  table: T,
  page: { after: number; limit: number },
): Promise<SpaceTables[T][]> {
  return pages[table](db, { accountId, spaceId, ...page }) as Promise<SpaceTables[T][]>
}

/** The existing ones of these rows, in no particular order. */
export async function findSpaceRows<T extends SpaceTable>(
  db: Db,
  { accountId, spaceId }: Scope,
  table: T,
  ids: readonly number[],
): Promise<SpaceTables[T][]> {
  if (ids.length === 0) return []
  return those[table](db, { accountId, spaceId, ids }) as Promise<SpaceTables[T][]>
}

const selectChanges = prepared(
  (db: Db, { accountId, spaceId, above, upTo }: Scope & { above: number; upTo: number }) =>
    db
      .selectFrom('changes')
      .select(['operation', 'subject_id as id'])
      .where('account_id', '=', accountId)
      .where('space_id', '=', spaceId)
      .where('seq', '>', above)
      .where('seq', '<=', upTo),
)

/** The changes of a space in a range of numbers. */
export async function listSpaceChanges(
  db: Db,
  { accountId, spaceId }: Scope,
  range: { above: number; upTo: number },
): Promise<{ operation: number; id: number }[]> {
  return selectChanges(db, { accountId, spaceId, ...range })
}
