import type { Role } from '@loci/contract/auth'
import type { Access } from '@loci/contract/endpoint'
import type { Db } from '../db/db.ts'
import { AppError } from '../errors/app-error.ts'
import { defaultScopeOf, type Scope } from '../scope.ts'

/** Who calls, as the credentials say. */
export type Caller = {
  /** Number of the account that the credentials belong to. */
  accountId: number
  kind: 'session' | 'personal_key' | 'api_key' | 'local'
  userId: string
  role: Role
  /** The API key, when that is what the caller came with. */
  keyId?: string
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
export function toLogFields({ accountId, kind, userId, keyId, sessionId }: Caller): object {
  return { account: accountId, caller: { kind, id: keyId ?? sessionId ?? userId, user: userId } }
}

/** Throws unless the actor may make calls of this access. */
export function requireAccess(
  actor: Actor,
  access: Exclude<Access, 'public'>,
  refusal = 'Access denied. Only account owners can do this.',
): void {
  if (access === 'graph') return
  if (actor.kind !== 'session') {
    throw new AppError('session_required', 'API keys reach the graph only. Sign in to do this.')
  }
  if (access === 'owner' && actor.role !== 'owner') {
    throw new AppError('owner_required', refusal)
  }
}
