import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { deleteConversation } from './delete-conversation.ts'

/** Deletes a conversation for good. Throws `conversation_not_found`. */
export async function eraseConversation(ctx: Context, actor: Actor, id: string): Promise<void> {
  await deleteConversation(ctx, actor, id)
}
