import { sql } from 'kysely'
import { breathe } from '../../ground/lib/pace.ts'
import type { Versions } from '../../rows/columns.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { findCurrent, findLastPast } from '../versions/versions.repo.ts'

/** Numbers of the erased rows, and every name that the entities had. */
export type ErasedIds = { entities: number[]; observations: number[]; relations: number[]; names: string[] }

const rowsPerStep = 500

/** The alias lists of an entity's earlier versions. */
export async function listPastAliases(db: Db, scope: Scope, id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('past_entities')
    .select('aliases')
    .distinct()
    .where(isIn(scope))
    .where('id', '=', id)
    .where('aliases', 'is not', null)
    .execute()
  return rows.flatMap(({ aliases }) => aliases ?? [])
}

/** Whether a past version of one of these entities began with a change in a set. */
export async function hasVersionFrom(
  db: Db,
  scope: Scope,
  ids: readonly number[],
  { first, last }: { first: number; last: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('past_entities')
    .select('id')
    .where(isIn(scope))
    .where('id', 'in', ids)
    .where('since', '>=', first)
    .where('since', '<=', last)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Deletes the past rows of an entity and of everything that belonged to it, and adds the numbers of
 * rows that are gone completely to `erased`. Rows that belonged to the entity last are deleted with their
 * versions from a time with another entity (a merge that was undone). Rows that belong to another entity,
 * or did last, keep their versions of that time.
 */
export async function eraseVersionsOf(db: Db, scope: Scope, id: number, erased: ErasedIds): Promise<void> {
  await eraseOwned(db, scope, 'observations', 'entity_id', id, erased)
  await eraseOwned(db, scope, 'relations', 'from_id', id, erased)
  await eraseOwned(db, scope, 'relations', 'to_id', id, erased)
  await db.deleteFrom('past_entities').where(isIn(scope)).where('id', '=', id).execute()
  erased.entities.push(id)
}

async function eraseOwned(
  db: Db,
  scope: Scope,
  table: 'observations' | 'relations',
  column: 'entity_id' | 'from_id' | 'to_id',
  owner: number,
  erased: ErasedIds,
): Promise<void> {
  const past = sql.table(`past_${table}`)
  const inScope = sql`account_id = ${scope.accountId} and space_id = ${scope.spaceId}`
  for (;;) {
    await breathe()
    const { rows } = await sql<{ id: number }>`select distinct id from (
      select id from ${past} where ${inScope} and ${sql.ref(column)} = ${owner} limit ${rowsPerStep}
    ) as owned`.execute(db)
    if (rows.length === 0) return
    const ids = rows.map(({ id }) => id)
    const there = await findCurrent(db, scope, table, ids)
    const last = await findLastPast(db, scope, table, ids)
    const own = ids.filter((id) => !there.has(id) && ownersOf(last.get(id)).includes(owner))
    await sql`delete from ${past} where ${inScope} and (${dialectOf(db).isOneOfNumbers('id', own)}
      or (${dialectOf(db).isOneOfNumbers('id', ids)} and ${sql.ref(column)} = ${owner}))`.execute(db)
    erased[table].push(...own)
  }
}

const ownersOf = (row: Versions['observations'] | Versions['relations'] | undefined): number[] => {
  if (row === undefined) return []
  return 'entity_id' in row ? [row.entity_id] : [row.from_id, row.to_id]
}

/** The texts of an observation's past versions. */
export async function listPastContents(db: Db, scope: Scope, id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('past_observations')
    .select('content')
    .where(isIn(scope))
    .where('id', '=', id)
    .execute()
  return rows.map(({ content }) => content)
}

/** Deletes the past rows of an observation. */
export async function erasePastObservation(db: Db, scope: Scope, id: number): Promise<void> {
  await db.deleteFrom('past_observations').where(isIn(scope)).where('id', '=', id).execute()
}

/** Past versions of an entity that began at `since` or later and have aliases. */
export async function listPastAliasesSince(
  db: Db,
  scope: Scope,
  { id, since }: { id: number; since: number },
): Promise<{ since: number; aliases: string }[]> {
  const rows = await db
    .selectFrom('past_entities')
    .select(['since', 'aliases'])
    .where(isIn(scope))
    .where('id', '=', id)
    .where('since', '>=', since)
    .where('aliases', 'is not', null)
    .execute()
  return rows.flatMap(({ since, aliases }) => (aliases === null ? [] : [{ since, aliases }]))
}

/** Replaces the aliases of one past version. */
export async function setPastAliases(
  db: Db,
  scope: Scope,
  { id, since, aliases }: { id: number; since: number; aliases: string | null },
): Promise<void> {
  await db
    .updateTable('past_entities')
    .set({ aliases })
    .where(isIn(scope))
    .where('id', '=', id)
    .where('since', '=', since)
    .execute()
}

/** The names of an entity's past versions, with the changes that ended them. */
export async function listPastNames(db: Db, scope: Scope, id: number) {
  return db
    .selectFrom('past_entities')
    .select(['name', 'until'])
    .where(isIn(scope))
    .where('id', '=', id)
    .execute()
}
