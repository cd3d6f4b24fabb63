import type { EntitySort } from '@loci/contract/entities'
import { type RawBuilder, sql } from 'kysely'
import type { Cursor } from '../ground/lib/cursors.ts'
import type { Db } from '../store/db.ts'
import { dialectOf } from '../store/dialect-of.ts'
import type { Scope } from '../tenancy/scope.ts'

/** An entity's position in a sorted list. */
export type SortedKey = { id: number; at: number | string }

export type SortedPage = {
  sort: EntitySort
  isAscending: boolean
  cursor: Cursor<number | string> | undefined
  limit: number
}

const columns = {
  newest: 'created_at',
  changed: 'updated_at',
  connected: 'degree',
  facts: 'observations_count',
} as const

const keyOf = (db: Db, sort: EntitySort): RawBuilder<unknown> =>
  sort === 'name' ? sql.raw(dialectOf(db).sql.folded('name')) : sql.ref(columns[sort])

const inScope = ({ accountId, spaceId }: Scope) => sql`account_id = ${accountId} and space_id = ${spaceId}`

/** Each order has an index, which ends with the id and can be read in either direction. */
function selectSorted(db: Db, scope: Scope, { sort, isAscending, cursor, limit }: SortedPage) {
  const key = keyOf(db, sort)
  const direction = isAscending ? sql`asc` : sql`desc`
  const after =
    cursor === undefined
      ? sql``
      : sql`and (${key}, id) ${isAscending ? sql`>` : sql`<`} (${cursor.at}, ${cursor.id})`
  return sql`select id, type, ${key} as at from entities where ${inScope(scope)} ${after}
    order by ${key} ${direction}, id ${direction} limit ${limit}`
}

export async function listSorted(db: Db, scope: Scope, page: SortedPage): Promise<SortedKey[]> {
  return (await sql<SortedKey>`${selectSorted(db, scope, page)}`.execute(db)).rows
}

/** Of the next `scanned` entities of the list, those with one of the types, at most `limit`. */
export async function listSortedOfTypes(
  db: Db,
  scope: Scope,
  page: SortedPage & { types: readonly string[]; scanned: number },
): Promise<SortedKey[]> {
  const next = selectSorted(db, scope, { ...page, limit: page.scanned })
  const { rows } = await sql<SortedKey>`select id, at from (${next}) as scanned
    where ${dialectOf(db).isOneOf('type', page.types)} limit ${page.limit}`.execute(db)
  return rows
}

/** The last of the next `scanned` entities of the list; undefined if there are fewer. */
export async function findScanned(
  db: Db,
  scope: Scope,
  page: SortedPage & { scanned: number },
): Promise<SortedKey | undefined> {
  const last = selectSorted(db, scope, { ...page, limit: 1 })
  const { rows } = await sql<SortedKey>`${last} offset ${page.scanned - 1}`.execute(db)
  return rows[0]
}

/** All entities of these types, at most `limit`, unordered. */
export async function listKeysOfTypes(
  db: Db,
  scope: Scope,
  { sort, types, limit }: { sort: EntitySort; types: readonly string[]; limit: number },
): Promise<SortedKey[]> {
  const dialect = dialectOf(db)
  const asked = dialect.rowsOf(
    'asked',
    types.map((wanted) => ({ wanted })),
  )
  const ofType = dialect.lookUp('entities', 'entity', sql`${inScope(scope)} and type = asked.wanted`)
  const { rows } = await sql<SortedKey>`select id, ${keyOf(db, sort)} as at from ${asked} ${ofType}
    limit ${limit}`.execute(db)
  return rows
}
