import type { Selectable } from 'kysely'
import type { Db } from '../../../store/db.ts'
import type { PasskeysTable } from '../../../store/schema.ts'

export type StoredPasskey = Selectable<PasskeysTable>

const listedMax = 100

/** Oldest first. */
export function listPasskeys(db: Db, userId: string): Promise<StoredPasskey[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(listedMax)
    .execute()
}

/** The only look-up that does not start from the user. */
export function findPasskeyByCredential(db: Db, credentialId: string): Promise<StoredPasskey | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()
}

export async function insertPasskey(db: Db, passkey: StoredPasskey): Promise<void> {
  await db.insertInto('passkeys').values(passkey).execute()
}

/** Returns whether it existed. */
export async function updatePasskeyName(db: Db, userId: string, id: string, name: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Records a use; false if the authenticator's counter did not increase, which suggests a cloned authenticator. */
export async function notePasskeyUse(
  db: Db,
  { user_id, id }: Pick<StoredPasskey, 'user_id' | 'id'>,
  { counter, backedUp, at }: { counter: number; backedUp: boolean; at: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, backed_up: backedUp ? 1 : 0, last_used_at: at })
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .$if(counter > 0, (query) => query.where('counter', '<', counter))
    .$if(counter === 0, (query) => query.where('counter', '=', 0))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns whether it existed. */
export async function deletePasskeyRow(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deletePasskeys(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
}
