import { unindexTurns } from '../../search/store/index-turns.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import {
  addConversationBytes,
  deleteConversationRow,
  findConversation,
  updateConversationRow,
} from './conversations.repo.ts'
import { getConversation } from './conversations.service.ts'
import { deleteLastTurns } from './turns.repo.ts'

/** Turns deleted per transaction, so that other work can run in between. */
const turnsPerSlice = 200

/** Deletes a conversation with its turns; there is no undo. Throws `conversation_not_found`. */
export async function deleteConversation(ctx: Context, actor: Actor, id: string): Promise<void> {
  const { id: number } = await getConversation(ctx.db, actor, id)
  while (await removeSlice(ctx, actor, number));
}

/** Deletes some turns of a conversation, and at last itself; returns whether there is more to delete. */
export function removeSlice(ctx: Context, scope: Scope, id: number): Promise<boolean> {
  return transact(ctx, scope.accountId, (inner) =>
    inner.dialect.overwriting(inner.db, () => removeSome(inner, scope, id)),
  )
}

async function removeSome(ctx: Context, scope: Scope, id: number): Promise<boolean> {
  const { db } = ctx
  await lockAccount(db, scope.accountId)
  const conversation = await findConversation(db, scope, id)
  if (conversation === undefined) return false
  const { turns, rows, bytes } = await deleteLastTurns(db, scope, id, turnsPerSlice)
  await unindexTurns(ctx, scope, turns)
  await addConversationBytes(db, scope.accountId, -bytes)
  const rest = {
    ...conversation,
    turns: conversation.turns - rows,
    bytes: conversation.bytes - bytes,
  }
  const isWhole = rows < turnsPerSlice
  if (isWhole) await deleteConversationRow(db, scope, id)
  else await updateConversationRow(db, scope, rest)
  return !isWhole
}
