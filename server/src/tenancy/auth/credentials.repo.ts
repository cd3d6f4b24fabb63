import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared } from '../../store/prepared.ts'
import type { CredentialsTable } from '../../store/schema.ts'

/** What a secret identifies. Only its hash is stored. */
export type Credential = {
  hash: string
  kind: CredentialsTable['kind']
  accountId: number
  /** Id of the session, key, person, ... that it proves. */
  subject: string
  expiresAt: number | null
}

const selectCredential = prepared((db, { hash }: { hash: string }) =>
  db
    .selectFrom('credentials')
    .select(['hash', 'kind', 'account_id as accountId', 'subject', 'expires_at as expiresAt'])
    .where('hash', '=', hash),
)

/** The only look-up that discovers an account, so its key cannot begin with one. Expired credentials are found too. */
export async function findCredential(db: Db, hash: string): Promise<Credential | undefined> {
  const [found] = await selectCredential(db, { hash })
  return found
}

/** Stores a credential; an existing one with the same hash is kept. */
export async function insertCredential(db: Db, credential: Credential): Promise<void> {
  const { accountId, expiresAt, ...rest } = credential
  await db
    .insertInto('credentials')
    .values({ ...rest, account_id: accountId, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function setCredentialEnd(db: Db, hash: string, expiresAt: number): Promise<void> {
  await db.updateTable('credentials').set({ expires_at: expiresAt }).where('hash', '=', hash).execute()
}

/** Returns how many were deleted. */
export async function deleteCredentials(db: Db, hashes: readonly string[]): Promise<number> {
  if (hashes.length === 0) return 0
  const { numDeletedRows } = await db
    .deleteFrom('credentials')
    .where(dialectOf(db).isOneOf('hash', hashes))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Deletes all of a person's credentials of one kind, such as links, and returns how many there were. */
export async function deleteCredentialsOf(
  db: Db,
  { kind, accountId, subject }: Pick<Credential, 'kind' | 'accountId' | 'subject'>,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('credentials')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Expired credentials, the earliest expiry first. */
export async function listEndedCredentials(db: Db, now: number, limit: number): Promise<Credential[]> {
  return db
    .selectFrom('credentials')
    .select(['hash', 'kind', 'account_id as accountId', 'subject', 'expires_at as expiresAt'])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
}
