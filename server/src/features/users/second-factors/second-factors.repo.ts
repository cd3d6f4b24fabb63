import { countFound } from '../../../store/count-found.ts'
import type { Db } from '../../../store/db.ts'
import { dialectOf } from '../../../store/dialect-of.ts'

export type Totp = { secret: string; since: number; step: number | null }

/** Locks a user until the end of the transaction, to serialise changes of their second factors. */
export async function lockPerson(db: Db, userId: string): Promise<void> {
  await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .modifyEnd(dialectOf(db).forUpdate)
    .executeTakeFirst()
}

/** Since when the password alone is not enough to sign in; null while it is. */
export async function findSecondFactorSince(db: Db, userId: string): Promise<number | null> {
  const row = await db
    .selectFrom('users')
    .select('second_factor_at as since')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.since ?? null
}

export async function setSecondFactorSince(db: Db, userId: string, since: number | null): Promise<void> {
  await db.updateTable('users').set({ second_factor_at: since }).where('id', '=', userId).execute()
}

export async function findTotp(db: Db, userId: string): Promise<Totp | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['totp_secret as secret', 'totp_since as since', 'totp_step as step'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (row === undefined || row.secret === null || row.since === null) return undefined
  return { secret: row.secret, since: row.since, step: row.step }
}

/** Replaces the user's authenticator app; null removes it. */
export async function setTotp(db: Db, userId: string, totp: Totp | null): Promise<void> {
  const { secret, since, step } = totp ?? { secret: null, since: null, step: null }
  await db
    .updateTable('users')
    .set({ totp_secret: secret, totp_since: since, totp_step: step })
    .where('id', '=', userId)
    .execute()
}

/** Records that a time step's code was used; false if it, or a later one, was used before. */
export async function useTotpStep(db: Db, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ totp_step: step })
    .where('id', '=', userId)
    .where((eb) => eb.or([eb('totp_step', 'is', null), eb('totp_step', '<', step)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return countFound(db.selectFrom('recovery_codes').where('user_id', '=', userId))
}

/** Replaces the user's recovery codes, given as hashes. */
export async function setRecoveryCodes(db: Db, userId: string, hashes: readonly string[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  if (hashes.length === 0) return
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute()
}

/** Deletes a code; returns whether it existed. */
export async function deleteRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
