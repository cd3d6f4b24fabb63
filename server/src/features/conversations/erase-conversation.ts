import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { finishErasing } from '../erasures/finish-erasing.ts'
import { deleteConversation } from './delete-conversation.ts'

/**
 * Deletes conversations so that nothing of what was said is left in the files of a SQLite database, words of the search
 * index that no other text has included. Throws `conversation_not_found`.
 */
export async function eraseConversations(ctx: Context, actor: Actor, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await deleteConversation(ctx, actor, id)
    await recordAudit(ctx, actor, {
      action: 'conversation_erased',
      subject: { kind: 'conversation', id },
    })
  }
  await finishErasing(ctx, [actor])
}

export const eraseConversation = (ctx: Context, actor: Actor, id: string): Promise<void> =>
  eraseConversations(ctx, actor, [id])
