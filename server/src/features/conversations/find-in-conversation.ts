import {
  type ConversationMatches,
  type FindInConversationQuery,
  matchesMax,
} from '@loci/contract/conversations'
import { toId } from '../../ground/lib/ids.ts'
import { createPace } from '../../ground/lib/pace.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { getConversation } from './conversations.service.ts'
import { listTurns, type StoredTurn } from './turns.repo.ts'

const turnsPerRead = 100

/**
 * The turns of a conversation that contain a text, as a browser finds it on a page. Read rather than looked up, since
 * the index knows words and not places. Throws `conversation_not_found`.
 */
export async function findInConversation(
  { db }: Context,
  actor: Actor,
  id: string,
  { query }: FindInConversationQuery,
): Promise<ConversationMatches> {
  const conversation = await getConversation(db, actor, id)
  const wanted = toFindable(query)
  const pace = createPace()
  const found: StoredTurn[] = []
  for (let from = 0; wanted !== ''; ) {
    const turns = await listTurns(db, actor, conversation.id, { from, limit: turnsPerRead })
    for (const turn of turns) {
      await pace()
      if (textsOf(turn).some((text) => toFindable(text).includes(wanted))) found.push(turn)
    }
    if (turns.length < turnsPerRead || found.length > matchesMax) break
    from = turns.at(-1)!.id + 1
  }
  return {
    matches: found.slice(0, matchesMax).map(({ id, seq }) => ({ turnId: toId('trn', id), seq })),
    isComplete: found.length <= matchesMax,
  }
}

const textsOf = ({ text, tool, files = [] }: StoredTurn) => [
  text,
  tool?.name ?? '',
  tool?.input ?? '',
  ...files,
]

const toFindable = (text: string) => text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()
