import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** Where a person was last; the account or the space may be gone since. */
export async function findLastPlace(db: Db, userId: string): Promise<Scope | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['place_account_id as accountId', 'place_space_id as spaceId'])
    .where('id', '=', userId)
    .executeTakeFirst()
  const { accountId = null, spaceId = null } = row ?? {}
  return accountId === null || spaceId === null ? undefined : { accountId, spaceId }
}

export async function setLastPlace(db: Db, userId: string, { accountId, spaceId }: Scope): Promise<void> {
  await db
    .updateTable('users')
    .set({ place_account_id: accountId, place_space_id: spaceId })
    .where('id', '=', userId)
    .execute()
}
