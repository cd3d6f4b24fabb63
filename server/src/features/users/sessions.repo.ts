import type { Session } from '@loci/contract/auth'
import type { Actor } from '../../auth/actor.ts'
import type { Db } from '../../db/db.ts'
import { toIso } from '../../lib/time.ts'

const sessionsListedMax = 500

export type NewSession = {
  tokenHash: string
  id: string
  accountId: string
  userId: string
  userAgent: string
  at: number
  expiresAt: number
}

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      token_hash: session.tokenHash,
      id: session.id,
      account_id: session.accountId,
      user_id: session.userId,
      user_agent: session.userAgent,
      created_at: session.at,
      last_seen_at: session.at,
      expires_at: session.expiresAt,
    })
    .execute()
}

/** Sessions that have not ended, newest first. */
export async function listSessions(db: Db, actor: Actor, now: number): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', actor.userId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sessionsListedMax)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    userAgent: row.user_agent,
    current: row.id === actor.sessionId,
    createdAt: toIso(row.created_at),
    lastSeenAt: toIso(row.last_seen_at),
    expiresAt: toIso(row.expires_at),
  }))
}

/** Ends one session of a user; answers whether there was one. */
export async function deleteSession(db: Db, userId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Ends all sessions of a user, but for one if given. */
export async function deleteSessions(db: Db, userId: string, exceptId?: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId!))
    .execute()
}

export async function deleteEndedSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
}
