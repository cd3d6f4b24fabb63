import { toId } from '../../ground/lib/ids.ts'
import { toIso } from '../../ground/lib/time.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { listConversationsAfter, type StoredConversation } from './conversations.repo.ts'
import { storeCleanTurns } from './store-turns.ts'
import { findTurnNumbers, listHashedTurns } from './turns.repo.ts'

const conversationsPerPage = 100
/** Turns can be long, and other work waits for each step. */
const turnsPerStep = 50

/** What the copies of conversations and turns are called, by the ids of the originals. */
export type CopiedIds = Map<string, string>

/** Copies the conversations of one space into another; turns that are there already stay. */
export async function copyConversations(ctx: Context, source: Scope, target: Actor): Promise<CopiedIds> {
  const ids: CopiedIds = new Map()
  for (let after = 0; ; ) {
    const page = await listConversationsAfter(ctx.db, source, { after, limit: conversationsPerPage })
    for (const conversation of page) await copyTurns(ctx, source, target, conversation, ids)
    if (page.length < conversationsPerPage) return ids
    after = page.at(-1)!.id
  }
}

async function copyTurns(
  ctx: Context,
  source: Scope,
  target: Actor,
  { id: conversationId, startedAt, ...conversation }: StoredConversation,
  ids: CopiedIds,
): Promise<void> {
  for (let after = 0; ; ) {
    const turns = await listHashedTurns(ctx.db, source, { conversationId, after, limit: turnsPerStep })
    if (turns.length > 0) {
      const whole = { ...conversation, startedAt: toIso(startedAt) }
      const { id } = await storeCleanTurns(ctx, target, { conversation: whole, turns })
      const hashes = turns.map(({ hash }) => hash)
      const numbers = await findTurnNumbers(ctx.db, target, id, hashes)
      ids.set(toId('cnv', conversationId), toId('cnv', id))
      for (const turn of turns) ids.set(toId('trn', turn.id), toId('trn', numbers.get(turn.hash)!))
    }
    if (turns.length < turnsPerStep) return
    after = turns.at(-1)!.id
  }
}
