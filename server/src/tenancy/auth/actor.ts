import type { Door } from '@loci/contract/doors'
import type { Role } from '@loci/contract/rights'
import type { Db } from '../../store/db.ts'
import { defaultScopeOf, type Scope } from '../scope.ts'
import { type Held, throughDoor } from './doors.ts'

/** The caller, as identified by the credentials. */
export type Caller = Held & {
  /** Number of the account that the call is about. */
  accountId: number
  /** The account that the credentials belong to, if the caller chose another of their accounts. */
  homeAccountId?: number
  kind: 'session' | 'personal_key' | 'api_key' | 'oauth' | 'local'
  userId: string
  role: Role
  /** Numbers of the spaces that the credentials are limited to, the preferred one first; absent for all. */
  spaces?: readonly number[]
  /** Number of the space that a call works on unless it names another; absent for the account's first space. */
  homeSpaceId?: number
  /** How many spaces the account has; absent if not looked up. */
  spaceCount?: number
  /** How far the credentials get into single spaces, by number, where it differs from the rest. */
  doors?: Readonly<Record<number, Door>>
  /** What the credentials may elsewhere, once they are in a space with a door of its own. */
  elsewhere?: Held
  /** Whether writes wait for a review in a space of the account. */
  hasReviewed?: boolean
  /** The API key, if the caller used one. */
  keyId?: string
  /** The connection, if the caller used an OAuth access token. */
  connectionId?: string
  /** The session, if the caller used one. */
  sessionId?: string
  /** When the credentials expire; absent if they never do. */
  endsAt?: number
  /** Whether a signed-in person lacks the second factor that the account requires. */
  lacksSecondFactor?: boolean
  /** The MCP client's name, as it reports itself. */
  client?: string
  /** The MCP tool that makes the call. */
  tool?: string
  /** Number of the actor whose proposal the caller applies. */
  behalfId?: number
  /** The network that the call came from; absent for calls that came over none. */
  address?: string
}

/** The caller and the graph that the call works on. */
export type Actor = Caller &
  Scope & {
    /** For connections that outlive a call. Throws `not_authenticated` once the credentials are no longer valid. */
    confirm?: () => Promise<void>
    /**
     * The current call. A write counts it towards the month in its own transaction, and sets the number of its change
     * here.
     */
    operation?: {
      countIn: (inner: { db: Db }, plan: string) => Promise<void>
      setSeq?: number
      /** What the caller sent, of a call that can be proposed; a proposal builds on earlier ones that this names. */
      input?: unknown
      /** Set instead of `setSeq` if the write was stored as a proposal. */
      proposalId?: string
      /** Ids of the observations that it would add or change. */
      proposedFacts?: string[]
    }
  }

/** The caller on one of the graphs of their account. */
export function actorOn(caller: Caller, scope: Scope = homeScopeOf(caller)): Actor {
  if (caller.doors === undefined) return { ...caller, ...scope }
  const { permissions, writes, elsewhere, ...rest } = caller
  const held = elsewhere ?? { ...(permissions && { permissions }), ...(writes && { writes }) }
  const door = caller.doors[scope.spaceId]
  return { ...rest, ...scope, elsewhere: held, ...(door === undefined ? held : throughDoor(held, door)) }
}

const homeScopeOf = ({ accountId, homeSpaceId, spaces }: Caller): Scope => {
  const spaceId = spaces?.[0] ?? homeSpaceId
  return spaceId === undefined ? defaultScopeOf(accountId) : { accountId, spaceId }
}

/** The account's number and the credentials, for log lines. */
export function toLogFields({ accountId, kind, userId, keyId, connectionId, sessionId }: Caller): object {
  return {
    account: accountId,
    caller: { kind, id: keyId ?? connectionId ?? sessionId ?? userId, user: userId },
  }
}

/** Whether the caller's own reads have to look for what it proposed. */
export const mayHaveProposals = ({ writes, hasReviewed = false }: Caller): boolean =>
  writes === 'propose' || hasReviewed
