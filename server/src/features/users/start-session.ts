import type { SessionResponse } from '@loci/contract/auth'
import { AppError } from '../../ground/errors/app-error.ts'
import { widerNetworkOf } from '../../ground/lib/networks.ts'
import { newSessionToken, sha256 } from '../../ground/lib/secrets.ts'
import { transact } from '../../store/transact.ts'
import { endOfSession } from '../../tenancy/auth/authenticate.ts'
import { findDevice, newDevice } from '../../tenancy/auth/device-tokens.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { recordLater } from '../audit/record-later.ts'
import { toProfile } from './profile.ts'
import * as sessions from './sessions.repo.ts'
import * as users from './users.repo.ts'

const userAgentMax = 256

/** The client that requests a session, before the user is known. */
export type Visitor = { address: string; userAgent: string }

type Options = {
  /** How the user signed in; `code` is in addition to the password. */
  by?: 'password' | 'code' | 'passkey'
  /** Tokens from earlier sign-ins on the device. */
  deviceTokens?: readonly string[] | undefined
  /** Runs in the same transaction. */
  also?: (inner: Context) => Promise<void>
}

export const suspended = () =>
  new AppError('user_suspended', 'This account is suspended. Ask the person who runs this server.')

export const invalidCredentials = () => new AppError('invalid_credentials', 'Invalid email or password')

/** Records a failed sign-in in the user's account, after the response is sent. */
export function recordFailedSignIn(
  ctx: Context,
  { id: userId, accountNumber: accountId }: users.StoredUser,
  { address, userAgent }: Visitor,
  reason: 'wrong password' | 'wrong second factor' | 'suspended',
): void {
  recordLater(
    ctx,
    { accountId, kind: 'visitor', userId, address },
    { action: 'sign_in_failed', details: { reason, device: userAgent.slice(0, userAgentMax) } },
  )
}

/**
 * The password may have been replaced, or a second factor set up, since the sign-in was checked: both end all sessions,
 * so none may begin under the old terms. Locks the user and returns the numbers of their accounts. Throws
 * `invalid_credentials`.
 */
async function requireUnchanged({ db }: Context, user: users.StoredUser): Promise<number[]> {
  // The account may have been deleted, too.
  if (!(await users.lockMember(db, user.accountNumber, user.id))) throw invalidCredentials()
  const current = await users.lockUser(db, user.id)
  const isSame =
    current?.passwordHash === user.passwordHash && current.secondFactorSince === user.secondFactorSince
  if (!isSame) throw invalidCredentials()
  return current.accountIds
}

/** Starts the session of an authenticated user. Throws `invalid_credentials` if the user was deleted. */
export async function startSession(
  ctx: Context,
  user: users.StoredUser,
  { address, ...visitor }: Visitor,
  { by = 'password', deviceTokens = [], also }: Options = {},
): Promise<SessionResponse> {
  const token = newSessionToken()
  const at = ctx.now()
  const userAgent = visitor.userAgent.slice(0, userAgentMax)
  await transact(ctx, async (inner) => {
    const { db, newId } = inner
    const { id: userId, accountNumber: accountId } = user
    const sessionId = newId('ses')
    const accountIds = await requireUnchanged(inner, user)
    await also?.(inner)
    await sessions.insertSession(db, {
      tokenHash: sha256(token),
      id: sessionId,
      accountId,
      userId,
      userAgent,
      network: (ctx.config.sessionNetworks && widerNetworkOf(address)) || null,
      at,
      expiresAt: endOfSession(at, at),
    })
    const details = { device: userAgent, ...(by === 'password' ? {} : { by }) }
    // A session gives access to all accounts of the user.
    const userName = `${user.firstName} ${user.lastName}`.trim()
    for (const reached of accountIds) {
      const author = { accountId: reached, kind: 'session' as const, userId, userName, sessionId, address }
      await recordAudit(inner, author, { action: 'signed_in', details })
    }
  })
  const device = findDevice(ctx.signer, user.email, deviceTokens) ?? newDevice(ctx.signer, user.email)
  return { token, user: await toProfile(ctx, user), deviceToken: device.token }
}
