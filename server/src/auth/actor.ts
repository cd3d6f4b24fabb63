import type { MemoryRight, Role } from '@loci/contract/rights'
import type { Db } from '../db/db.ts'
import { defaultScopeOf, type Scope } from '../scope.ts'

/** Who calls, as the credentials say. */
export type Caller = {
  /** Number of the account that the call is about. */
  accountId: number
  /** The account that the credentials belong to, where the caller chose another of theirs. */
  homeAccountId?: number
  kind: 'session' | 'personal_key' | 'api_key' | 'oauth' | 'local'
  userId: string
  role: Role
  /** The rights that the credentials are limited to; absent where they have all that their kind may have. */
  permissions?: readonly MemoryRight[]
  /** Numbers of the spaces that the credentials are limited to, the preferred one first; absent for all. */
  spaces?: readonly number[]
  /** Number of the space that a call works on unless it names another; absent for the account's first. */
  homeSpaceId?: number
  /** How many spaces the account has; absent where nobody looked. */
  spaceCount?: number
  /** The API key, when that is what the caller came with. */
  keyId?: string
  /** The connection, when an access token of OAuth is what the caller came with. */
  connectionId?: string
  /** The session, when that is what the caller came with. */
  sessionId?: string
  /** When the credentials end; absent if they never do. */
  endsAt?: number
  /** Whether a person who is signed in lacks the second factor that the account asks for. */
  lacksSecondFactor?: boolean
  /** The MCP client's name for itself. */
  client?: string
  /** The network that the call came from; absent where it came over none. */
  address?: string
}

/** Who calls, and on which graph. */
export type Actor = Caller &
  Scope & {
    /** For connections that outlive a call. Throws `not_authenticated` once the credentials are no longer good. */
    confirm?: () => Promise<void>
    /**
     * The call under way: a write counts it towards the month, in its own transaction, and leaves the number of its
     * change set here once it is committed.
     */
    operation?: { countIn: (inner: { db: Db }, plan: string) => Promise<void>; setSeq?: number }
  }

/** The caller on one of the graphs of their account. */
export const actorOn = (caller: Caller, scope: Scope = homeScopeOf(caller)): Actor => ({
  ...caller,
  ...scope,
})

const homeScopeOf = ({ accountId, homeSpaceId, spaces }: Caller): Scope => {
  const spaceId = spaces?.[0] ?? homeSpaceId
  return spaceId === undefined ? defaultScopeOf(accountId) : { accountId, spaceId }
}

/** The account's number and what the caller came with, for log lines. */
export function toLogFields({ accountId, kind, userId, keyId, connectionId, sessionId }: Caller): object {
  return {
    account: accountId,
    caller: { kind, id: keyId ?? connectionId ?? sessionId ?? userId, user: userId },
  }
}
