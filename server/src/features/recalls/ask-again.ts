import type { AnswerResponse, AskAgain } from '@loci/contract/recalls'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { asAgentsAsk } from '../memories/preview-recall.ts'
import { recallMemories } from '../memories/recall-memories.ts'
import { replay } from './replay.ts'

/** What an agent would be told for a question now; it is not kept. */
export async function askAgain(
  ctx: Context,
  actor: Actor,
  { question, maxTokens = asAgentsAsk.maxTokens }: AskAgain,
): Promise<AnswerResponse> {
  const { told } = await recallMemories(ctx, actor, {
    ...asAgentsAsk,
    maxTokens,
    query: question.trim(),
    isPreview: true,
  })
  const { understood, tokens, ms, entities } = told
  return {
    answer: {
      ...{ question, understood, tokens, maxTokens, entityIds: entities },
      ms: Math.round(ms),
      found: told.told.length + entities.length > 0,
      ...(await replay(ctx, actor, { ...told, at: ctx.now() })),
    },
  }
}
