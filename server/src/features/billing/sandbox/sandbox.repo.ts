import type { Db } from '../../../store/db.ts'
import { dialectOf } from '../../../store/dialect-of.ts'
import { type CamelRow, toCamelRow, toSnakeRow } from '../../../store/row-names.ts'
import type { CheckoutsTable } from '../../../store/schema.ts'
import {
  deleteCredentials,
  findCredential,
  insertCredential,
} from '../../../tenancy/auth/credentials.repo.ts'

/** A visit to the hosted checkout page. */
export type StoredCheckout = CamelRow<Omit<CheckoutsTable, 'token_hash'>>

export async function insertSetupIntent(
  db: Db,
  accountId: number,
  intent: { secretHash: string; expiresAt: number; now: number },
): Promise<void> {
  await db
    .deleteFrom('setup_intents')
    .where('account_id', '=', accountId)
    .where('expires_at', '<=', intent.now)
    .execute()
  await db
    .insertInto('setup_intents')
    .values({ account_id: accountId, secret_hash: intent.secretHash, expires_at: intent.expiresAt })
    .execute()
}

export async function hasSetupIntent(
  db: Db,
  accountId: number,
  secretHash: string,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('setup_intents')
    .select('expires_at')
    .where('account_id', '=', accountId)
    .where('secret_hash', '=', secretHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteSetupIntent(db: Db, accountId: number, secretHash: string): Promise<void> {
  await db
    .deleteFrom('setup_intents')
    .where('account_id', '=', accountId)
    .where('secret_hash', '=', secretHash)
    .execute()
}

const checkoutsForgottenMax = 100

/** Deletes an account's expired checkout visits. */
export async function deleteEndedCheckouts(db: Db, accountId: number, now: number): Promise<void> {
  const rows = await db
    .selectFrom('checkouts')
    .select('token_hash')
    .where('account_id', '=', accountId)
    .where('expires_at', '<=', now)
    .limit(checkoutsForgottenMax)
    .execute()
  if (rows.length === 0) return
  const hashes = rows.map((row) => row.token_hash)
  await deleteCredentials(db, hashes)
  await db
    .deleteFrom('checkouts')
    .where('account_id', '=', accountId)
    .where(dialectOf(db).isOneOf('token_hash', hashes))
    .execute()
}

export async function insertCheckout(db: Db, tokenHash: string, checkout: StoredCheckout): Promise<void> {
  const { accountId, expiresAt } = checkout
  const credential = { hash: tokenHash, accountId, subject: tokenHash, expiresAt }
  await insertCredential(db, { ...credential, kind: 'checkout' })
  await db
    .insertInto('checkouts')
    .values({ token_hash: tokenHash, ...toSnakeRow(checkout) })
    .execute()
}

/** This look-up discovers the account: anyone with the address can check out. */
export async function findCheckoutByToken(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<StoredCheckout | undefined> {
  const credential = await findCredential(db, tokenHash)
  if (credential?.kind !== 'checkout') return undefined
  const row = await db
    .selectFrom('checkouts')
    .selectAll()
    .where('account_id', '=', credential.accountId)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { token_hash, ...checkout } = row
  return toCamelRow(checkout)
}

export async function completeCheckout(
  db: Db,
  accountId: number,
  tokenHash: string,
  at: number,
): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({ completed_at: at })
    .where('account_id', '=', accountId)
    .where('token_hash', '=', tokenHash)
    .execute()
}
