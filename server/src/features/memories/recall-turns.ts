import type { TurnTool } from '@loci/contract/conversations'
import type { TurnConversation, TurnHit } from '@loci/contract/turn-search'
import { z } from 'zod'
import { inLine, inLines } from '../../ground/lib/for-models.ts'
import { dayOfIso, minuteMs, toIso } from '../../ground/lib/time.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { hasRight, notPermitted } from '../../tenancy/auth/permissions.ts'
import type { Context } from '../../tenancy/context.ts'
import { searchTurns } from '../conversations/search-turns.ts'
import { excerpt } from './excerpt.ts'
import { shorten } from './not-found.ts'
import { type Budget, takeWithinBudget } from './recall-budget.ts'

/** A turn of a conversation. `who`: the agent, the project and who spoke, or the tool and how its call ended. */
export type RecalledTurn = { id: string; at: string; who: string; text: string }

export const ConversationMode = z.enum(['none', 'some', 'only'])
type ConversationMode = z.infer<typeof ConversationMode>

export type TurnsQuery = {
  query: string
  conversations?: ConversationMode | undefined
  about?: { file?: string | undefined; project?: string | undefined } | undefined
  after?: string | undefined
  before?: string | undefined
  /** Entities that are asked for: what was said is of none. */
  types?: string[] | undefined
}

/** How much of the answer is left to turns where facts were found. */
export const turnsPart = 0.25
const turnsMax = 8
/** One turn gets at most this part of what turns have. */
const longestPart = 0.4
const inputMax = 120
/** Turns that match much less than the best are noise. */
const scoreMin = 0.4
/** What was said just now is before the reader's eyes. */
const justNowMs = 2 * minuteMs

/**
 * The turns that answer a question, for a caller who may read them; none unless asked for where only entities of some
 * types are wanted. Throws `not_permitted` if only turns are asked for.
 */
export async function findSaid(
  ctx: Context,
  actor: Actor,
  { query, conversations = 'some', about = {}, after, before, types = [] }: TurnsQuery,
): Promise<TurnHit[]> {
  const mayRead = hasRight(actor, 'conversations:read')
  if (conversations === 'only' && !mayRead) throw notPermitted('conversations:read')
  if (conversations === 'none' || !mayRead || (conversations === 'some' && types.length > 0)) return []
  const justNow = toIso(ctx.now() - justNowMs)
  const { turns } = await searchTurns(ctx, actor, {
    query,
    near: about.project,
    file: about.file,
    after,
    before: before !== undefined && before < justNow ? before : justNow,
    limit: turnsMax,
    context: 0,
  })
  const [best] = turns
  return turns.filter(({ score }) => score >= scoreMin * best!.score)
}

/** The turns that fit, best first, long ones cut to the part with the most matches. */
export function takeTurns(budget: Budget, hits: readonly TurnHit[]): RecalledTurn[] {
  const longest = budget.left * longestPart
  return takeWithinBudget(
    budget,
    hits.map((hit) => toRecalled(hit, longest)),
    1,
    turnInLines,
  )
}

function toRecalled(hit: TurnHit, longest: number): RecalledTurn {
  const { id, at, text, conversation, highlights } = hit
  return {
    id,
    at: dayOfIso(at),
    who: whoSaid(hit, conversation),
    text: excerpt({ content: text, highlights }, longest),
  }
}

/** Who said a turn and where, each name within its quotes if it could be taken for more than a name. */
export function whoSaid(
  { role, tool }: Pick<TurnHit, 'role' | 'tool'>,
  { agent, project }: Pick<TurnConversation, 'agent' | 'project'>,
): string {
  const where = project === undefined ? '' : ` in ${inLine(project.name)}`
  const called = tool === undefined ? '' : ` ${inLine(toolInWords(tool))}`
  return `${inLine(agent)}${where}, ${role}${called}`
}

/** What a tool was asked, in short, and how it ended. */
function toolInWords({ name, input = '', ok, exitCode }: TurnTool): string {
  const outcome = [ok === false ? 'failed' : '', exitCode === undefined ? '' : `exit code ${exitCode}`]
  const ended = outcome.filter(Boolean).join(', ')
  return `${shorten(`${name} ${input}`.trim(), inputMax)}${ended && ` (${ended})`}`
}

/**
 * A turn as lines that can only be its own: nothing in it can pass for a fact, an entity, another turn or a notice.
 * `who` is of {@link whoSaid}.
 */
export const turnInLines = ({ id, at, who, text }: RecalledTurn): string =>
  `(said) [${id}] ${at}, ${who}: ${inLines(text)}`
