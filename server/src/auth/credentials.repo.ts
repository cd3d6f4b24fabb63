import type { Db } from '../db/db.ts'
import { dialectOf } from '../db/dialect-of.ts'
import { prepared } from '../db/prepared.ts'
import type { CredentialsTable } from '../db/schema.ts'

/** What a secret leads to. Only its hash is kept. */
export type Credential = {
  hash: string
  kind: CredentialsTable['kind']
  accountId: number
  /** Id of what it proves: the session, the key, the person, ... */
  subject: string
  expiresAt: number | null
}

const selectCredential = prepared((db, { hash }: { hash: string }) =>
  db
    .selectFrom('credentials')
    .select(['hash', 'kind', 'account_id as accountId', 'subject', 'expires_at as expiresAt'])
    .where('hash', '=', hash),
)

/** The one look-up that discovers an account, so it cannot begin with it. Expired ones are found too. */
export async function findCredential(db: Db, hash: string): Promise<Credential | undefined> {
  const [found] = await selectCredential(db, { hash })
  return found
}

/** Keeps a credential; one of the same secret stays as it is. */
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

/** Answers how many of them there were. */
export async function deleteCredentials(db: Db, hashes: readonly string[]): Promise<number> {
  if (hashes.length === 0) return 0
  const { numDeletedRows } = await db
    .deleteFrom('credentials')
    .where(dialectOf(db).isOneOf('hash', hashes))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Ends what a person was sent of one kind, such as links; answers how many there were. */
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

/** Credentials that have expired, the longest expired first. */
export async function listEndedCredentials(db: Db, now: number, limit: number): Promise<Credential[]> {
  return db
    .selectFrom('credentials')
    .select(['hash', 'kind', 'account_id as accountId', 'subject', 'expires_at as expiresAt'])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
}
