import type { RecallPreview, RecallPreviewResponse } from '@loci/contract/search'
import { shownName } from '../../ground/lib/for-models.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { costOf } from './recall-budget.ts'
import { recallMemories } from './recall-memories.ts'
import { toText } from './recall-text.ts'

/** The defaults of the tool `recall`. */
export const asAgentsAsk = { maxTokens: 2_200, context: 1, expand: true }

/** The answer that an agent would get for a question, as text for its model. */
export async function previewRecall(
  ctx: Context,
  actor: Actor,
  { query, ...filter }: RecallPreview,
): Promise<RecallPreviewResponse> {
  const asked = { ...asAgentsAsk, ...filter, query: query.trim(), isPreview: true }
  const { recalled, notice } = await recallMemories(ctx, actor, asked)
  const text = [notice && shownName(notice), toText(recalled)].filter(Boolean).join('\n\n')
  return { text, tokens: costOf(text), observations: recalled.observations?.length ?? 0 }
}
