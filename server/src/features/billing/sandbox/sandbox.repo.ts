import type { Db } from '../../../db/db.ts'

/** A visit to the hosted checkout page. */
export type StoredCheckout = {
  accountId: string
  plan: string
  successUrl: string
  cancelUrl: string
  completedAt: number | null
  expiresAt: number
}

export async function insertSetupIntent(
  db: Db,
  accountId: string,
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
  accountId: string,
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

export async function deleteSetupIntent(db: Db, accountId: string, secretHash: string): Promise<void> {
  await db
    .deleteFrom('setup_intents')
    .where('account_id', '=', accountId)
    .where('secret_hash', '=', secretHash)
    .execute()
}

/** Also forgets the account's visits that have expired. */
export async function insertCheckout(
  db: Db,
  tokenHash: string,
  checkout: StoredCheckout,
  now: number,
): Promise<void> {
  await db
    .deleteFrom('checkouts')
    .where('account_id', '=', checkout.accountId)
    .where('expires_at', '<=', now)
    .execute()
  await db
    .insertInto('checkouts')
    .values({
      token_hash: tokenHash,
      account_id: checkout.accountId,
      plan: checkout.plan,
      success_url: checkout.successUrl,
      cancel_url: checkout.cancelUrl,
      completed_at: checkout.completedAt,
      expires_at: checkout.expiresAt,
    })
    .execute()
}

/** This look-up discovers the account: who has the address may check out. */
export async function findCheckoutByToken(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<StoredCheckout | undefined> {
  const row = await db
    .selectFrom('checkouts')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    accountId: row.account_id,
    plan: row.plan,
    successUrl: row.success_url,
    cancelUrl: row.cancel_url,
    completedAt: row.completed_at,
    expiresAt: row.expires_at,
  }
}

export async function completeCheckout(db: Db, tokenHash: string, at: number): Promise<void> {
  await db.updateTable('checkouts').set({ completed_at: at }).where('token_hash', '=', tokenHash).execute()
}
