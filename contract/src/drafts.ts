import { z } from 'zod'
import { ConversationProject, TurnRole } from './conversations.ts'
import { EntityName, EntityType } from './entities.ts'
import { NextCursor, PageQuery } from './lists.ts'
import { ObservationContent } from './observations.ts'
import { IsoDateTime, MomentInput, text } from './text.ts'

/** As the statuses of proposals, so that one inbox shows both. */
export const DraftStatus = z.enum(['open', 'accepted', 'rejected'])
export type DraftStatus = z.infer<typeof DraftStatus>

/** What a sentence looks like. */
export const DraftKind = z.enum(['decision', 'preference', 'rule', 'fix', 'name', 'fact'])
export type DraftKind = z.infer<typeof DraftKind>

/** Who said it: a person or an agent, in a program. */
export const DraftSpeaker = z.object({
  role: TurnRole,
  agent: z.string(),
  project: ConversationProject.pick({ name: true }).optional(),
})

/** What keeping it would add: the sentence, about the entity that it seems to be of. */
export const DraftedChange = z.object({
  operation: z.literal('observation_added'),
  content: z.string(),
  entity: z.object({ name: z.string(), type: z.string() }),
})
export type DraftedChange = z.infer<typeof DraftedChange>

/** A sentence of a conversation that looks worth remembering, apart from the graph until somebody keeps it. */
export const Draft = z.object({
  id: z.string(),
  status: DraftStatus,
  kind: DraftKind,
  by: DraftSpeaker,
  at: IsoDateTime,
  source: z.object({ conversationId: z.string(), turnId: z.string() }),
  conversationTitle: z.string(),
  changes: z.array(DraftedChange),
  decidedAt: IsoDateTime.optional(),
})
export type Draft = z.infer<typeof Draft>

/** Newest first. `project`: the name of one. `conversation`: the id of one. `since`: said since then. */
export const ListDraftsQuery = PageQuery.extend({
  status: DraftStatus.default('open'),
  project: text(1, 256, 'Project').optional(),
  conversation: text(1, 128, 'Conversation').optional(),
  since: MomentInput.optional(),
})
export type ListDraftsQuery = z.infer<typeof ListDraftsQuery>

/** `open`: how many wait in this space; `thisWeek`: how many of them were said in the last seven days. */
export const DraftsResponse = z.object({
  drafts: z.array(Draft),
  open: z.number().int(),
  thisWeek: z.number().int(),
  nextCursor: NextCursor,
})
export type DraftsResponse = z.infer<typeof DraftsResponse>

/** As it was said, or corrected; about the entity that the draft names, or another. */
export const KeepDraft = z.object({
  content: ObservationContent.optional(),
  entity: z.object({ name: EntityName, type: EntityType.default('concept') }).optional(),
})
export type KeepDraft = z.infer<typeof KeepDraft>

/** `observationId`: the fact, which may have been there already. */
export const KeptResponse = z.object({ draft: Draft, entityId: z.string(), observationId: z.string() })
export type KeptResponse = z.infer<typeof KeptResponse>

export const DraftResponse = z.object({ draft: Draft })
