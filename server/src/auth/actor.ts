import type { MemoryRight, Role } from '@loci/contract/rights'
import type { Db } from '../db/db.ts'
import { defaultScopeOf, type Scope } from '../scope.ts'

/** Who calls, as the credentials say. */
export type Caller = {
  /** Number of the account that the credentials belong to. */
  accountId: number
  kind: 'session' | 'personal_key' | 'api_key' | 'oauth' | 'local'
  userId: string
  role: Role
  /** The rights that the credentials are limited to; absent where they have all that their kind may have. */
  permissions?: readonly MemoryRight[]
  /** Numbers of the spaces that the credentials are limited to, the preferred one first; absent for all. */
  spaces?: readonly number[]
  /** The API key, when that is what the caller came with. */
  keyId?: string
  /** The connection, when an access token of OAuth is what the caller came with. */
  connectionId?: string
  /** The session, when that is what the caller came with. */
  sessionId?: string
  /** When the credentials end; absent if they never do. */
  endsAt?: number
  /** The MCP client's name for itself. */
  client?: string
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
export const actorOn = (caller: Caller, scope: Scope = defaultScopeOf(caller.accountId)): Actor => ({
  ...caller,
  ...scope,
})

/** The account's number and what the caller came with, for log lines. */
export function toLogFields({ accountId, kind, userId, keyId, connectionId, sessionId }: Caller): object {
  return {
    account: accountId,
    caller: { kind, id: keyId ?? connectionId ?? sessionId ?? userId, user: userId },
  }
}
