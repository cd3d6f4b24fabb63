import type { Db } from '../../db/db.ts'

export type SpaceName = { spaceId: number; name: string }

const spacesListedMax = 1_000

/** The spaces of an account, oldest first. */
export async function listSpaceNames(db: Db, accountId: number): Promise<SpaceName[]> {
  return db
    .selectFrom('spaces')
    .select(['space_id as spaceId', 'name'])
    .where('account_id', '=', accountId)
    .orderBy('space_id')
    .limit(spacesListedMax)
    .execute()
}
