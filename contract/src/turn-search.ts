import { z } from 'zod'
import { Conversation, ConversationsOnly, Turn } from './conversations.ts'
import { Highlight } from './search.ts'
import { MomentBound, QueryText, queryInteger, text } from './text.ts'

export const turnsFoundMax = 100

const Path = text(1, 1_024, 'Path')

/**
 * `project`: a name, or the whole path; `near`: the name of the project that the question is asked from, whose turns
 * count more. `file`: turns of conversations that named it, by its path or the end of one after a slash. `after` is
 * inclusive, `before` exclusive. `context`: how many turns before and after each are told.
 */
export const SearchTurnsQuery = z.object({
  query: QueryText,
  project: Path.optional(),
  near: text(1, 256, 'Project').optional(),
  agent: text(1, 64, 'Agent').optional(),
  file: Path.optional(),
  only: ConversationsOnly.optional(),
  after: MomentBound.optional(),
  before: MomentBound.optional(),
  limit: queryInteger(1, turnsFoundMax, 20),
  context: queryInteger(0, 5, 1),
})
export type SearchTurnsQuery = z.infer<typeof SearchTurnsQuery>

/** The conversation that a turn is of. */
export const TurnConversation = Conversation.pick({
  id: true,
  agent: true,
  project: true,
  title: true,
  startedAt: true,
})
export type TurnConversation = z.infer<typeof TurnConversation>

/** `highlights` are offsets into `text`. */
export const TurnHit = Turn.extend({
  conversation: TurnConversation,
  score: z.number(),
  highlights: z.array(Highlight),
  before: z.array(Turn),
  after: z.array(Turn),
})
export type TurnHit = z.infer<typeof TurnHit>

/** Best first. `total`: how many turns match, as far as they were ranked. */
export const SearchTurnsResponse = z.object({ turns: z.array(TurnHit), total: z.number().int() })
export type SearchTurnsResponse = z.infer<typeof SearchTurnsResponse>
