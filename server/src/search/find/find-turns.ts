import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { readQuestion } from '../ask/question.ts'
import { gatherTurns } from '../match/turn-candidates.ts'
import { rank } from '../rank/rank.ts'
import type { Around } from '../store/index-rows.ts'
import type { TurnFilter } from '../store/turn-texts.repo.ts'

export type TurnQuestion = {
  query: string
  /** Number of turns wanted. */
  limit: number
  filter: TurnFilter
  /** Where the question is asked from: turns of this project count more. */
  near?: string | undefined
}

/** A turn and its conversation by their numbers. */
export type RankedTurn = { turnId: number; conversationId: number; score: number }

export type FoundTurns = {
  ranked: RankedTurn[]
  /** The terms by which the query was matched. */
  terms: Set<string>
  /** The turns around a ranked one, if known. */
  around: (turnId: number) => Around | undefined
}

/** A turn of the project at hand, relative to an equal one of another. */
const nearFactor = 1.3

/** "What did I ask about billing?": the word "ask" and the answers to it lead away from what was asked. */
const asksWhatWasAsked =
  /^\W*(?:what|which [\w ]{1,30}?|when) (?:did|have|had) (?:i|we) (?:\w+ )?(?:ask|request)(?:ed)?(?: (?:you|it|for|about|regarding|on))*(?= \w)/i

/**
 * The turns of a space that answer a question, best first. Ranked apart from facts, by the same measures. Of a question
 * about what a person asked, only what people said, unless that is nothing.
 */
export async function findTurnsAbout(ctx: Context, scope: Scope, asked: TurnQuestion): Promise<FoundTurns> {
  const query = asked.query.replace(asksWhatWasAsked, '')
  if (query === asked.query) return findRanked(ctx, scope, asked)
  const ofPeople = await findRanked(ctx, scope, {
    ...asked,
    query,
    filter: { ...asked.filter, role: 'person' },
  })
  return ofPeople.ranked.length > 0 ? ofPeople : findRanked(ctx, scope, asked)
}

async function findRanked(
  ctx: Context,
  scope: Scope,
  { query, limit, filter, near }: TurnQuestion,
): Promise<FoundTurns> {
  const inquiry = { query, limit, expand: false, typing: false, byMeaning: false }
  const question = () => readQuestion(inquiry, ctx.now())
  const isNear = near === undefined ? undefined : { project: near }
  const candidates = await gatherTurns(ctx, scope, { question, filter, near: isNear })
  if (candidates === undefined) return { ranked: [], terms: new Set(), around: () => undefined }
  const { ranked, terms, reader } = await rank(ctx, candidates)
  const turns = ranked.map(({ passage, score }) => {
    const isOfProject = near !== undefined && reader.labels.get(passage.entityId)?.type === near
    return {
      turnId: passage.observationId,
      conversationId: passage.entityId,
      score: isOfProject ? score * nearFactor : score,
    }
  })
  if (near !== undefined) turns.sort((a, b) => b.score - a.score || b.turnId - a.turnId)
  return { ranked: turns, terms, around: reader.around }
}
