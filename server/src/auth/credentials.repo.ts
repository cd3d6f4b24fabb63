import type { Role } from '@loci/contract/auth'
import type { Db } from '../db/dialect.ts'

/** These look-ups discover the account, so they cannot begin with it. */

export type FoundKey = {
  accountId: string
  userId: string
  role: Role
  keyId: string
  expiresAt: number | null
}

/** An API key whose maker is still a member of the account. */
export async function findApiKeyByHash(db: Db, hash: string): Promise<FoundKey | undefined> {
  return db
    .selectFrom('api_keys')
    .innerJoin('members', (join) =>
      join
        .onRef('members.account_id', '=', 'api_keys.account_id')
        .onRef('members.user_id', '=', 'api_keys.created_by'),
    )
    .select([
      'api_keys.account_id as accountId',
      'api_keys.created_by as userId',
      'members.role',
      'api_keys.id as keyId',
      'api_keys.expires_at as expiresAt',
    ])
    .where('key_hash', '=', hash)
    .executeTakeFirst()
}

export async function findPersonalKeyByHash(
  db: Db,
  hash: string,
): Promise<{ accountId: string; userId: string; role: Role } | undefined> {
  return db
    .selectFrom('users')
    .innerJoin('members', 'members.user_id', 'users.id')
    .select(['members.account_id as accountId', 'users.id as userId', 'members.role'])
    .where('personal_key_hash', '=', hash)
    .orderBy('members.created_at')
    .limit(1)
    .executeTakeFirst()
}

export type FoundSession = {
  accountId: string
  userId: string
  role: Role
  sessionId: string
  lastSeenAt: number
  expiresAt: number
}

export async function findSessionByHash(db: Db, tokenHash: string): Promise<FoundSession | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('members', (join) =>
      join
        .onRef('members.account_id', '=', 'sessions.account_id')
        .onRef('members.user_id', '=', 'sessions.user_id'),
    )
    .select([
      'sessions.account_id as accountId',
      'sessions.user_id as userId',
      'members.role',
      'sessions.id as sessionId',
      'sessions.last_seen_at as lastSeenAt',
      'sessions.expires_at as expiresAt',
    ])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
}

export async function slideSession(
  db: Db,
  tokenHash: string,
  times: { lastSeenAt: number; expiresAt: number },
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: times.lastSeenAt, expires_at: times.expiresAt })
    .where('token_hash', '=', tokenHash)
    .execute()
}
