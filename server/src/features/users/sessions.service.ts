import type { Session } from '@loci/contract/auth'
import { AppError } from '../../ground/errors/app-error.ts'
import { transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { announceRevocation } from '../../tenancy/auth/announce-revocation.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import * as sessions from './sessions.repo.ts'

export async function listSessions(ctx: Context, actor: Actor): Promise<Session[]> {
  return sessions.listSessionRows(ctx.db, { ...actor, ...homeOf(actor) }, ctx.now())
}

/** Throws `session_not_found`. */
export async function endSession(ctx: Context, actor: Actor, id: string): Promise<void> {
  if (!(await deleteSession(ctx, actor, id, 'session_ended')))
    throw new AppError('session_not_found', 'Session not found')
}

/** Ends the caller's current session. */
export async function logout(ctx: Context, actor: Actor): Promise<void> {
  await deleteSession(ctx, actor, actor.sessionId ?? '', 'signed_out')
}

function deleteSession(
  ctx: Context,
  actor: Actor,
  id: string,
  action: 'session_ended' | 'signed_out',
): Promise<boolean> {
  return transact(ctx, async (inner) => {
    const home = homeOf(actor)
    await announceRevocation(inner, home.accountId)
    const isEnded = await sessions.deleteSession(inner.db, home, id)
    if (isEnded) await recordAudit(inner, { ...actor, ...home }, { action, subject: { kind: 'session', id } })
    return isEnded
  })
}

/** Ends all sessions of the caller, or all except the current one. */
export async function endSessions(
  ctx: Context,
  actor: Actor,
  { others }: { others: boolean },
): Promise<void> {
  await transact(ctx, async (inner) => {
    const home = homeOf(actor)
    await announceRevocation(inner, home.accountId)
    await sessions.deleteSessions(inner.db, home, others ? actor.sessionId : undefined)
    await recordAudit(inner, { ...actor, ...home }, { action: 'sessions_ended' })
  })
}

/** Sessions belong to the account that the user signs in to, whichever account the call concerns. */
const homeOf = ({ accountId, homeAccountId = accountId, userId }: Actor) => ({
  accountId: homeAccountId,
  userId,
})
