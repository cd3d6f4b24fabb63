import type { Db } from '../../../store/db.ts'

/** Stores a pending request, replacing any with this id. */
export async function saveRequest(
  db: Db,
  request: { id: string; payload: string; expiresAt: number },
): Promise<void> {
  const { id, payload, expiresAt } = request
  await db
    .insertInto('oauth_requests')
    .values({ id, payload, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ payload, expires_at: expiresAt }))
    .execute()
}

export async function findRequest(db: Db, id: string, now: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('oauth_requests')
    .select('payload')
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.payload
}

export async function deleteRequest(db: Db, id: string): Promise<void> {
  await db.deleteFrom('oauth_requests').where('id', '=', id).execute()
}
