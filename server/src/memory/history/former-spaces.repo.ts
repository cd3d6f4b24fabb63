import { spacesMax } from '@loci/contract/spaces'
import { sql } from 'kysely'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { breathe } from '../../ground/lib/pace.ts'
import { pastTables } from '../../rows/columns.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** Numbers are unique in the account, so an entity that was moved keeps its number in the other space. */

const otherSpaces = ({ accountId, spaceId }: Scope) =>
  sql`select space_id from spaces where account_id = ${accountId} and space_id <> ${spaceId} and deleted_at is null`

/**
 * Other spaces of the account that have past versions of an entity: it was there before, or has been
 * changed there.
 */
export async function listFormerSpaces(db: Db, scope: Scope, id: number): Promise<number[]> {
  const { rows } = await sql<{ space_id: number }>`select distinct space_id from past_entities
    where account_id = ${scope.accountId} and space_id in (${otherSpaces(scope)}) and id = ${id}
    order by space_id desc`.execute(db)
  return rows.map(({ space_id }) => space_id)
}

const probesPerStatement = 10_000

/** Which of these rows have past versions in other spaces of the account: their numbers by space. */
export async function listFormerRows(
  db: Db,
  scope: Scope,
  table: 'entities' | 'observations',
  ids: readonly number[],
): Promise<Map<number, number[]>> {
  const former = new Map<number, number[]>()
  if (ids.length === 0) return former
  const others = await db
    .selectFrom('spaces')
    .select('space_id')
    .where('account_id', '=', scope.accountId)
    .where('space_id', '<>', scope.spaceId)
    .where('deleted_at', 'is', null)
    .limit(spacesMax)
    .execute()
  const spaceIds = others.map(({ space_id }) => space_id)
  const { isOneOfNumbers } = dialectOf(db)
  for (const chunk of chunksOf(ids, Math.ceil(probesPerStatement / (spaceIds.length + 1)))) {
    const { rows } = await sql<{ id: number; space_id: number }>`select distinct space_id, id
      from ${sql.table(pastTables[table])}
      where account_id = ${scope.accountId} and ${isOneOfNumbers('space_id', spaceIds)}
        and ${isOneOfNumbers('id', chunk)}`.execute(db)
    for (const { id, space_id } of rows) former.set(space_id, [...(former.get(space_id) ?? []), id])
    await breathe()
  }
  return former
}

/** The entities that are now in another space, with its number. */
export async function findElsewhere(
  db: Db,
  scope: Scope,
  ids: readonly number[],
): Promise<{ id: number; spaceId: number }[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number; space_id: number }>`select id, space_id from entities
    where account_id = ${scope.accountId} and space_id in (${otherSpaces(scope)})
      and ${dialectOf(db).isOneOfNumbers('id', ids)}`.execute(db)
  return rows.map(({ id, space_id }) => ({ id, spaceId: space_id }))
}
