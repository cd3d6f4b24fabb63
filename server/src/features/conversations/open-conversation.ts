import type { ConversationResponse, Turn } from '@loci/contract/conversations'
import { AppError } from '../../ground/errors/app-error.ts'
import { toId, toNumber } from '../../ground/lib/ids.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { readConversation } from './conversations.service.ts'
import { findTurn } from './turns.repo.ts'

type Wanted = { id: string; around?: string | undefined; limit: number }

/**
 * A part of a conversation for an agent, by the id of the conversation or of one of its turns, around which it is then
 * opened. Throws `conversation_not_found`, `turn_not_found`.
 */
export async function openConversation(
  ctx: Context,
  actor: Actor,
  { id, around, limit }: Wanted,
): Promise<
  Pick<ConversationResponse, 'conversation' | 'turns'> & { hasEarlier: boolean; hasLater: boolean }
> {
  const turn = toNumber('trn', id)
  const place =
    turn === undefined ? { id, around } : { id: await conversationOf(ctx, actor, turn), around: around ?? id }
  const page = await readConversation(ctx, actor, place.id, {
    around: place.around,
    limit,
    cursor: undefined,
  })
  const { conversation, turns, nextCursor, previousCursor } = page
  return { conversation, turns, hasEarlier: previousCursor !== null, hasLater: nextCursor !== null }
}

async function conversationOf({ db }: Context, actor: Actor, turn: number): Promise<string> {
  const found = await findTurn(db, actor, turn)
  if (found === undefined) throw new AppError('turn_not_found', 'Turn not found')
  return toId('cnv', found.conversationId)
}

/** The first and last characters of a turn that is longer than its share of an answer. */
export function shortenTurn({ text }: Pick<Turn, 'text'>, max: number): string {
  if (text.length <= max) return text
  const half = Math.floor(max / 2)
  return `${text.slice(0, half).toWellFormed()} ... ${text.slice(-half).toWellFormed()}`
}
