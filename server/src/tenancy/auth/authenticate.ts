import { AppError } from '../../ground/errors/app-error.ts'
import { accessTokenPrefix, isApiKey, keyPrefix, sha256 } from '../../ground/lib/secrets.ts'
import { dayMs, hourMs, minuteMs } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import type { Context } from '../context.ts'
import type { Caller } from './actor.ts'
import {
  type FoundConnection,
  type FoundKey,
  findAccountOfUser,
  findCallerMember,
  findConnectionByHash,
  findKeyByHash,
  findSessionByHash,
  setConnectionUsed,
  slideSession,
} from './callers.repo.ts'

/** A session ends this long after its last use. */
const idleSessionMs = 30 * dayMs
/** A session ends this long after it began, even if it is in use. */
const sessionAgeMaxMs = 90 * dayMs
/** How stale "last seen" can be: a write per request would cost too much. */
const lastSeenStepMs = hourMs
const lastUsedStepMs = 10 * minuteMs

/** When a session ends, given its start and its last use. */
export function endOfSession(createdAt: number, lastSeenAt: number): number {
  return Math.min(lastSeenAt + idleSessionMs, createdAt + sessionAgeMaxMs)
}

const refuse = () => new AppError('not_authenticated', 'Sign in, or send an API key as a bearer token')

/** Returns the token of an `Authorization` header. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')?.[1]
}

/** Returns the caller of an `Authorization` header. Throws `not_authenticated`. */
export async function authenticate(ctx: Context, authorization: string | undefined): Promise<Caller> {
  const token = bearerOf(authorization)
  const caller = token === undefined ? undefined : await findCaller(ctx, token)
  if (caller === undefined) throw refuse()
  return caller
}

/** Returns the caller of a session token, API key, personal key or OAuth access token. Throws `not_authenticated`. */
export async function authenticateToken(ctx: Context, token: string): Promise<Caller> {
  const caller = await findCaller(ctx, token)
  if (caller === undefined) throw refuse()
  return caller
}

function findCaller(ctx: Context, token: string): Promise<Caller | undefined> {
  if (token.startsWith(keyPrefix)) return callerOfKey(ctx, token)
  if (token.startsWith(accessTokenPrefix)) return callerOfConnection(ctx, token)
  return callerOfSession(ctx, token)
}

async function callerOfKey(ctx: Context, key: string): Promise<Caller | undefined> {
  const found = await findKeyByHash(ctx.db, sha256(key), () => isApiKey(key))
  return found === undefined ? undefined : callerOfFoundKey(ctx, found)
}

/** The caller that a key makes; undefined once it has expired. */
export function callerOfFoundKey(ctx: Context, found: FoundKey): Caller | undefined {
  const { accountId, userId, role, keyId, expiresAt, permissions, spaces, writes, doors } = found
  if (keyId === null) return { kind: 'personal_key', accountId, userId, role, ...spacesOf(found) }
  if (expiresAt !== null && expiresAt <= ctx.now()) return undefined
  return {
    kind: 'api_key',
    accountId,
    userId,
    role,
    keyId,
    ...spacesOf(found),
    ...(expiresAt === null ? {} : { endsAt: expiresAt }),
    ...(permissions === null ? {} : { permissions }),
    ...(spaces === null ? {} : { spaces }),
    ...(writes === null ? {} : { writes: 'propose' as const }),
    ...(doors === null ? {} : { doors }),
  }
}

async function callerOfConnection(ctx: Context, token: string): Promise<Caller | undefined> {
  const found = await findConnectionByHash(ctx.db, sha256(token))
  const now = ctx.now()
  if (found === undefined || found.expiresAt <= now) return undefined
  // Not awaited: a write may have to wait for others, and this call may only read.
  if (now - (found.lastUsedAt ?? 0) > lastUsedStepMs) void noteUse(ctx, found, now)
  return callerOfFoundConnection(found)
}

export function callerOfFoundConnection(found: FoundConnection): Caller {
  const { accountId, userId, role, connectionId, permissions, spaceId, writes, expiresAt: endsAt } = found
  return {
    kind: 'oauth',
    accountId,
    userId,
    role,
    connectionId,
    permissions,
    spaces: [spaceId],
    endsAt,
    ...(writes === null ? {} : { writes: 'propose' as const }),
    ...hasReviewed(found.reviewed),
  }
}

async function noteUse(ctx: Context, connection: FoundConnection, now: number): Promise<void> {
  try {
    await transact(ctx, connection.accountId, ({ db }) => setConnectionUsed(db, connection, now))
  } catch (error) {
    ctx.log.warn({ err: error }, 'the use of a connection could not be recorded; its next call tries again')
  }
}

async function callerOfSession(ctx: Context, token: string): Promise<Caller | undefined> {
  const tokenHash = sha256(token)
  const session = await findSessionByHash(ctx.db, tokenHash)
  const now = ctx.now()
  if (session === undefined || session.expiresAt <= now) return undefined
  // Not awaited: a write may have to wait for others, and this call may only read.
  if (now - session.lastSeenAt > lastSeenStepMs) void slide(ctx, { tokenHash, ...session }, now)
  const { accountId, userId, role, sessionId, lacksSecondFactor, expiresAt: endsAt } = session
  return {
    kind: 'session',
    accountId,
    userId,
    role,
    sessionId,
    endsAt,
    ...(lacksSecondFactor ? { lacksSecondFactor } : {}),
    ...spacesOf(session),
  }
}

type Session = { tokenHash: string; accountId: number; sessionId: string; createdAt: number }

async function slide(ctx: Context, session: Session, now: number): Promise<void> {
  const times = { lastSeenAt: now, expiresAt: endOfSession(session.createdAt, now) }
  try {
    await transact(ctx, ({ db }) => slideSession(db, session, times))
  } catch (error) {
    ctx.log.warn({ err: error }, 'a session could not be extended; its next call tries again')
  }
}

const notFound = () => new AppError('account_not_found', 'Account not found')

/** The caller in the account with this id. Throws `account_not_found`. */
export async function enterNamedAccount(ctx: Context, caller: Caller, id: string): Promise<Caller> {
  const accountId = await findAccountOfUser(ctx.db, caller.userId, id)
  if (accountId === undefined) throw notFound()
  return enterAccount(ctx, caller, accountId)
}

/**
 * The caller in another of their accounts. Only people can choose one: keys and tokens belong to one account. Throws
 * `account_not_found`.
 */
export async function enterAccount({ db }: Context, caller: Caller, accountId: number): Promise<Caller> {
  if (accountId === caller.accountId) return caller
  const mayChoose = caller.kind === 'session' || caller.kind === 'personal_key'
  const member = mayChoose ? await findCallerMember(db, accountId, caller.userId) : undefined
  if (member === undefined) throw notFound()
  const { homeSpaceId: _, lacksSecondFactor: __, hasReviewed: ___, ...rest } = caller
  return {
    ...rest,
    accountId,
    role: member.role,
    homeAccountId: caller.accountId,
    ...(caller.kind === 'session' && member.lacksSecondFactor ? { lacksSecondFactor: true } : {}),
    ...spacesOf(member),
  }
}

/** The space that a member's calls work on by default, and how many there are. */
export function spacesOf({
  home,
  spaceCount,
  reviewed,
}: Record<'home' | 'spaceCount' | 'reviewed', number | null>) {
  return {
    ...(home === null ? {} : { homeSpaceId: home }),
    spaceCount: Number(spaceCount ?? 1),
    ...hasReviewed(reviewed),
  }
}

export const hasReviewed = (reviewed: number | null) =>
  Number(reviewed ?? 0) > 0 ? { hasReviewed: true } : {}
