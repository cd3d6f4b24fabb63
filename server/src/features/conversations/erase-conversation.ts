import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { blankConversation, deleteConversation } from './delete-conversation.ts'

/**
 * Deletes a conversation so that no sentence of it is left in the files of a SQLite database, whose log keeps earlier
 * versions of pages. Single words can stay in the search index until it is rebuilt. Throws `conversation_not_found`.
 */
export async function eraseConversation(ctx: Context, actor: Actor, id: string): Promise<void> {
  if (ctx.dialect.name === 'sqlite') await blankConversation(ctx, actor, id)
  await deleteConversation(ctx, actor, id)
  await recordAudit(ctx, actor, {
    action: 'conversation_erased',
    subject: { kind: 'conversation', id },
  })
  if (!(await ctx.dialect.dropEarlierVersions()))
    ctx.log.warn('other processes use the database: its log keeps an erased conversation until they end')
}
