import { transact } from '../../store/transact.ts'
import { announceRevocation } from '../../tenancy/auth/announce-revocation.ts'
import type { Context } from '../../tenancy/context.ts'
import { type AuditAuthor, recordAudit } from '../audit/record-audit.ts'
import * as connections from './connections.repo.ts'
import { deleteTokensOfGrant } from './oauth/tokens.repo.ts'

type Ending = { author: AuditAuthor; details?: { reason: string } }

/**
 * Deletes a connection with its tokens, which stop working immediately. Returns whether there was one. Pass `ending` to
 * record in the audit log who ended it early.
 */
export function endConnection(
  ctx: Context,
  accountId: number,
  id: string,
  ending?: Ending,
): Promise<boolean> {
  return transact(ctx, accountId, async (inner) => {
    await announceRevocation(inner, accountId)
    const connection = await connections.findConnectionRow(inner.db, accountId, id)
    await deleteTokensOfGrant(inner.db, accountId, id)
    const isEnded = await connections.deleteConnectionRow(inner.db, accountId, id)
    if (isEnded && connection !== undefined && ending !== undefined)
      await recordAudit(inner, ending.author, {
        action: 'connection_revoked',
        subject: { kind: 'connection', id, name: connection.clientName },
        details: ending.details ?? {},
      })
    return isEnded
  })
}

/** Deletes a user's connections, or those to a space. Call it in a transaction. */
export async function endConnectionsOf(
  ctx: Context,
  accountId: number,
  of: { userId: string } | { spaceId: number },
): Promise<void> {
  for (;;) {
    const ids = await connections.listConnectionIds(ctx.db, accountId, of)
    for (const id of ids) await endConnection(ctx, accountId, id)
    if (ids.length < connections.connectionsListedMax) return
  }
}
