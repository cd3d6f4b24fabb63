import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../errors/app-error.ts'
import { isApiKey, keyPrefix, sha256 } from '../lib/secrets.ts'
import { dayMs, hourMs } from '../lib/time.ts'
import type { Caller } from './actor.ts'
import { findKeyByHash, findSessionByHash, slideSession } from './callers.repo.ts'

/** A session ends this long after it was last used. */
const idleSessionMs = 30 * dayMs
/** A session ends this long after it began, however often it is used. */
const sessionAgeMaxMs = 90 * dayMs
/** How stale "last seen" may be: a write for each request would cost more than it is worth. */
const lastSeenStepMs = hourMs

/** When a session that began at one moment and was last used at another ends. */
export function endOfSession(createdAt: number, lastSeenAt: number): number {
  return Math.min(lastSeenAt + idleSessionMs, createdAt + sessionAgeMaxMs)
}

const refuse = () => new AppError('not_authenticated', 'Sign in, or send an API key as a bearer token')

/** The token in an `Authorization` header. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')?.[1]
}

/** The caller behind an `Authorization` header. Throws `not_authenticated`. */
export async function authenticate(ctx: Context, authorization: string | undefined): Promise<Caller> {
  const token = bearerOf(authorization)
  if (token === undefined) throw refuse()
  return authenticateToken(ctx, token)
}

/** The caller behind a session token, an API key or a personal key. Throws `not_authenticated`. */
export async function authenticateToken(ctx: Context, token: string): Promise<Caller> {
  const caller = token.startsWith(keyPrefix)
    ? await callerOfKey(ctx, token)
    : await callerOfSession(ctx, token)
  if (caller === undefined) throw refuse()
  return caller
}

async function callerOfKey(ctx: Context, key: string): Promise<Caller | undefined> {
  const found = await findKeyByHash(ctx.db, sha256(key), () => isApiKey(key))
  if (found === undefined) return undefined
  const { accountId, userId, role, keyId, expiresAt, permissions, spaces } = found
  if (keyId === null) return { kind: 'personal_key', accountId, userId, role }
  if (expiresAt !== null && expiresAt <= ctx.now()) return undefined
  return {
    kind: 'api_key',
    accountId,
    userId,
    role,
    keyId,
    ...(expiresAt === null ? {} : { endsAt: expiresAt }),
    ...(permissions === null ? {} : { permissions }),
    ...(spaces === null ? {} : { spaces }),
  }
}

async function callerOfSession(ctx: Context, token: string): Promise<Caller | undefined> {
  const tokenHash = sha256(token)
  const session = await findSessionByHash(ctx.db, tokenHash)
  const now = ctx.now()
  if (session === undefined || session.expiresAt <= now) return undefined
  // Not awaited: a write may have to wait for others, and the call may only read.
  if (now - session.lastSeenAt > lastSeenStepMs) void slide(ctx, { tokenHash, ...session }, now)
  const { accountId, userId, role, sessionId, expiresAt: endsAt } = session
  return { kind: 'session', accountId, userId, role, sessionId, endsAt }
}

type Session = { tokenHash: string; accountId: number; sessionId: string; createdAt: number }

async function slide(ctx: Context, session: Session, now: number): Promise<void> {
  const times = { lastSeenAt: now, expiresAt: endOfSession(session.createdAt, now) }
  try {
    await transact(ctx, ({ db }) => slideSession(db, session, times))
  } catch (error) {
    ctx.log.warn({ err: error }, 'a session could not be prolonged; its next call tries again')
  }
}
