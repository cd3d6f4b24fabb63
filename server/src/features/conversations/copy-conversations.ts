import { toIso } from '../../ground/lib/time.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { listConversationsAfter, type StoredConversation } from './conversations.repo.ts'
import { storeCleanTurns } from './store-turns.ts'
import { listHashedTurns } from './turns.repo.ts'

const conversationsPerPage = 100
/** Turns can be long, and other work waits for each step. */
const turnsPerStep = 50

/** Copies the conversations of one space into another; turns that are there already stay. */
export async function copyConversations(ctx: Context, source: Scope, target: Actor): Promise<void> {
  for (let after = 0; ; ) {
    const page = await listConversationsAfter(ctx.db, source, { after, limit: conversationsPerPage })
    for (const conversation of page) await copyTurns(ctx, source, target, conversation)
    if (page.length < conversationsPerPage) return
    after = page.at(-1)!.id
  }
}

async function copyTurns(
  ctx: Context,
  source: Scope,
  target: Actor,
  { id: conversationId, startedAt, ...conversation }: StoredConversation,
): Promise<void> {
  for (let after = 0; ; ) {
    const turns = await listHashedTurns(ctx.db, source, { conversationId, after, limit: turnsPerStep })
    if (turns.length > 0)
      await storeCleanTurns(ctx, target, {
        conversation: { ...conversation, startedAt: toIso(startedAt) },
        turns,
      })
    if (turns.length < turnsPerStep) return
    after = turns.at(-1)!.id
  }
}
