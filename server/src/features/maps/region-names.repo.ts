import { countFound } from '../../store/count-found.ts'
import type { Db } from '../../store/db.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

export type RegionName = { entityId: number; name: string }

const namesOf = (db: Db, scope: Scope) => db.selectFrom('region_names').where(isIn(scope))

export function listRegionNameRows(db: Db, scope: Scope, limit: number): Promise<RegionName[]> {
  return namesOf(db, scope)
    .select(['entity_id as entityId', 'name'])
    .orderBy('entity_id')
    .limit(limit)
    .execute()
}

export async function countRegionNames(db: Db, scope: Scope): Promise<number> {
  return countFound(namesOf(db, scope))
}

export async function hasRegionName(db: Db, scope: Scope, entityId: number): Promise<boolean> {
  const row = await namesOf(db, scope).select('name').where('entity_id', '=', entityId).executeTakeFirst()
  return row !== undefined
}

export async function putRegionName(
  db: Db,
  { accountId, spaceId }: Scope,
  { entityId, name }: RegionName,
  at: number,
): Promise<void> {
  await db
    .insertInto('region_names')
    .values({ account_id: accountId, space_id: spaceId, entity_id: entityId, name, named_at: at })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'space_id', 'entity_id']).doUpdateSet({ name, named_at: at }),
    )
    .execute()
}

/** Returns whether there was such a name. */
export async function deleteRegionName(db: Db, scope: Scope, entityId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('region_names')
    .where(isIn(scope))
    .where('entity_id', '=', entityId)
    .executeTakeFirst()
  return numDeletedRows > 0
}
