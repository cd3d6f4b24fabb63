import { z } from 'zod'
import { listOf } from './checked-first.ts'
import { NextCursor, PageQuery } from './lists.ts'
import { IsoDateTime, MomentBound, MomentInput, QueryText, text } from './text.ts'

/** Most characters of a turn that are stored; `cut` says how many were left out. */
export const turnTextMax = 65_536
/** Most turns in one call. */
export const turnsPerCallMax = 1_000
/** Most files that a turn can name. */
export const turnFilesMax = 50

const Agent = text(1, 64, 'Agent')
const ExternalId = text(1, 256, 'External id')
const Path = text(1, 1_024, 'Path')

/** What a conversation was about: the folder of a code base, as the agent's machine knows it. */
export const ConversationProject = z.object({
  name: text(1, 256, 'Project'),
  path: Path.optional(),
  repository: text(1, 1_024, 'Repository').optional(),
  branch: text(1, 256, 'Branch').optional(),
})
export type ConversationProject = z.infer<typeof ConversationProject>

export const Conversation = z.object({
  id: z.string(),
  /** The program that wrote it, such as `claude-code`. */
  agent: z.string(),
  /** Its id in that program. */
  externalId: z.string(),
  project: ConversationProject.optional(),
  /** Empty if nothing is known. */
  title: z.string(),
  startedAt: IsoDateTime,
  endedAt: IsoDateTime,
  /** How many there are, and the UTF-8 size of what is stored of them. */
  turns: z.number().int(),
  bytes: z.number().int(),
  /** How many observations name it as their source. */
  facts: z.number().int(),
  /** In lists, for callers who may read the memory: the entities of most of these observations, and how many there are. */
  ledTo: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })).optional(),
  ledToCount: z.number().int().optional(),
  /** In lists: how many of its drafts and proposals wait for a decision that the caller may make. */
  toDecide: z.number().int().optional(),
})
export type Conversation = z.infer<typeof Conversation>

/** Most conversations that {@link ConversationsOnly} finds, the newest. */
export const conversationsOnlyMax = 20_000

/** Those that led to facts, have something that the caller may decide on, or in which a tool failed. */
export const ConversationsOnly = z.enum(['facts', 'to_decide', 'failed'])
export type ConversationsOnly = z.infer<typeof ConversationsOnly>

/** The newest first; or those of each project or agent together, by its name, and those without a project last. */
export const ConversationOrder = z.enum(['day', 'project', 'agent'])
export type ConversationOrder = z.infer<typeof ConversationOrder>

export const TurnRole = z.enum(['person', 'agent', 'tool'])
export type TurnRole = z.infer<typeof TurnRole>

/** What a tool was asked, in short, and how it ended. */
export const TurnTool = z.object({
  name: z.string(),
  input: z.string().optional(),
  ok: z.boolean().optional(),
  exitCode: z.number().int().optional(),
})
export type TurnTool = z.infer<typeof TurnTool>

export const Turn = z.object({
  id: z.string(),
  /** Its place in the conversation, from 1. */
  seq: z.number().int(),
  at: IsoDateTime,
  role: TurnRole,
  text: z.string(),
  tool: TurnTool.optional(),
  files: z.array(z.string()).optional(),
  /** How many characters were left out at the end. */
  cut: z.number().int().optional(),
})
export type Turn = z.infer<typeof Turn>

/**
 * `project`: a name, or the whole path. `file`: a path, or the end of one after a slash. `query`: words
 * of the title. `after`, `before`: conversations that went on in that time.
 */
export const ListConversationsQuery = PageQuery.extend({
  agent: Agent.optional(),
  project: Path.optional(),
  file: Path.optional(),
  query: QueryText,
  after: MomentBound.optional(),
  before: MomentBound.optional(),
  only: ConversationsOnly.optional(),
  order: ConversationOrder.optional(),
})
export type ListConversationsQuery = z.infer<typeof ListConversationsQuery>

/** Most turns that a search within one conversation lists. */
export const matchesMax = 1_000

/** Text as it stands in a turn, in any case and with any white space between words. An empty one is found nowhere. */
export const FindInConversationQuery = z.object({ query: QueryText })
export type FindInConversationQuery = z.infer<typeof FindInConversationQuery>

/** The turns of one conversation that contain a text, in order. `isComplete`: false if there are more. */
export const ConversationMatches = z.object({
  matches: z.array(z.object({ turnId: z.string(), seq: z.number().int() })),
  isComplete: z.boolean(),
})
export type ConversationMatches = z.infer<typeof ConversationMatches>

/** What an import of conversations did. `known`: turns that were there already. `redacted`: as in {@link StoreTurnsResponse}. */
export const ImportedConversations = z.object({
  conversations: z.number().int(),
  stored: z.number().int(),
  known: z.number().int(),
  redacted: z.number().int(),
})
export type ImportedConversations = z.infer<typeof ImportedConversations>

export const ConversationsResponse = z.object({
  conversations: z.array(Conversation),
  nextCursor: NextCursor,
})
export type ConversationsResponse = z.infer<typeof ConversationsResponse>

/** From the beginning, or with half of the page before the turn `around`. */
export const ReadConversationQuery = PageQuery.extend({ around: text(1, 128, 'Turn id').optional() })
export type ReadConversationQuery = z.infer<typeof ReadConversationQuery>

/** Turns in order. `previousCursor` leads to those before the page. */
export const ConversationResponse = z.object({
  conversation: Conversation,
  turns: z.array(Turn),
  nextCursor: NextCursor,
  previousCursor: NextCursor,
})
export type ConversationResponse = z.infer<typeof ConversationResponse>

const Moment = MomentInput.transform((moment) => new Date(moment).toISOString()).pipe(IsoDateTime)

/** A turn as its agent wrote it. The same `externalId` in the same conversation is the same turn. */
export const NewTurn = z.object({
  externalId: ExternalId,
  at: Moment,
  role: TurnRole,
  /** What exceeds {@link turnTextMax} is left out. */
  text: text(0, 8_388_608, 'Text'),
  tool: z
    .object({
      name: text(1, 256, 'Tool'),
      input: text(0, turnTextMax, 'Input').optional(),
      ok: z.boolean().optional(),
      exitCode: z.number().int().min(-2_147_483_648).max(4_294_967_295).optional(),
    })
    .optional(),
  files: listOf(Path, turnFilesMax).optional(),
  /** What the sender has left out already. */
  cut: z.number().int().min(0).max(1e12).optional(),
})
export type NewTurn = z.infer<typeof NewTurn>

/** Body of `POST /api/conversations/turns`: turns of one conversation, in order. */
export const StoreTurns = z.object({
  conversation: z.object({
    agent: Agent,
    externalId: ExternalId,
    title: text(0, 1_024, 'Title').optional(),
    startedAt: Moment.optional(),
    project: ConversationProject.optional(),
  }),
  turns: listOf(NewTurn, turnsPerCallMax, { min: 1 }),
})
export type StoreTurns = z.infer<typeof StoreTurns>

export const StoreTurnsResponse = z.object({
  conversationId: z.string(),
  stored: z.number().int(),
  /** Turns that were there already. */
  known: z.number().int(),
  /** How many secrets and private passages the server removed. */
  redacted: z.number().int(),
})
export type StoreTurnsResponse = z.infer<typeof StoreTurnsResponse>
