import { type RawBuilder, sql } from 'kysely'
import { breathe } from '../../ground/lib/pace.ts'
import { pastTables, type Versions } from '../../rows/columns.ts'
import { operationNumbers } from '../../rows/operations.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { versionColumns } from '../versions/versions.repo.ts'

const rowsPerPage = 1_000

type Owned = { observations: 'entity_id'; relations: 'from_id' | 'to_id' }

/** The order of the indexes by owner. */
const orders = { observations: ['id', 'since'], relations: ['created_at', 'id', 'since'] } as const

/** The current rows that belong to an entity. */
export async function listOwned<T extends keyof Owned>(
  db: Db,
  scope: Scope,
  table: T,
  column: Owned[T],
  entityId: number,
): Promise<Versions[T][]> {
  return readAll(
    db,
    table,
    (rest) => sql`
    select ${versionColumns(table, false)} from ${sql.table(table)}
    where ${inScope(scope)} and ${sql.ref(column)} = ${entityId} ${rest}`,
  )
}

/** The rows that belonged to an entity before a set of changes and that the set ended. */
export async function listEndedOf<T extends keyof Owned>(
  db: Db,
  scope: Scope,
  table: T,
  column: Owned[T],
  entityId: number,
  { first, last }: { first: number; last: number },
): Promise<Versions[T][]> {
  return readAll(
    db,
    table,
    (rest) => sql`
    select ${versionColumns(table, true)} from ${sql.table(pastTables[table])}
    where ${inScope(scope)} and ${sql.ref(column)} = ${entityId}
      and since < ${first} and until >= ${first} and until <= ${last} ${rest}`,
  )
}

/**
 * Relations of a deleted entity that were lost earlier, because their other end was deleted before it;
 * relations deleted on their own are not included. The version may not be the relation's last.
 */
export async function listLostWithOthers(
  db: Db,
  scope: Scope,
  column: Owned['relations'],
  entityId: number,
  before: number,
): Promise<Versions['relations'][]> {
  const other = sql.ref(`lost.${column === 'from_id' ? 'to_id' : 'from_id'}`)
  const { accountId, spaceId } = scope
  const inSameScope = (table: string) =>
    sql`${sql.ref(`${table}.account_id`)} = ${accountId} and ${sql.ref(`${table}.space_id`)} = ${spaceId}`
  return readAll(
    db,
    'relations',
    (rest) => sql`
    select ${versionColumns('relations', true)} from past_relations as lost
    where ${inScope(scope)} and ${sql.ref(column)} = ${entityId} and until < ${before} and exists (
      select 1 from past_entities as neighbour, changes as going, changes as parting
      where ${inSameScope('neighbour')} and neighbour.id = ${other}
        and ${inSameScope('going')} and going.seq = neighbour.until
        and going.operation = ${operationNumbers.entity_deleted}
        and ${inSameScope('parting')} and parting.seq = lost.until and parting.set_seq = going.set_seq
    ) ${rest}`,
  )
}

const inScope = ({ accountId, spaceId }: Scope) => sql`account_id = ${accountId} and space_id = ${spaceId}`

/**
 * All rows of a query, page by page, so that others can run in between; the query must end with the
 * given condition.
 */
async function readAll<T extends keyof Owned>(
  db: Db,
  table: T,
  query: (rest: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<Versions[T][]> {
  const order = sql.join(orders[table].map((name) => sql.ref(name)))
  const found: Versions[T][] = []
  let rest = sql``
  for (;;) {
    await breathe()
    const { rows } = await sql<Versions[T]>`${query(rest)} order by ${order} limit ${rowsPerPage}`.execute(db)
    found.push(...rows)
    const last = rows.at(-1) as Record<string, unknown> | undefined
    if (last === undefined || rows.length < rowsPerPage) return found
    rest = sql`and (${order}) > (${sql.join(orders[table].map((name) => sql.val(last[name])))})`
  }
}
