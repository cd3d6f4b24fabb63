import { allPages } from '../../ground/lib/all-pages.ts'
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
  const list = (last = { id: 0 }) =>
    listConversationsAfter(ctx.db, source, { after: last.id, limit: conversationsPerPage })
  for await (const page of allPages(conversationsPerPage, list))
    for (const conversation of page) await copyTurns(ctx, source, target, conversation, ids)
  return ids
}

async function copyTurns(
  ctx: Context,
  source: Scope,
  target: Actor,
  { id: conversationId, startedAt, ...conversation }: StoredConversation,
  ids: CopiedIds,
): Promise<void> {
  const list = (last = { id: 0 }) =>
    listHashedTurns(ctx.db, source, { conversationId, after: last.id, limit: turnsPerStep })
  for await (const turns of allPages(turnsPerStep, list)) {
    const whole = { ...conversation, startedAt: toIso(startedAt) }
    const { id } = await storeCleanTurns(ctx, target, { conversation: whole, turns })
    const hashes = turns.map(({ hash }) => hash)
    const numbers = await findTurnNumbers(ctx.db, target, id, hashes)
    ids.set(toId('cnv', conversationId), toId('cnv', id))
    for (const turn of turns) ids.set(toId('trn', turn.id), toId('trn', numbers.get(turn.hash)!))
  }
}
