import { announceRevocation } from '../../auth/announce-revocation.ts'
import type { Context } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import * as connections from './connections.repo.ts'
import { deleteTokensOfGrant } from './oauth/tokens.repo.ts'

/** Deletes a connection with its tokens, which are dead at once. Answers whether there was one. */
export function endConnection(ctx: Context, accountId: number, id: string): Promise<boolean> {
  return transact(
    ctx,
    async (inner) => {
      await announceRevocation(inner, accountId)
      await deleteTokensOfGrant(inner.db, accountId, id)
      return connections.deleteConnectionRow(inner.db, accountId, id)
    },
    accountId,
  )
}

/** Deletes the connections of a user, or those to a space. To be called in a transaction. */
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
