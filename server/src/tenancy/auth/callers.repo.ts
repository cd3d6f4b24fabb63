import type { Door } from '@loci/contract/doors'
import { type KeyRight, MemoryRight, type Role } from '@loci/contract/rights'
import { cachedUntilCommit } from '../../store/cached-until-commit.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared } from '../../store/prepared.ts'
import { listAccountsOfUser } from './accounts-of-user.repo.ts'
import { findCredential, setCredentialEnd } from './credentials.repo.ts'
import { homeSpaceOf, reviewedSpacesOf, spaceCountOf } from './spaces.repo.ts'

/**
 * Callers without a row in `members` are not found: people who left, and accounts being deleted. Suspended callers
 * are not found until the suspension is lifted.
 */

/** Of the account; see `auth/spaces.repo.ts`. */
type OfSpaces = { home: number | null; spaceCount: number | null; reviewed: number | null }
const ofSpaces = (db: Db, accountId: number) => [
  homeSpaceOf(db, accountId).as('home'),
  spaceCountOf(db, accountId).as('spaceCount'),
  reviewedSpacesOf(db, accountId).as('reviewed'),
]

export type FoundKey = {
  accountId: number
  userId: string
  role: Role
  /** Absent for a personal key. */
  keyId: string | null
  expiresAt: number | null
  permissions: readonly KeyRight[] | null
  spaces: readonly number[] | null
  /** As of `api_keys`. */
  writes: string | null
  doors: Readonly<Record<number, Door>> | null
} & OfSpaces

type OfAccount = { accountId: number }

const selectKey = prepared((db, { accountId, keyId }: OfAccount & { keyId: string }) =>
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
      'api_keys.id as keyId',
      'api_keys.expires_at as expiresAt',
      'api_keys.permissions',
      'api_keys.spaces',
      'api_keys.writes',
      'api_keys.doors',
    ])
    .select(ofSpaces(db, accountId))
    .where('api_keys.account_id', '=', accountId)
    .where('api_keys.id', '=', keyId)
    .where('members.suspended_at', 'is', null),
)

const selectMember = prepared((db, { accountId, userId }: OfAccount & { userId: string }) =>
  db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.account_id', 'members.account_id')
    .select([
      'members.account_id as accountId',
      'members.user_id as userId',
      'members.role',
      'accounts.second_factor_required as required',
    ])
    .select(ofSpaces(db, accountId))
    .where('members.account_id', '=', accountId)
    .where('members.user_id', '=', userId)
    .where('members.suspended_at', 'is', null),
)

/** The number of the account with this id, if the user is a member. */
export async function findAccountOfUser(db: Db, userId: string, id: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.account_id', 'members.account_id')
    .select('members.account_id as accountId')
    .where(dialectOf(db).isOneOfNumbers('members.account_id', await listAccountsOfUser(db, userId)))
    .where('members.user_id', '=', userId)
    .where('accounts.id', '=', id)
    .executeTakeFirst()
  return row?.accountId
}

/** A user's membership in an account, unless they left or are suspended. */
export async function findCallerMember(db: Db, accountId: number, userId: string) {
  const [member] = await selectMember(db, { accountId, userId })
  if (member === undefined) return undefined
  const { required, ...found } = member
  return { ...found, lacksSecondFactor: await lacksSecondFactor(db, userId, required) }
}

/**
 * Finds an API key whose creator is still a member of the account, or a personal key with the account that its owner
 * signs in to. Queries only hashes that `mayExist`; remembered ones skip that check.
 */
export const findKeyByHash = cachedUntilCommit(
  async (db, hash, mayExist: () => boolean): Promise<FoundKey | undefined> => {
    if (!mayExist()) return undefined
    const credential = await findCredential(db, hash)
    if (credential === undefined) return undefined
    const { kind, accountId, subject } = credential
    if (kind === 'api_key') {
      return findKeyById(db, accountId, subject)
    }
    if (kind !== 'personal_key') return undefined
    const [member] = await selectMember(db, { accountId, userId: subject })
    if (member === undefined) return undefined
    return {
      ...member,
      keyId: null,
      expiresAt: null,
      permissions: null,
      spaces: null,
      writes: null,
      doors: null,
    }
  },
)

/** A key whose creator is still a member of the account. */
export async function findKeyById(db: Db, accountId: number, keyId: string): Promise<FoundKey | undefined> {
  const [key] = await selectKey(db, { accountId, keyId })
  if (key === undefined) return undefined
  const { permissions, spaces, doors } = key
  return {
    ...key,
    permissions: parseJson(permissions),
    spaces: parseJson(spaces),
    doors: parseJson(doors),
  }
}

const parseJson = (json: string | null) => (json === null ? null : JSON.parse(json))

/** Of a signed-in member. */
type OfSecondFactor = { lacksSecondFactor: boolean }

/** Queried only if the account requires a second factor: most do not, and people are on another node than accounts. */
async function lacksSecondFactor(db: Db, userId: string, required: number): Promise<boolean> {
  if (required === 0) return false
  const [user] = await selectSecondFactor(db, { userId })
  return (user?.since ?? null) === null
}

const selectSecondFactor = prepared((db, { userId }: { userId: string }) =>
  db.selectFrom('users').select('second_factor_at as since').where('id', '=', userId),
)

export type FoundSession = {
  accountId: number
  userId: string
  role: Role
  sessionId: string
  createdAt: number
  lastSeenAt: number
  expiresAt: number
} & OfSpaces &
  OfSecondFactor

const selectSession = prepared((db, { accountId, sessionId }: OfAccount & { sessionId: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('members', (join) =>
      join
        .onRef('members.account_id', '=', 'sessions.account_id')
        .onRef('members.user_id', '=', 'sessions.user_id'),
    )
    .innerJoin('accounts', 'accounts.account_id', 'sessions.account_id')
    .select([
      'sessions.account_id as accountId',
      'sessions.user_id as userId',
      'members.role',
      'sessions.id as sessionId',
      'sessions.created_at as createdAt',
      'sessions.last_seen_at as lastSeenAt',
      'sessions.expires_at as expiresAt',
      'accounts.second_factor_required as required',
    ])
    .select(ofSpaces(db, accountId))
    .where('sessions.account_id', '=', accountId)
    .where('sessions.id', '=', sessionId)
    .where('members.suspended_at', 'is', null),
)

export const findSessionByHash = cachedUntilCommit(
  async (db, tokenHash): Promise<FoundSession | undefined> => {
    const credential = await findCredential(db, tokenHash)
    if (credential?.kind !== 'session') return undefined
    const [session] = await selectSession(db, {
      accountId: credential.accountId,
      sessionId: credential.subject,
    })
    if (session === undefined) return undefined
    const { required, ...found } = session
    return { ...found, lacksSecondFactor: await lacksSecondFactor(db, found.userId, required) }
  },
)

/** Records that a session was used, and moves its end. Call it in a transaction. */
export async function slideSession(
  db: Db,
  session: { tokenHash: string; accountId: number; sessionId: string },
  times: { lastSeenAt: number; expiresAt: number },
): Promise<void> {
  await setCredentialEnd(db, session.tokenHash, times.expiresAt)
  await db
    .updateTable('sessions')
    .set({ last_seen_at: times.lastSeenAt, expires_at: times.expiresAt })
    .where('account_id', '=', session.accountId)
    .where('id', '=', session.sessionId)
    .execute()
}

export async function deleteSessionRow(db: Db, accountId: number, sessionId: string): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', accountId).where('id', '=', sessionId).execute()
}

export type FoundConnection = {
  accountId: number
  userId: string
  role: Role
  connectionId: string
  spaceId: number
  permissions: readonly MemoryRight[]
  lastUsedAt: number | null
  expiresAt: number
  /** As of `api_keys`. */
  writes: string | null
  isReadOnly: number
  /** See `reviewedSpacesOf`. */
  reviewed: number | null
}

const grantColumns = [
  'oauth_grants.account_id as accountId',
  'oauth_grants.user_id as userId',
  'members.role',
  'oauth_grants.id as connectionId',
  'oauth_grants.space_id as spaceId',
  'oauth_grants.last_used_at as lastUsedAt',
  'oauth_grants.writes',
  'oauth_grants.is_read_only as isReadOnly',
] as const

const selectConnection = prepared((db, { accountId, hash }: OfAccount & { hash: string }) =>
  db
    .selectFrom('oauth_tokens')
    .innerJoin('oauth_grants', (join) =>
      join
        .onRef('oauth_grants.account_id', '=', 'oauth_tokens.account_id')
        .onRef('oauth_grants.id', '=', 'oauth_tokens.grant_id'),
    )
    .innerJoin('members', (join) =>
      join
        .onRef('members.account_id', '=', 'oauth_grants.account_id')
        .onRef('members.user_id', '=', 'oauth_grants.user_id'),
    )
    .select(grantColumns)
    .select(['oauth_tokens.payload', 'oauth_tokens.expires_at as expiresAt'])
    .select(reviewedSpacesOf(db, accountId).as('reviewed'))
    .where('oauth_tokens.account_id', '=', accountId)
    .where('oauth_tokens.hash', '=', hash)
    .where('members.suspended_at', 'is', null),
)

/** The user behind an access token, whose scopes can be narrower than those of its connection. */
export const findConnectionByHash = cachedUntilCommit(
  async (db, hash): Promise<FoundConnection | undefined> => {
    const credential = await findCredential(db, hash)
    if (credential?.kind !== 'oauth_access') return undefined
    const [found] = await selectConnection(db, { accountId: credential.accountId, hash })
    if (found === undefined) return undefined
    const { payload, ...connection } = found
    const scopes = String(JSON.parse(payload).scope ?? '').split(' ')
    const { isReadOnly } = connection
    return { ...connection, permissions: rightsOfScopes(scopes, isReadOnly) }
  },
)

const rightsOfScopes = (scopes: readonly string[], isReadOnly: number) =>
  MemoryRight.options.filter(
    (right) => scopes.includes(right) && (isReadOnly === 0 || right === 'memory:read'),
  )

/** A connection with all the rights it was granted, whatever its tokens; its person is still a member. */
export async function findConnectionById(
  db: Db,
  accountId: number,
  id: string,
): Promise<FoundConnection | undefined> {
  const found = await db
    .selectFrom('oauth_grants')
    .innerJoin('members', (join) =>
      join
        .onRef('members.account_id', '=', 'oauth_grants.account_id')
        .onRef('members.user_id', '=', 'oauth_grants.user_id'),
    )
    .select(grantColumns)
    .select(['oauth_grants.scopes', 'oauth_grants.expires_at as expiresAt'])
    .select(reviewedSpacesOf(db, accountId).as('reviewed'))
    .where('oauth_grants.account_id', '=', accountId)
    .where('oauth_grants.id', '=', id)
    .where('members.suspended_at', 'is', null)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { scopes, ...connection } = found
  return { ...connection, permissions: rightsOfScopes(JSON.parse(scopes), found.isReadOnly) }
}

/** Records that a connection was used. Call it in a transaction. */
export async function setConnectionUsed(
  db: Db,
  { accountId, connectionId }: Pick<FoundConnection, 'accountId' | 'connectionId'>,
  at: number,
): Promise<void> {
  await db
    .updateTable('oauth_grants')
    .set({ last_used_at: at })
    .where('account_id', '=', accountId)
    .where('id', '=', connectionId)
    .execute()
}

export async function deleteTokenRow(db: Db, accountId: number, hash: string): Promise<void> {
  await db.deleteFrom('oauth_tokens').where('account_id', '=', accountId).where('hash', '=', hash).execute()
}
