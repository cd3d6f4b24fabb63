import type { Role } from '@loci/contract/auth'
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { prepared } from '../db/prepared.ts'
import { remembered } from '../db/remembered.ts'

/** These look-ups discover the account, so they cannot begin with it. */

export type FoundKey = {
  accountId: string
  userId: string
  role: Role
  /** Absent for a personal key. */
  keyId: string | null
  expiresAt: number | null
}

const selectKey = prepared((db, { hash }: { hash: string }) =>
  db
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
      sql<string | null>`api_keys.id`.as('keyId'),
      'api_keys.expires_at as expiresAt',
      'members.created_at as since',
    ])
    .where('key_hash', '=', hash)
    .unionAll(
      db
        .selectFrom('users')
        .innerJoin('members', 'members.user_id', 'users.id')
        .select([
          'members.account_id as accountId',
          'users.id as userId',
          'members.role',
          sql<string | null>`null`.as('keyId'),
          sql<number | null>`null`.as('expiresAt'),
          'members.created_at as since',
        ])
        .where('personal_key_hash', '=', hash),
    ),
)

/**
 * An API key whose maker is still a member of the account, or a personal key with the account its owner was first in.
 * Looks for those only that `mayExist`, which is not asked for one that is remembered.
 */
export const findKeyByHash = remembered(
  async (db, hash, mayExist: () => boolean): Promise<FoundKey | undefined> => {
    if (!mayExist()) return undefined
    const [found] = (await selectKey(db, { hash })).sort((a, b) => a.since - b.since)
    if (found === undefined) return undefined
    const { since, ...key } = found
    return key
  },
)

export type FoundSession = {
  accountId: string
  userId: string
  role: Role
  sessionId: string
  lastSeenAt: number
  expiresAt: number
}

const selectSession = prepared((db, { tokenHash }: { tokenHash: string }) =>
  db
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
    .where('token_hash', '=', tokenHash),
)

export const findSessionByHash = remembered(async (db, tokenHash): Promise<FoundSession | undefined> => {
  const [found] = await selectSession(db, { tokenHash })
  return found
})

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
