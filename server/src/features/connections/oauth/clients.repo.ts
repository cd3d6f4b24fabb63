import type { Db } from '../../../store/db.ts'

export async function insertClient(
  db: Db,
  client: { id: string; metadata: object; at: number; expiresAt: number },
): Promise<void> {
  const { id, metadata, at, expiresAt } = client
  await db
    .insertInto('oauth_clients')
    .values({ id, metadata: JSON.stringify(metadata), created_at: at, expires_at: expiresAt })
    .execute()
}

/** The metadata of a client that registered itself. */
export async function findClient(
  db: Db,
  id: string,
  now: number,
): Promise<Record<string, unknown> | undefined> {
  const row = await db
    .selectFrom('oauth_clients')
    .select('metadata')
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row && JSON.parse(row.metadata)
}

/** Extends a client that would expire before `before` to `expiresAt`. */
export async function keepClient(
  db: Db,
  id: string,
  { before, expiresAt }: { before: number; expiresAt: number },
): Promise<void> {
  await db
    .updateTable('oauth_clients')
    .set({ expires_at: expiresAt })
    .where('id', '=', id)
    .where('expires_at', '<', before)
    .execute()
}
