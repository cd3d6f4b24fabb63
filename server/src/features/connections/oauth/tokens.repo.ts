import type { Db } from '../../../store/db.ts'
import { dialectOf } from '../../../store/dialect-of.ts'
import { toCamelRow } from '../../../store/row-names.ts'
import type { OAuthTokenKind } from '../../../store/schema.ts'
import {
  deleteCredentials,
  findCredential,
  insertCredential,
  setCredentialEnd,
} from '../../../tenancy/auth/credentials.repo.ts'

export type StoredToken = {
  hash: string
  accountId: number
  grantId: string
  payload: string
  consumedAt: number | null
  expiresAt: number
}

export async function insertToken(
  db: Db,
  token: Omit<StoredToken, 'consumedAt'> & { kind: OAuthTokenKind },
): Promise<void> {
  const { hash, kind, accountId, grantId, payload, expiresAt } = token
  await insertCredential(db, { hash, kind, accountId, subject: grantId, expiresAt })
  await db
    .insertInto('oauth_tokens')
    .values({ account_id: accountId, hash, grant_id: grantId, kind, payload, expires_at: expiresAt })
    .execute()
}

/** A token of this kind, even if it is used or expired. */
export async function findToken(
  db: Db,
  kind: OAuthTokenKind,
  hash: string,
): Promise<StoredToken | undefined> {
  const credential = await findCredential(db, hash)
  if (credential?.kind !== kind) return undefined
  const row = await db
    .selectFrom('oauth_tokens')
    .selectAll()
    .where('account_id', '=', credential.accountId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row && toCamelRow(row)
}

/** Marks a token as used, and sets how long that is remembered. Returns false if it was used before. */
export async function consumeToken(
  db: Db,
  { accountId, hash }: Pick<StoredToken, 'accountId' | 'hash'>,
  times: { at: number; expiresAt: number },
): Promise<boolean> {
  await setCredentialEnd(db, hash, times.expiresAt)
  const { numUpdatedRows } = await db
    .updateTable('oauth_tokens')
    .set({ consumed_at: times.at, expires_at: times.expiresAt })
    .where('account_id', '=', accountId)
    .where('hash', '=', hash)
    .where('consumed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

const tokensPerRound = 500

/** Deletes the tokens of a grant and their credentials. */
export async function deleteTokensOfGrant(db: Db, accountId: number, grantId: string): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('oauth_tokens')
      .select('hash')
      .where('account_id', '=', accountId)
      .where('grant_id', '=', grantId)
      .limit(tokensPerRound)
      .execute()
    const hashes = rows.map(({ hash }) => hash)
    if (hashes.length === 0) return
    await deleteCredentials(db, hashes)
    await db
      .deleteFrom('oauth_tokens')
      .where('account_id', '=', accountId)
      .where(dialectOf(db).isOneOf('hash', hashes))
      .execute()
  }
}
