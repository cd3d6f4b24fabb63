import { forgetUnusedWords } from '../../search/store/forget-words.ts'
import { purgeIndex } from '../../search/store/purge-index.ts'
import { findTurnIndex } from '../../search/store/turn-index.repo.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { blankConversation, deleteConversation } from './delete-conversation.ts'

/**
 * Deletes conversations so that nothing of what was said is left in the files of a SQLite database: sentences, words of
 * the search index that no other text has, and its log, which keeps earlier versions of pages. Throws
 * `conversation_not_found`.
 */
export async function eraseConversations(ctx: Context, actor: Actor, ids: readonly string[]): Promise<void> {
  const isFile = ctx.dialect.name === 'sqlite'
  const words = new Set<string>()
  for (const id of ids) {
    if (isFile) await blankConversation(ctx, actor, id, words)
    await deleteConversation(ctx, actor, id)
    await recordAudit(ctx, actor, {
      action: 'conversation_erased',
      subject: { kind: 'conversation', id },
    })
  }
  if (isFile) {
    await forgetWords(ctx, actor, words)
    await purgeIndex(ctx, actor)
  }
  if (!(await ctx.dialect.dropEarlierVersions()))
    ctx.log.warn('other processes use the database: its log keeps an erased conversation until they end')
}

export const eraseConversation = (ctx: Context, actor: Actor, id: string): Promise<void> =>
  eraseConversations(ctx, actor, [id])

function forgetWords(ctx: Context, actor: Actor, words: ReadonlySet<string>): Promise<void> {
  return transact(
    ctx,
    async (inner) => {
      await lockAccount(inner.db, actor.accountId)
      const index = await findTurnIndex(inner.db, actor)
      if (index === undefined) return
      await inner.dialect.overwriting(inner.db, () => forgetUnusedWords(inner, index, words))
    },
    actor.accountId,
  )
}
