import type { Session } from '@loci/contract/auth'
import { toIso } from '../../ground/lib/time.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { deleteCredentials, insertCredential } from '../../tenancy/auth/credentials.repo.ts'

const sessionsListedMax = 500

export type NewSession = {
  tokenHash: string
  id: string
  accountId: number
  userId: string
  userAgent: string
  network: string | null
  at: number
  expiresAt: number
}

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  const { tokenHash, id, accountId, expiresAt } = session
  await insertCredential(db, { hash: tokenHash, kind: 'session', accountId, subject: id, expiresAt })
  await db
    .insertInto('sessions')
    .values({
      token_hash: tokenHash,
      id,
      account_id: accountId,
      user_id: session.userId,
      user_agent: session.userAgent,
      network: session.network,
      created_at: session.at,
      last_seen_at: session.at,
      expires_at: expiresAt,
    })
    .execute()
}

type OfUser = { accountId: number; userId: string }

/** Sessions that have not ended, newest first. */
export async function listSessionRows(db: Db, actor: Actor, now: number): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sessionsListedMax)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    userAgent: row.user_agent,
    network: row.network,
    current: row.id === actor.sessionId,
    createdAt: toIso(row.created_at),
    lastSeenAt: toIso(row.last_seen_at),
    expiresAt: toIso(row.expires_at),
  }))
}

/** Ends a session of a user; returns whether it existed. */
export async function deleteSession(db: Db, { accountId, userId }: OfUser, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select(['id', 'token_hash'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return false
  await deleteSessionRows(db, accountId, [row])
  return true
}

/** Ends all sessions of a user, except one if given. */
export async function deleteSessions(
  db: Db,
  { accountId, userId }: OfUser,
  exceptId?: string,
): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('sessions')
      .select(['id', 'token_hash'])
      .where('account_id', '=', accountId)
      .where('user_id', '=', userId)
      .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId!))
      .limit(sessionsListedMax)
      .execute()
    await deleteSessionRows(db, accountId, rows)
    if (rows.length < sessionsListedMax) return
  }
}

/** Deletes the credential first, in the same order as the sweep, so that concurrent deletions do not deadlock. */
async function deleteSessionRows(
  db: Db,
  accountId: number,
  rows: { id: string; token_hash: string }[],
): Promise<void> {
  if (rows.length === 0) return
  const hashes = rows.map((row) => row.token_hash)
  const ids = rows.map((row) => row.id)
  await deleteCredentials(db, hashes)
  await db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where(dialectOf(db).isOneOf('id', ids))
    .execute()
}
