import { z } from 'zod'
import { ChangeActor } from './change-actor.ts'
import { NextCursor, PageQuery } from './lists.ts'
import { Highlight, Understanding } from './search.ts'
import { IsoDateTime, QueryText } from './text.ts'

/** Kept per space; the oldest beyond are deleted. */
export const recallsPerSpaceMax = 10_000

/** What weighed most for an observation: a standing rule, its words, its name, its neighbours in graph or text, ... */
export const RecallReason = z.enum([
  'rule',
  'words',
  'name',
  'linked',
  'neighbour',
  'meaning',
  'time',
  'listed',
])
export type RecallReason = z.infer<typeof RecallReason>

/** An observation in an answer, by its place, counted from 1, and its approximate number of tokens. */
export const RecallRow = z.object({
  observationId: z.string(),
  rank: z.number().int(),
  reason: RecallReason,
  tokens: z.number().int(),
})
export type RecallRow = z.infer<typeof RecallRow>

/** How a question was interpreted, without the names that it came close to. */
export const KeptUnderstanding = Understanding.omit({ near: true })
export type KeptUnderstanding = z.infer<typeof KeptUnderstanding>

/** A question that an agent asked, and what it was told: ids, no texts. */
export const Recall = z.object({
  id: z.string(),
  at: IsoDateTime,
  by: ChangeActor,
  question: z.string(),
  understood: KeptUnderstanding,
  rows: z.array(RecallRow),
  /** Ids of the entities in the answer, best first. */
  entityIds: z.array(z.string()),
  tokens: z.number().int(),
  /** The length asked for; 0 if there was no bound. */
  maxTokens: z.number().int(),
  ms: z.number().int(),
  /** Whether anything was told. */
  found: z.boolean(),
})
export type Recall = z.infer<typeof Recall>

/** Query of `GET /api/recalls`; `by` is the name of an agent, or the id of a key, a connection or a person. */
export const ListRecallsQuery = PageQuery.extend({
  found: z.enum(['true', 'false']).optional(),
  by: z.string().max(512).optional(),
})
export type ListRecallsQuery = z.infer<typeof ListRecallsQuery>

/** `keptDays` is 0 if recalls are not kept. */
export const RecallsResponse = z.object({
  recalls: z.array(Recall),
  keptDays: z.number().int(),
  nextCursor: NextCursor,
})
export type RecallsResponse = z.infer<typeof RecallsResponse>

const ReplayedEntity = z.object({ id: z.string(), name: z.string(), type: z.string() })

/**
 * A row as it is now. `since` says what happened to the observation after the recall; a forgotten one has no text and
 * no entity.
 */
export const ReplayedRow = RecallRow.extend({
  since: z.enum(['changed', 'replaced', 'forgotten']).optional(),
  content: z.string().optional(),
  createdAt: IsoDateTime.optional(),
  highlights: z.array(Highlight).optional(),
  entity: ReplayedEntity.optional(),
  by: ChangeActor.optional(),
})
export type ReplayedRow = z.infer<typeof ReplayedRow>

/** `missed`: what was found and did not fit the answer, best first. */
export const Replay = Recall.extend({
  rows: z.array(ReplayedRow),
  missed: z.array(ReplayedRow),
  entities: z.array(ReplayedEntity),
})
export type Replay = z.infer<typeof Replay>

export const ReplayResponse = z.object({ recall: Replay, keptDays: z.number().int() })
export type ReplayResponse = z.infer<typeof ReplayResponse>

/** What an agent would be told now. */
export const AnswerResponse = z.object({ answer: Replay.omit({ id: true, at: true, by: true }) })
export type AnswerResponse = z.infer<typeof AnswerResponse>

/** A question that was asked and never answered since; `recallId` is the last time. */
export const UnansweredQuestion = z.object({
  question: z.string(),
  recallId: z.string(),
  times: z.number().int(),
  agents: z.array(z.string()),
  lastAt: IsoDateTime,
})
export type UnansweredQuestion = z.infer<typeof UnansweredQuestion>

export const UnansweredResponse = z.object({ questions: z.array(UnansweredQuestion) })

/** `alike=true` deletes all recalls of the same question. */
export const DeleteRecallQuery = z.object({ alike: z.enum(['true', 'false']).optional() })

/** Body of `POST /api/recalls/ask`. */
export const AskAgain = z.object({
  question: QueryText,
  maxTokens: z.number().int().min(100).max(20_000).optional(),
})
export type AskAgain = z.infer<typeof AskAgain>
