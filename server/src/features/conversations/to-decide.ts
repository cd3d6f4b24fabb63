import { conversationsOnlyMax } from '@loci/contract/conversations'
import { countOpenByConversation, findReviewing } from '../../memory/write/proposals/proposals.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { hasRight } from '../../tenancy/auth/permissions.ts'
import { mayReview } from '../../tenancy/auth/reviewing.ts'
import type { Context } from '../../tenancy/context.ts'
import { countOpenDraftsOf } from './drafts/drafts.repo.ts'

/**
 * How many drafts and proposals of these conversations, or of all, wait for a decision that the caller may make, by the
 * conversations' numbers.
 */
export async function countToDecide(
  db: Context['db'],
  actor: Actor,
  conversations?: readonly number[],
): Promise<Map<number, number>> {
  if (!hasRight(actor, 'memory:write')) return new Map()
  const wanted = { conversations, limit: conversationsOnlyMax }
  const drafts = await countOpenDraftsOf(db, actor, wanted)
  const proposals = await countOpenByConversation(db, actor, wanted)
  const isReviewer = proposals.length > 0 && mayReview(actor, await findReviewing(db, actor))
  const counts = new Map<number, number>()
  for (const { conversationId, count } of isReviewer ? [...drafts, ...proposals] : drafts)
    counts.set(conversationId, (counts.get(conversationId) ?? 0) + count)
  return counts
}
